/** What is summed up of a topology's components, on real databases. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Database } from '../platform/db/database.ts';
import { forEachDatabase } from '../platform/db/test-databases.ts';
import { rollUpComponents } from './jobs/roll-up-job.ts';
import { topologySetting, type TopologySetting } from './testing/topology-setting.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
/** Real work on a shared machine. */
const WITHIN = { timeout: 45_000, interval: 50 };

forEachDatabase((_kind, open) => {
  let db: Database;
  let setting: TopologySetting;

  beforeAll(async () => {
    db = await open();
    setting = await topologySetting(db, { isExecAllowed: true });
    await setting.service.start();
  });
  afterAll(() => setting.stop());

  const idsOf = async (topology: string) =>
    new Map((await setting.components(topology)).map(({ id, name }) => [name, id]));
  const stateOf = async (id: string | undefined) => {
    const [row] = await db.rows(
      z.custom<{ status: string; health: string | null; summary: unknown; is_gone: boolean }>(),
      'select status, health, summary, deleted_at is not null as is_gone from components where id = $1',
      [id ?? null],
    );
    return row;
  };

  describe('what is summed up', () => {
    const check = async (status: string) => {
      const canary = await db.text(
        `insert into canaries (name, namespace, spec, labels) values (gen_random_uuid()::text, 'default', '{}', '{}') returning id::text`,
      );
      return (
        (await db.text(
          `insert into checks (canary_id, type, name, status, labels) values ($1, 'http', 'home', $2, '{"app": "roll"}') returning id::text`,
          [canary, status],
        )) ?? ''
      );
    };

    test('a check that turns red makes its component and all above it red, and green again', async () => {
      const id = await check('healthy');
      await setting.add('rolled', {
        components: [
          {
            name: 'outer',
            components: [{ name: 'inner', checks: [{ selector: { labelSelector: 'app=roll' } }] }],
          },
        ],
      });
      await setting.run('rolled');
      const ids = await idsOf('rolled');
      const healths = async () =>
        Promise.all(['inner', 'outer', 'rolled'].map(async (name) => (await stateOf(ids.get(name)))?.health));
      await expect.poll(healths, WITHIN).toEqual(['healthy', 'healthy', 'healthy']);
      await db.run(`update checks set status = 'unhealthy' where id = $1`, [id]);
      await expect.poll(healths, WITHIN).toEqual(['unhealthy', 'unhealthy', 'unhealthy']);
      expect(await stateOf(ids.get('rolled'))).toMatchObject({
        status: 'unhealthy',
        summary: { unhealthy: 1, checks: { unhealthy: 1 } },
      });
      await db.run(`update checks set status = 'healthy' where id = $1`, [id]);
      await expect.poll(healths, WITHIN).toEqual(['healthy', 'healthy', 'healthy']);
      await setting.run('rolled');
      expect(await healths()).toEqual(['healthy', 'healthy', 'healthy']);
    });

    test('an expression decides over what a component says of itself, never over what it came to last', async () => {
      await setting.add('judged', {
        components: [
          {
            name: 'group',
            components: [
              { name: 'leaf', status: 'healthy', statusExpr: `summary.healthy > 0 ? 'up' : 'healthy'` },
            ],
          },
        ],
      });
      await setting.run('judged');
      const ids = await idsOf('judged');
      const states = async () => [await stateOf(ids.get('leaf')), await stateOf(ids.get('group'))];
      const counted = { health: 'healthy', summary: { healthy: 1 } };
      await expect.poll(states, WITHIN).toMatchObject([{ ...counted, status: 'up' }, counted]);
      // Again and again it comes to the same, so nothing is written.
      for (const _again of [1, 2])
        expect(await rollUpComponents(db, setting.expressions)).toEqual({ changed: 0, errors: [] });
      await db.run(`update components set status_expr = 'nonsense(' where id = $1`, [ids.get('leaf') ?? '']);
      await expect.poll(states, WITHIN).toMatchObject([{ ...counted, status: 'healthy' }, counted]);
    });

    test('selectors that go in circles end, and expressions decide', async () => {
      await setting.add('circles', {
        components: [
          { name: 'x', labels: { ring: 'one' }, selectors: [{ labelSelector: 'ring=two' }] },
          {
            name: 'y',
            labels: { ring: 'two' },
            status: 'unhealthy',
            selectors: [{ labelSelector: 'ring=one' }],
          },
          {
            name: 'judge',
            selectors: [{ name: 'y' }],
            healthExpr: `summary.unhealthy > 0 ? 'warning' : 'healthy'`,
            statusExpr: `'bad: ' + string(summary.unhealthy)`,
          },
        ],
      });
      await setting.run('circles');
      const ids = await idsOf('circles');
      await expect.poll(async () => (await stateOf(ids.get('x')))?.health, WITHIN).toBe('unhealthy');
      await expect
        .poll(() => stateOf(ids.get('judge')), WITHIN)
        .toMatchObject({ health: 'warning', status: 'bad: 1' });
    });
  });
});
