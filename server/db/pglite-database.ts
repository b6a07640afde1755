/**
 * The database port on PGlite. Owns the thread, restarts it when it had to be ended, and lets one transaction
 * or statement at a time onto the single connection. Does not lock the folder: open-database does.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database, Queryable } from './database.ts';
import { openPgliteThread } from './pglite-thread.ts';
import type { PgliteCall, PgliteThread } from './pglite-thread.ts';
import { SCRIPT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, asJsonRows, encodeParameter } from './sql-text.ts';

export interface PgliteOptions {
  /** Null keeps the database in memory (tests). */
  folder: string | null;
  /** What a database in memory begins with, instead of making its files for seconds (tests). */
  image?: string;
  logger: Logger;
  statementTimeoutMs?: number;
}

/**
 * Makes the database files in a folder aside and moves them into place when whole: a start that was killed in
 * the middle leaves nothing half-made. The thread that did it is ended, because it keeps 840 MB.
 */
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const maker = await openPgliteThread(unfinished);
  await maker.end();
  await rename(unfinished, folder);
}

/** Runs work one after the other, in the order of the calls. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    // The next in line waits for the end, not for the success, of this one.
    last = mine.catch(() => undefined);
    return mine;
  };
}

function createQueryable(
  send: (call: PgliteCall, limitMs: number) => ReturnType<PgliteThread['call']>,
  limitMs: number,
): Queryable {
  return {
    async rows<Row>(sql: string, params: Parameters<Queryable['rows']>[1] = []) {
      const result = await send(
        { kind: 'query', sql: asJsonRows(sql), params: params.map(encodeParameter) },
        limitMs,
      );
      // The database's own JSON of the rows that the caller described.
      return JSON.parse(result.text ?? '[]') as Row[];
    },
    async text(sql, params = []) {
      return (await send({ kind: 'query', sql, params: params.map(encodeParameter) }, limitMs)).text;
    },
    async run(sql, params = []) {
      return (await send({ kind: 'query', sql, params: params.map(encodeParameter) }, limitMs)).affectedRows;
    },
    async script(sql) {
      await send({ kind: 'script', sql }, SCRIPT_TIMEOUT_MS);
    },
  };
}

/** Opens (and makes, if new) the PGlite database of a folder. */
export async function openPgliteDatabase({
  folder,
  image,
  logger,
  statementTimeoutMs,
}: PgliteOptions): Promise<Database> {
  if (folder !== null && !existsSync(join(folder, 'PG_VERSION'))) await createFolder(folder);
  let thread = await openPgliteThread(folder, image);
  let isClosed = false;
  const exclusively = createQueue();
  const insideTransaction = new AsyncLocalStorage<{ isOpen: boolean }>();
  const limitMs = statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;

  const reviveThread = async () => {
    if (thread.isAlive() || isClosed) return;
    logger.warn('the database thread had ended; opening the database again');
    thread = await openPgliteThread(folder, image);
  };
  const enter = <T>(work: () => Promise<T>): Promise<T> => {
    if (insideTransaction.getStore()?.isOpen === true) {
      // Waiting would wait for itself for ever.
      return Promise.reject(new Error('Inside a transaction use its own queryable, not the database'));
    }
    return exclusively(async () => {
      await reviveThread();
      return work();
    });
  };
  const sendNow = (call: PgliteCall, callLimitMs: number) => thread.call(call, callLimitMs);
  const inTransaction = createQueryable(sendNow, limitMs);

  return {
    kind: 'pglite',
    ...createQueryable((call, callLimitMs) => enter(() => sendNow(call, callLimitMs)), limitMs),
    transaction: (work) =>
      enter(async () => {
        const scope = { isOpen: true };
        await inTransaction.run('begin');
        try {
          const result = await insideTransaction.run(scope, () => work(inTransaction));
          await inTransaction.run('commit');
          return result;
        } catch (error) {
          // A thread that ended took its transaction along.
          if (thread.isAlive()) await inTransaction.run('rollback');
          throw error;
        } finally {
          scope.isOpen = false;
        }
      }),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await exclusively(() => thread.end());
    },
  };
}
