/** sql actions at a real PostgreSQL: how much of an answer is kept, and that statements end when they are to end. */
import { beforeAll, expect, test } from 'vitest';
import { createPostgresDatabase } from '../../platform/db/test-databases.ts';
import { sqlAction } from './sql-action.ts';
import { performAlone } from './testing/action-setting.ts';
import type { ActionTry } from './testing/action-setting.ts';

const WAIT = 60_000;
let url: string;
beforeAll(async () => {
  url = await createPostgresDatabase();
}, WAIT);

const ask = (query: string, more: ActionTry = {}) =>
  performAlone(sqlAction, { driver: 'postgres', url, query }, more);

/** Statements of these words that run. */
const going = async (words: string) =>
  (
    await ask(
      `select count(*)::int as n from pg_stat_activity
        where state = 'active' and datname = current_database() and query like '${words}%'`,
    )
  ).result['rows'];

test(
  'of very many rows the first are kept: a statement that only reads is ended there, another goes on to its end',
  async () => {
    const reading = await ask('select n, now() as at from generate_series(1, 50000000) as n');
    expect(reading.result).toMatchObject({ count: 10_000, isCut: true });
    expect(reading.result['rows']).toHaveLength(10_000);
    await expect.poll(() => going('select n, now'), { timeout: WAIT }).toEqual([{ n: 0 }]);
    expect((await ask('create table kept (n int)')).result).toEqual({ rows: [], count: 0 });
    const writing = await ask('insert into kept select n from generate_series(1, 10500) as n returning n');
    expect(writing.result).toMatchObject({ count: 10_500, isCut: true });
    expect((await ask('select count(*)::int as n from kept')).result).toEqual({
      rows: [{ n: 10_500 }],
      count: 1,
    });
    expect((await ask('update kept set n = 0 where n <= 10')).result).toEqual({ rows: [], count: 10 });
    await expect(ask('select 1; select 2')).rejects.toThrow(/multiple commands/);
  },
  WAIT,
);

test(
  'a cancel ends the statement in its database',
  async () => {
    const ending = new AbortController();
    const more = { signal: ending.signal, timeoutMs: WAIT };
    const running = ask('select pg_sleep(300)', { more });
    await expect.poll(() => going('select pg_sleep'), { timeout: WAIT }).toEqual([{ n: 1 }]);
    ending.abort();
    await expect(running).rejects.toThrow(/cancel/);
    await expect.poll(() => going('select pg_sleep'), { timeout: WAIT }).toEqual([{ n: 0 }]);
  },
  WAIT,
);
