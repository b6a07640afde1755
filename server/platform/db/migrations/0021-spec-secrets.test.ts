/**
 * What signs in leaves specifications and connections the moment it is written, is found by nobody who reads, goes
 * on working for what was written, and goes nowhere else. On both databases.
 */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findConnectionByReference } from '../../../connections/connection-query.ts';
import { createSealer } from '../../crypto/sealing.ts';
import { nodePlatform } from '../../platform.ts';
import type { Database } from '../database.ts';
import { forEachDatabase } from '../test-databases.ts';

/** In every secret below, so that one look finds any of them. */
const MARK = 'hu5h-mark';
const SPEC = {
  schedule: '@never',
  http: [
    {
      name: 'shop',
      url: `https://user:${MARK}@shop.example/x?api_key=${MARK}&page=2`,
      headers: [
        { name: 'Authorization', value: `Bearer ${MARK}` },
        { name: 'x-plain', value: 'plain' },
      ],
      password: { value: MARK },
      username: { valueFrom: { secretKeyRef: { name: 'shop', key: 'user' } } },
      oauth2: { tokenURL: 'https://login.example/token', params: { client_secret: MARK } },
      body: `call https://me:${MARK}@back.example/ then`,
      thresholdMillis: 100,
    },
    { name: 'open', url: 'https://user:$(password)@open.example/', labels: { 'token-type': 'none' } },
  ],
};
const SHOWN = {
  schedule: '@never',
  http: [
    {
      ...SPEC.http[0],
      url: 'https://***@shop.example/x?api_key=***&page=2',
      headers: [
        { name: 'Authorization', value: '***' },
        { name: 'x-plain', value: 'plain' },
      ],
      password: { value: '***' },
      oauth2: { tokenURL: 'https://login.example/token', params: { client_secret: '***' } },
      body: 'call https://***@back.example/ then',
    },
    SPEC.http[1],
  ],
};

/** Whatever else has a specification (migration 0035), with what a row of it needs. */
const OTHERS = ['playbooks', 'topologies', 'logging_backends', 'integrations', 'incident_rules'] as const;

const sealer = createSealer(Buffer.alloc(32, 1), nodePlatform);

forEachDatabase((_name, openDatabase) => {
  describe('a specification that signs in', () => {
    let db: Database;
    let id: string;
    beforeAll(async () => {
      db = await openDatabase();
    });
    beforeEach(async () => {
      for (const table of [
        'checks',
        'canaries',
        'config_scrapers',
        'notifications',
        'connections',
        ...OTHERS,
      ])
        await db.run(`delete from ${table}`);
      const [row] = await db.rows(
        z.custom<{ id: string }>(),
        `insert into canaries (name, namespace, spec) values ('c', 'default', $1::jsonb) returning id`,
        [JSON.stringify(SPEC)],
      );
      id = row?.id ?? '';
    });
    const spec = async () =>
      (await db.rows(z.custom<{ spec: typeof SPEC }>(), 'select spec from canaries where id = $1', [id]))[0]
        ?.spec;
    const addOther = async (table: (typeof OTHERS)[number]) => {
      const person = await db.text(`insert into people (name) values ('author') returning id::text`);
      const row = { name: 'o', namespace: 'default', source: 'UI', created_by: person, spec: SPEC };
      const columns = await db.rows(
        z.custom<{ name: string }>(),
        `select column_name as name from information_schema.columns where table_schema = 'public'
          and table_name = $1 and column_name = any($2)`,
        [table, Object.keys(row)],
      );
      const names = columns.map(({ name }) => name).join(', ');
      return db.text(
        `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1::jsonb)
          returning id::text`,
        [JSON.stringify(row)],
      );
    };
    const opened = async () =>
      (
        await db.rows(
          z.custom<{ spec: unknown }>(),
          'select opened_spec(id, spec) as spec from canaries where id = $1',
          [id],
        )
      )[0]?.spec;
    const write = (changed: unknown, mayGrant = false) =>
      db.transaction(async (tx) => {
        await tx.text(`select set_config('holdfast.may_grant', $1, true)`, [mayGrant ? 'yes' : '']);
        await tx.run('update canaries set spec = $2::jsonb where id = $1', [id, JSON.stringify(changed)]);
      });

    it('shows stars, is run as it was written, and stays so when it is saved as it is shown', async () => {
      expect([await spec(), await opened()]).toEqual([SHOWN, SPEC]);
      await write(SHOWN);
      expect([await spec(), await opened()]).toEqual([SHOWN, SPEC]);
      const moved = { ...SHOWN, http: SHOWN.http.toReversed() };
      await write({ ...moved, http: moved.http.map((entry) => ({ ...entry, thresholdMillis: 7 })) });
      expect(await opened()).toEqual({
        ...SPEC,
        http: SPEC.http.toReversed().map((entry) => ({ ...entry, thresholdMillis: 7 })),
      });
    });

    it.each(OTHERS)('of %s is kept out of sight as well, and forgotten with its row', async (table) => {
      const other = await addOther(table);
      const shown = () =>
        db.rows(z.unknown(), `select spec, opened_spec(id, spec) as opened from ${table} where id = $1`, [
          other,
        ]);
      expect(await shown()).toEqual([{ spec: SHOWN, opened: SPEC }]);
      await db.run(`update ${table} set spec = $2::jsonb where id = $1`, [other, JSON.stringify(SHOWN)]);
      expect(await shown()).toEqual([{ spec: SHOWN, opened: SPEC }]);
      await db.run(`delete from ${table} where id = $1`, [other]);
      expect(await db.rows(z.unknown(), 'select 1 from spec_secrets where row_id = $1', [other])).toEqual([]);
    });

    it('keeps nothing for another address, unless somebody who may grant it says so', async () => {
      const [shop, open] = SHOWN.http;
      const elsewhere = { ...SHOWN, http: [{ ...shop, url: 'https://***@evil.example/' }, open] };
      await write(elsewhere);
      expect(JSON.stringify(await opened())).not.toContain(MARK);
      await write(SHOWN);
      expect(JSON.stringify(await opened())).not.toContain(MARK);
      await write(SPEC);
      await write({ ...SHOWN, http: [{ ...shop, method: 'POST' }, open] }, true);
      expect(await opened()).toEqual({ ...SPEC, http: [{ ...SPEC.http[0], method: 'POST' }, SPEC.http[1]] });
    });

    it('is in no table, view or copy of a device, nor that of scrapers, checks, rules and connections', async () => {
      await db.run(
        `insert into checks (canary_id, type, name, namespace, spec) values ($1, 'http', 'shop', 'default', $2::jsonb)`,
        [id, JSON.stringify(SPEC.http[0])],
      );
      await db.run(`insert into config_scrapers (name, source, spec) values ('s', 'UI', $1::jsonb)`, [
        JSON.stringify(SPEC),
      ]);
      await db.run(
        `insert into notifications (name, events, custom_services) values ('n', '{check.failed}', $1::jsonb)`,
        [JSON.stringify([{ name: 'x', url: `slack://xoxb:${MARK}@chan`, properties: { password: MARK } }])],
      );
      await db.run(
        `insert into connections (name, type, url, username, password, certificate, properties)
         values ('p', 'postgres', $1, 'me', $2, $2, $3::jsonb)`,
        [`postgres://me:${MARK}@db.example/x`, MARK, JSON.stringify({ region: 'r', secretKey: MARK })],
      );
      for (const table of OTHERS) await addOther(table);
      await db.run(`insert into playbook_runs (playbook_id, spec) select id, $1::jsonb from playbooks`, [
        JSON.stringify(SPEC),
      ]);
      expect(await db.text('select endpoint from check_summary limit 1')).toBe(
        'https://***@shop.example/x?api_key=***&page=2',
      );
      const relations = await db.rows(
        z.custom<{ name: string }>(),
        `select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm') and relname <> 'spec_secrets'`,
      );
      expect(relations.length).toBeGreaterThan(100);
      const showing: string[] = [];
      for (const { name } of relations) {
        const rows = await db.rows(
          z.unknown(),
          `select 1 from "${name}" as one where to_jsonb(one)::text like $1 limit 1`,
          [`%${MARK}%`],
        );
        if (rows.length > 0) showing.push(name);
      }
      expect(showing).toEqual([]);
    });

    it('of a connection is what its users get, also after an edit of what is shown', async () => {
      const url = `postgres://me:${MARK}@db.example/x`;
      await db.run(
        `insert into connections (name, type, url, username, password, properties) values ('p', 'http', $1, 'me', $2, $3::jsonb)`,
        [url, MARK, JSON.stringify({ region: 'r', bearer: MARK })],
      );
      const whole = { url, username: 'me', password: MARK, properties: { region: 'r', bearer: MARK } };
      expect(await findConnectionByReference(db, sealer, 'p')).toMatchObject(whole);
      await db.run(
        `update connections set url = url, password = '***', username = 'you', properties = properties where name = 'p'`,
      );
      expect(await findConnectionByReference(db, sealer, 'p')).toMatchObject({ ...whole, username: 'you' });
      await expect(
        db.run(`update connections set url = 'postgres://***@other.example/x' where name = 'p'`),
      ).rejects.toThrow('enter again');
      await db.run(
        `update connections set password = 'secret://a/b', url = 'https://x.example' where name = 'p'`,
      );
      expect(await db.rows(z.unknown(), `select url, password from connections where name = 'p'`)).toEqual([
        { url: 'https://x.example', password: 'secret://a/b' },
      ]);
    });

    it('of any shape is shown once and for all, and opens to what was written', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,9}$/), fc.jsonValue({ maxDepth: 3 })),
          async (free) => {
            const any = JSON.parse(JSON.stringify(free).replaceAll(String.raw`\u0000`, '')) as Record<
              string,
              unknown
            >;
            const entry = { ...any, name: 'x', password: MARK };
            await write({ ...any, http: [entry] }, true);
            const shown = await spec();
            expect(JSON.stringify(shown)).not.toContain(MARK);
            await write(shown);
            expect(await spec()).toEqual(shown);
            expect(await opened()).toMatchObject({ http: [{ password: MARK }] });
          },
        ),
        { numRuns: 25 },
      );
    });

    it('is no trouble where it is no object', async () => {
      for (const odd of [[], 'x', 1, { http: null }, { http: [null, 1, []] }, {}]) {
        await write(odd);
        expect(await spec()).toEqual(odd);
      }
    });
  });
});
