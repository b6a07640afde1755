/** Components in the change feed: their rows have what hangs on them, and change with it, on both databases. */
import { beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { readRows } from '../replication/change-log/feed-query.ts';

vi.setConfig({ testTimeout: 120_000 });

const idRow = z.strictObject({ id: z.string() });
const noted = z.strictObject({ entity_id: z.string() });

forEachDatabase((_name, openDatabase) => {
  let db: Database;
  const one = async (sql: string, params: readonly (string | null)[] = []) =>
    (await db.rows(idRow, sql, [...params]))[0]?.id ?? '';
  const component = (name: string, over: { status?: string; health?: string | null; expr?: string } = {}) =>
    one(
      `insert into components (external_id, name, status, health, health_expr) values ($1, $1, $2, $3, $4) returning id`,
      [name, over.status ?? 'healthy', over.health ?? null, over.expr ?? null],
    );
  const head = async () => Number(await db.text('select coalesce(max(seq), 0)::text from change_log'));
  /** Components that the log names since. */
  const since = async (seq: number) =>
    (
      await db.rows(noted, `select entity_id from change_log where collection = 'components' and seq > $1`, [
        seq,
      ])
    ).map(({ entity_id: id }) => id);
  const rowOf = async (id: string) => (await readRows(db, 'components', [id])).get(id);

  beforeAll(async () => {
    db = await openDatabase();
  });

  it('a check that turns red is in the row of the component that it belongs to, and no other is sent', async () => {
    const web = await component('web');
    await component('bystander');
    const canary = await one(
      `insert into canaries (name, namespace, spec) values ('site', 'default', '{}') returning id`,
    );
    const check = await one(
      `insert into checks (canary_id, type, name, status) values ($1, 'http', 'home', 'healthy') returning id`,
      [canary],
    );
    const start = await head();
    await db.run(
      'insert into check_component_relationships (component_id, check_id, canary_id, selector_id) values ($1, $2, $3, $4)',
      [web, check, canary, 'x'],
    );
    expect(await since(start)).toEqual([web]);
    expect(await rowOf(web)).toMatchObject({ checks: { healthy: 1 }, check_ids: [check] });

    const linked = await head();
    await db.run(`update checks set last_runtime = now() where id = $1`, [check]);
    expect(await since(linked)).toEqual([]);
    await db.run(`update checks set status = 'unhealthy' where id = $1`, [check]);
    expect(await since(linked)).toEqual([web]);
    expect(await rowOf(web)).toMatchObject({ checks: { unhealthy: 1 } });
  });

  it('has those that selectors put under it, its teams, items and open incidents', async () => {
    const above = await component('above');
    const below = await component('below');
    const team = await one(
      `insert into teams (name, created_by, spec) select 'core', id, '{}' from people limit 1 returning id`,
    );
    const item = await one(
      `insert into config_items (name, config_class, type, config) values ('db', 'Database', 'Pg', '{}') returning id`,
    );
    let seen = await head();
    const changes = async () => {
      const found = await since(seen);
      seen = await head();
      return found;
    };
    await db.run('insert into component_relationships (component_id, relationship_id) values ($1, $2)', [
      below,
      above,
    ]);
    expect(await changes()).toEqual([above]);
    await db.run('insert into team_components (team_id, component_id) values ($1, $2)', [team, above]);
    expect(await changes()).toEqual([above]);
    await db.run('insert into config_component_relationships (component_id, config_id) values ($1, $2)', [
      above,
      item,
    ]);
    expect(await changes()).toEqual([above]);
    await db.run(
      `insert into config_analysis (config_id, analyzer, analysis_type, severity, status)
       values ($1, 'scan', 'security', 'high', 'open')`,
      [item],
    );
    expect(await changes()).toEqual([above]);
    expect(await rowOf(above)).toMatchObject({
      children: [below],
      team_names: ['core'],
      config_ids: [item],
      analysis: { security: { high: 1 } },
    });
    // Insights of an item count for as long as it is there.
    await db.run('update config_items set updated_at = now() where id = $1', [item]);
    expect(await changes()).toEqual([]);
    await db.run('update config_items set deleted_at = now() where id = $1', [item]);
    expect(await changes()).toEqual([above]);
    expect(await rowOf(above)).toMatchObject({ analysis: null });
    await db.run('update config_items set deleted_at = null where id = $1', [item]);
    expect(await changes()).toEqual([above]);
    expect(await rowOf(above)).toMatchObject({ analysis: { security: { high: 1 } } });
    await db.run(`update teams set name = 'platform' where id = $1`, [team]);
    expect(await changes()).toEqual([above]);
    await db.run('update component_relationships set deleted_at = now() where component_id = $1', [below]);
    expect(await changes()).toEqual([above]);
    expect(await rowOf(above)).toMatchObject({ children: null, team_names: ['platform'] });
  });

  it('says what the component says of itself, and beside it what its expressions came to', async () => {
    const plain = await component('plain', { status: 'healthy', health: 'healthy' });
    const judged = await component('judged', { expr: 'true' });
    await db.transaction(async (tx) => {
      await tx.text(`select set_config('holdfast.roll_up', 'on', true)`);
      await tx.run(`update components set health = 'unhealthy', status = 'unhealthy' where id in ($1, $2)`, [
        plain,
        judged,
      ]);
    });
    const nobody = { judged_health: null, judged_status: null };
    expect(await rowOf(plain)).toMatchObject({ health: 'healthy', status: 'healthy', ...nobody });
    expect(await rowOf(judged)).toMatchObject({
      health: null,
      status: 'healthy',
      judged_health: 'unhealthy',
      judged_status: null,
    });
    // Anybody else's word is the component's own.
    await db.run(`update components set health = 'warning' where id = $1`, [plain]);
    expect(await rowOf(plain)).toMatchObject({ health: 'warning', status: 'healthy' });
  });
});
