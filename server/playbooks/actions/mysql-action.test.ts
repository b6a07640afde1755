/** sql actions at a real MariaDB: rows, what was typed as a parameter, failures, and a cancel that ends the statement. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAction } from './sql-action.ts';
import { HOLE, performAlone } from './testing/action-setting.ts';
import type { ActionTry } from './testing/action-setting.ts';
import { startMariaDb } from './testing/mariadb.ts';
import type { MariaDb } from './testing/mariadb.ts';

const WAIT = 60_000;
let server: MariaDb;
beforeAll(async () => {
  server = await startMariaDb();
}, WAIT);
afterAll(() => server.close());

const ask = (query: string, more: ActionTry = {}) =>
  performAlone(sqlAction, { driver: 'mysql', url: server.url, query }, more);

test(
  'statements change and answer rows; what was typed is a parameter, whatever it is',
  async () => {
    expect(await ask('create table words (id int auto_increment primary key, word text)')).toMatchObject({
      error: null,
    });
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom("'; drop table words; --", '\\', "\\'", '"', '`', '/*', '?', ':x', '0x41', '%'),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        const outcome = await ask(`select ${HOLE} as given, '${HOLE}' as quoted`, { value });
        expect(outcome).toEqual({
          error: null,
          result: { rows: [{ given: value, quoted: value }], count: 1 },
        });
      }),
      { numRuns: 25 },
    );
    expect(await ask(`insert into words (word) values (${HOLE}), ('two')`, { value: "o'ne" })).toMatchObject({
      error: null,
      result: { count: 2 },
    });
    expect((await ask('select word from words order by id')).result).toEqual({
      rows: [{ word: "o'ne" }, { word: 'two' }],
      count: 2,
    });
  },
  WAIT,
);

test(
  'of very many rows the first are kept: a statement that only reads is ended there, another goes on to its end',
  async () => {
    const many = 'from seq_1_to_100000000';
    const reading = await ask(`select seq ${many}`);
    expect(reading.result).toMatchObject({ count: 10_000, isCut: true });
    expect(reading.result['rows']).toHaveLength(10_000);
    await expect
      .poll(
        async () =>
          (
            await ask(
              `select count(*) as n from information_schema.processlist where info like 'select seq%'`,
            )
          ).result['rows'],
        { timeout: WAIT },
      )
      .toEqual([{ n: 0 }]);
    await ask('create table kept (n int)');
    const writing = await ask('insert into kept select seq from seq_1_to_10500 returning n');
    expect(writing.result).toMatchObject({ count: 10_500, isCut: true });
    expect((await ask('select count(*) as n from kept')).result['rows']).toEqual([{ n: 10_500 }]);
  },
  WAIT,
);

test(
  'what fails says why: the statement, two of them, the password, a place that is not to be called',
  async () => {
    await expect(ask('select * from nowhere')).rejects.toThrow(/nowhere/);
    await expect(ask('select 1; select 2')).rejects.toThrow(/syntax/);
    const wrong = { driver: 'mysql', url: server.url.replace(/:[^:@]*@/, ':wrong@'), query: 'select 1' };
    await expect(performAlone(sqlAction, wrong)).rejects.toThrow(/Access denied/);
    await expect(ask('select 1', { allow: [] })).rejects.toThrow('not allowed');
  },
  WAIT,
);

test(
  'a cancel ends the statement in its database',
  async () => {
    const ending = new AbortController();
    const running = ask(`select sleep(300) /* cancelled */`, {
      more: { signal: ending.signal, timeoutMs: WAIT },
    });
    const going = async () =>
      (
        await ask(
          `select count(*) as n from information_schema.processlist where info like '%cancelled%' and info not like '%processlist%'`,
        )
      ).result['rows'];
    await expect.poll(going, { timeout: WAIT }).toEqual([{ n: 1 }]);
    ending.abort();
    await running.catch(() => undefined);
    await expect.poll(going, { timeout: WAIT }).toEqual([{ n: 0 }]);
  },
  WAIT,
);
