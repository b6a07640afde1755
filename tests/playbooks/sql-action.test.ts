/** sql actions at a real PostgreSQL: rows, what was typed as a parameter, failures, and a cancel that ends the statement. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../server/platform/db/database.ts';
import { createMigratedPostgres } from '../../server/platform/db/test-databases.ts';
import { openPostgresDatabase } from '../../server/platform/db/postgres-database.ts';
import { addPlaybook, playbookSetting, runWhen } from './support/playbook-setting.ts';
import type { PlaybookSetting } from './support/playbook-setting.ts';

const WAIT = 60_000;
let db: Database;
let url: string;
let setting: PlaybookSetting;

beforeAll(async () => {
  url = await createMigratedPostgres();
  db = await openPostgresDatabase({ url, logger: pino({ level: 'silent' }) });
  setting = await playbookSetting(db, { egressAllow: ['127.0.0.1', 'localhost'] });
}, WAIT);
afterAll(async () => {
  await setting.server.stop();
  await db.close();
});

let count = 0;
const press = async (query: string, value = '') => {
  const id = await addPlaybook(db, `sql ${(count += 1)}`, {
    parameters: [{ name: 'v' }],
    actions: [{ name: 'ask', sql: { driver: 'postgres', url, query } }],
  });
  return setting.press(id, { params: { v: value } });
};

it(
  'answers rows, and takes what was typed as a parameter',
  async () => {
    const hostile = `x'; drop table checks; --`;
    const run = await runWhen(
      db,
      await press(`select {{.params.v}}::text as given, '{{.params.v}}'::text as quoted`, hostile),
    );
    expect(run.actions[0]).toMatchObject({
      status: 'completed',
      result: { rows: [{ given: hostile, quoted: hostile }], count: 1 },
    });
    expect(await db.text(`select to_regclass('checks')::text`)).toBe('checks');
  },
  WAIT,
);

it(
  'a statement that fails fails the action',
  async () => {
    const run = await runWhen(db, await press('select * from nowhere'));
    expect(run.actions[0]).toMatchObject({ status: 'failed', error: /nowhere/ });
  },
  WAIT,
);

it(
  'a cancel stops the statement in its database',
  async () => {
    const id = await press(`select pg_sleep(300), 'holdfast-cancel'`);
    const going = () =>
      db.text(
        `select count(*)::text from pg_stat_activity where state = 'active' and query like '%pg_sleep(300), ''holdfast%' and pid <> pg_backend_pid()`,
      );
    await expect.poll(going, { timeout: WAIT }).toBe('1');
    await setting.editor.browser.post(`/api/playbook/run/${id}/cancel`);
    expect((await runWhen(db, id)).status).toBe('cancelled');
    await expect.poll(going, { timeout: WAIT }).toBe('0');
  },
  WAIT,
);
