/**
 * sql actions at SQL Server, by its client: against a stand-in that speaks its protocol and understands no SQL. What a
 * real one says of a statement is not tried here.
 */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sqlAction } from './sql-action.ts';
import { HOLE, performAlone } from './testing/action-setting.ts';
import type { ActionTry } from './testing/action-setting.ts';
import { startTdsServer } from './testing/tds-server.ts';
import type { TdsServer } from './testing/tds-server.ts';

const WAIT = 60_000;
let server: TdsServer;
beforeAll(async () => {
  server = await startTdsServer();
});
afterEach(() => {
  server.isSilent = false;
});
afterAll(() => server.close());

const ask = (query: string, more: ActionTry = {}, url = server.url) =>
  performAlone(sqlAction, { driver: 'mssql', url, query }, more);

test(
  'what was typed is a parameter, whatever it is and however long; the statement has its place alone',
  async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom("'; drop table words; --", '@p1', "N'", ']', '/*', '%', 'x'.repeat(5000)),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (value) => {
        fc.pre(!/\p{Surrogate}/u.test(value));
        const outcome = await ask(`select ${HOLE} as given, '${HOLE}' as quoted`, { value });
        const values = JSON.stringify([value, value]);
        const statement = 'select @p1 as given, @p2 as quoted';
        expect(outcome).toEqual({ error: null, result: { rows: [{ statement, values }], count: 1 } });
      }),
      { numRuns: 15 },
    );
  },
  WAIT,
);

test(
  'what fails says why: the statement, the password, nobody who listens, a place that is not to be called',
  async () => {
    await expect(ask('select * from nowhere')).rejects.toThrow("Invalid object name 'nowhere'");
    const wrong = server.url.replace(/:[^:@]*@/, ':wrong@');
    await expect(ask('select 1', {}, wrong)).rejects.toThrow('Login failed');
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    await expect(ask('select 1', {}, `sqlserver://u:p@127.0.0.1:${port}/shop`)).rejects.toThrow(
      'ECONNREFUSED',
    );
    await expect(ask('select 1', { allow: [] })).rejects.toThrow('not allowed');
  },
  WAIT,
);

test(
  'of very many rows the first are kept: a statement that only reads is stopped there, several go on to their end',
  async () => {
    const reading = 'select top 10500 * from endless';
    const read = await ask(reading);
    expect(read.result).toMatchObject({ count: 10_000, isCut: true });
    expect(read.result['rows']).toHaveLength(10_000);
    expect(server.stopped).toEqual([reading]);
    const several = await ask('update a set b = 1; select top 10500 * from c');
    expect(several.result).toMatchObject({ count: 10_500, isCut: true });
    expect(several.result['rows']).toHaveLength(10_000);
    expect(server.stopped).toEqual([reading]);
    server.stopped.length = 0;
  },
  WAIT,
);

test(
  'a cancel stops the statement, and whoever waits for a server that says nothing',
  async () => {
    const ending = new AbortController();
    const query = "waitfor delay '01:00'";
    const running = ask(query, { more: { signal: ending.signal, timeoutMs: WAIT } });
    await expect.poll(() => server.asked, { timeout: WAIT }).toContain(query);
    ending.abort();
    await expect(running).rejects.toThrow(/cancel/i);
    expect(server.stopped).toEqual([query]);

    server.isSilent = true;
    const late = new AbortController();
    const waiting = ask('select 1', { more: { signal: late.signal, timeoutMs: WAIT } });
    late.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  },
  WAIT,
);
