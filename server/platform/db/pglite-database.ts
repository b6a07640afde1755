/**
 * The database port on PGlite. Owns the thread, restarts it when it had to be ended, and lets one transaction
 * or statement at a time onto the single connection (pglite-turns.ts). Does not lock the folder: open-database does.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createCallerGate } from './caller-gate.ts';
import type { Caller, Database, Queryable, Transactions } from './database.ts';
import { isThere } from './embedded/is-there.ts';
import { openPgliteThread } from './pglite-thread.ts';
import type { PgliteThread } from './pglite-thread.ts';
import { createTurns, runForCaller } from './pglite-turns.ts';
import type { Send } from './pglite-turns.ts';
import { createRowReader } from './row-schema.ts';
import { CALLER_QUEUE, SCRIPT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, encodeParameter } from './sql-text.ts';

export interface PgliteOptions {
  /** Null keeps the database in memory (tests). */
  folder: string | null;
  /** What a database in memory begins with, instead of making its files for seconds (tests). */
  image?: string;
  logger: Logger;
  statementTimeoutMs?: number;
}

/** PGlite leaves its files readable by all; their folder keeps others out. */
const PRIVATE_FOLDER = 0o700;

/**
 * Makes the database files in a folder aside and moves them into place when whole: a start that was killed in
 * the middle leaves nothing half-made. The thread that did it is ended, because it keeps 840 MB.
 */
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: PRIVATE_FOLDER });
  const maker = await openPgliteThread({ folder: unfinished });
  await maker.end();
  await rename(unfinished, folder);
}

function createQueryable(send: Send, limitMs: number): Queryable {
  return {
    rows: createRowReader(async (sql, params) => {
      const call = { kind: 'query', sql, params: params.map(encodeParameter) } as const;
      return (await send(call, limitMs)).text;
    }),
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

interface Transaction {
  thread: PgliteThread;
  limitMs: number;
  /** How the work's own statements are sent. */
  send: Send;
}

/** Transactions of one database, and the guard against using the database itself inside of them. */
function createTransactions() {
  const inside = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    assertOutside: () => {
      if (inside.getStore()?.isOpen !== true) return;
      // Waiting would wait for itself for ever.
      throw new Error('Inside a transaction use its own queryable, not the database');
    },
    transact: async <T>(
      { thread, limitMs, send }: Transaction,
      work: (tx: Queryable) => Promise<T>,
    ): Promise<T> => {
      const control = createQueryable((call, callLimitMs) => thread.call(call, callLimitMs), limitMs);
      const scope = { isOpen: true };
      await control.run('begin');
      try {
        const result = await inside.run(scope, () => work(createQueryable(send, limitMs)));
        await control.run('commit');
        return result;
      } catch (error) {
        // A thread that ended took its transaction along.
        if (thread.isAlive()) await control.run('rollback');
        throw error;
      } finally {
        scope.isOpen = false;
      }
    },
  };
}

/** One at a time: callers wait here, by turns, and not in front of the server's own work. */
const CALLER_GATE = { places: 1, placesEach: 1, waitingEach: CALLER_QUEUE };

/** Opens (and makes, if new) the PGlite database of a folder. */
export async function openPgliteDatabase(options: PgliteOptions): Promise<Database> {
  const { folder, image, logger, statementTimeoutMs: limitMs = STATEMENT_TIMEOUT_MS } = options;
  if (folder !== null && !isThere(join(folder, 'PG_VERSION'))) await createFolder(folder);
  let thread = await openPgliteThread({ folder, image });
  let isClosed = false;
  const turns = createTurns();
  const gate = createCallerGate(CALLER_GATE);
  const { transact, assertOutside } = createTransactions();

  const reviveThread = async () => {
    if (thread.isAlive() || isClosed) return;
    logger.warn('the database thread had ended; opening the database again');
    thread = await openPgliteThread({ folder, image });
  };
  const enter = async <T>(work: (alive: PgliteThread) => Promise<T>): Promise<T> => {
    assertOutside();
    return turns.take(async () => {
      await reviveThread();
      return work(thread);
    });
  };
  const forCaller = async <T>(caller: Caller, work: (send: Send) => Promise<T>): Promise<T> => {
    assertOutside();
    const leave = await gate.enter(caller);
    try {
      return await runForCaller({ enter, turns, caller, work });
    } finally {
      leave();
    }
  };
  const asCaller = (caller: Caller): Transactions => ({
    kind: 'pglite',
    ...createQueryable((call, callLimitMs) => forCaller(caller, (send) => send(call, callLimitMs)), limitMs),
    transaction: (work) => forCaller(caller, (send) => transact({ thread, limitMs, send }, work)),
  });

  return {
    kind: 'pglite',
    ...createQueryable((call, callLimitMs) => enter((alive) => alive.call(call, callLimitMs)), limitMs),
    transaction: (work) =>
      enter((alive) => {
        const send: Send = (call, callLimitMs) => alive.call(call, callLimitMs);
        return transact({ thread: alive, limitMs, send }, work);
      }),
    asCaller,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await turns.take(() => thread.end());
    },
  };
}
