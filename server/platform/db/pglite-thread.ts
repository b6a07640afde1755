/**
 * The main thread's end of one PGlite thread: sends statements, matches answers, cancels what outruns its time
 * limit. A thread that can't be interrupted (pglite-interrupt.ts), or doesn't stop, is ended; the folder then
 * recovers as after a crash.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DatabaseError, QUERY_CANCELED, databaseErrorFacts, timeoutFacts } from './database-error.ts';
import { createInterrupter } from './pglite-interrupt.ts';
import type { PgliteAnswer, PgliteRequest, PgliteThreadData } from './pglite-protocol.ts';

export interface PgliteResult {
  text: string | null;
  affectedRows: number;
}

/** A request before it has its id. */
export type PgliteCall =
  | { kind: 'query'; sql: string; params: (string | null)[] }
  | { kind: 'script'; sql: string }
  | { kind: 'close' };

export interface PgliteThread {
  /** One at a time: the next call is made when this one was answered. */
  call(call: PgliteCall, limitMs: number): Promise<PgliteResult>;
  /** Cancels the call that is being answered, if there is one; the thread is ended when it doesn't stop. */
  interrupt(): void;
  /** False once the thread has ended, for whatever reason. */
  isAlive(): boolean;
  /** Closes the database and ends the thread. */
  end(): Promise<void>;
}

const OPEN_LIMIT_MS = 120_000;
const CLOSE_LIMIT_MS = 10_000;
/** A statement looks every few milliseconds whether it was cancelled; one that doesn't never will. */
const STOP_LIMIT_MS = 3000;
/** The thread's own heap holds little beside the database's; the default young space alone would cost 48 MB. */
const YOUNG_GENERATION_MB = 8;

interface Waiting {
  resolve: (result: PgliteResult) => void;
  reject: (error: DatabaseError) => void;
  timer: NodeJS.Timeout;
  limitMs: number;
  /** Set once it is to stop. */
  isCancelled: boolean;
}

/** The bundled server has the thread's code beside it; from sources it starts through tsx. */
function startWorker(data: PgliteThreadData): Worker {
  const file = import.meta.url.endsWith('.ts') ? './pglite-from-source.mjs' : './pglite.worker.js';
  return new Worker(new URL(file, import.meta.url), {
    workerData: data,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
}

interface OpenOptions {
  /** Null: in memory. */
  folder: string | null;
  /** What a database in memory begins with. */
  image?: string | undefined;
}

/** The calls that a thread has yet to answer, and its end where it doesn't. */
function createCalls(worker: Worker) {
  const waiting = new Map<number, Waiting>();
  let interrupter: ReturnType<typeof createInterrupter> | null = null;
  let isAlive = true;

  const end = () => {
    isAlive = false;
    // It holds the database's memory, which whoever still knows this thread would keep.
    interrupter = null;
  };
  const failAll = (error: DatabaseError) => {
    end();
    for (const entry of waiting.values()) {
      clearTimeout(entry.timer);
      entry.reject(error);
    }
    waiting.clear();
  };
  const endThread = (limitMs: number) => {
    failAll(new DatabaseError(timeoutFacts(limitMs)));
    void worker.terminate();
  };
  const cancel = (entry: Waiting) => {
    if (entry.isCancelled) return;
    entry.isCancelled = true;
    clearTimeout(entry.timer);
    if (interrupter === null) return endThread(entry.limitMs);
    entry.timer = setTimeout(() => endThread(entry.limitMs), STOP_LIMIT_MS);
    interrupter.cancel();
  };
  return {
    isAlive: () => isAlive,
    end,
    failAll,
    cancelAll: () => waiting.forEach(cancel),
    wait: (id: number, limitMs: number) =>
      new Promise<PgliteResult>((resolve, reject) => {
        const timer = setTimeout(() => cancel(entry), limitMs);
        const entry: Waiting = { resolve, reject, timer, limitMs, isCancelled: false };
        waiting.set(id, entry);
      }),
    settle: (answer: PgliteAnswer) => {
      const entry = waiting.get(answer.id);
      if (entry === undefined) return;
      waiting.delete(answer.id);
      clearTimeout(entry.timer);
      interrupter?.clear();
      if (answer.ok) {
        if ('flags' in answer && answer.flags !== null) interrupter = createInterrupter(answer.flags);
        entry.resolve({ text: answer.text, affectedRows: answer.affectedRows });
        return;
      }
      const isStopped = entry.isCancelled && answer.error.sqlState === QUERY_CANCELED;
      entry.reject(new DatabaseError(isStopped ? timeoutFacts(entry.limitMs) : answer.error));
    },
  };
}

/** Opens the database of the folder, or one in memory, in a thread of its own. */
export async function openPgliteThread({ folder, image }: OpenOptions): Promise<PgliteThread> {
  const isMade = image !== undefined || (folder !== null && existsSync(join(folder, 'PG_VERSION')));
  const worker = startWorker({ folder, image: image ?? null, isInterruptible: isMade });
  const calls = createCalls(worker);
  let nextId = 1;
  worker.on('message', (answer: PgliteAnswer) => calls.settle(answer));
  worker.on('error', (error) => calls.failAll(new DatabaseError(databaseErrorFacts(error), error)));
  worker.on('exit', () =>
    calls.failAll(new DatabaseError(databaseErrorFacts(new Error('The database thread ended')))),
  );

  const call = (request: PgliteCall, limitMs: number): Promise<PgliteResult> => {
    if (!calls.isAlive())
      return Promise.reject(new DatabaseError(databaseErrorFacts(new Error('The database is closed'))));
    const message: PgliteRequest = { id: nextId++, ...request };
    const answer = calls.wait(message.id, limitMs);
    worker.postMessage(message);
    return answer;
  };

  await calls.wait(0, OPEN_LIMIT_MS);
  return {
    call,
    interrupt: () => calls.cancelAll(),
    isAlive: () => calls.isAlive(),
    async end() {
      if (!calls.isAlive()) return;
      try {
        await call({ kind: 'close' }, CLOSE_LIMIT_MS);
      } finally {
        calls.end();
        await worker.terminate();
      }
    },
  };
}
