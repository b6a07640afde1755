/**
 * The main thread's end of one PGlite thread: sends statements, matches answers, ends a thread that outruns its
 * time limit. PGlite cannot interrupt a query (WebAssembly has no signals), so ending the thread is the only
 * statement timeout there is; the folder then recovers as after a crash.
 */
import { Worker } from 'node:worker_threads';
import { DatabaseError, databaseErrorFacts, timeoutFacts } from './database-error.ts';
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
  call(call: PgliteCall, limitMs: number): Promise<PgliteResult>;
  /** False once the thread has ended, for whatever reason. */
  isAlive(): boolean;
  /** Closes the database and ends the thread. */
  end(): Promise<void>;
}

const OPEN_LIMIT_MS = 120_000;
const CLOSE_LIMIT_MS = 10_000;
/** The thread's own heap holds little beside the database's; the default young space alone would cost 48 MB. */
const YOUNG_GENERATION_MB = 8;

interface Waiting {
  resolve: (result: PgliteResult) => void;
  reject: (error: DatabaseError) => void;
  timer: NodeJS.Timeout;
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

/** Opens the database of the folder (null: in memory, beginning with the image if one is named) in a thread of its own. */
export async function openPgliteThread(
  folder: string | null,
  image: string | null = null,
): Promise<PgliteThread> {
  const worker = startWorker({ folder, image });
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let isAlive = true;

  const failAll = (error: DatabaseError) => {
    isAlive = false;
    for (const entry of waiting.values()) {
      clearTimeout(entry.timer);
      entry.reject(error);
    }
    waiting.clear();
  };
  const outrun = (limitMs: number) => {
    failAll(new DatabaseError(timeoutFacts(limitMs)));
    void worker.terminate();
  };
  const wait = (id: number, limitMs: number) =>
    new Promise<PgliteResult>((resolve, reject) => {
      waiting.set(id, { resolve, reject, timer: setTimeout(() => outrun(limitMs), limitMs) });
    });

  worker.on('message', (answer: PgliteAnswer) => {
    const entry = waiting.get(answer.id);
    if (entry === undefined) return;
    waiting.delete(answer.id);
    clearTimeout(entry.timer);
    if (answer.ok) entry.resolve({ text: answer.text, affectedRows: answer.affectedRows });
    else entry.reject(new DatabaseError(answer.error));
  });
  worker.on('error', (error) => failAll(new DatabaseError(databaseErrorFacts(error), error)));
  worker.on('exit', () =>
    failAll(new DatabaseError(databaseErrorFacts(new Error('The database thread ended')))),
  );

  const call = (request: PgliteCall, limitMs: number): Promise<PgliteResult> => {
    if (!isAlive)
      return Promise.reject(new DatabaseError(databaseErrorFacts(new Error('The database is closed'))));
    const message: PgliteRequest = { id: nextId++, ...request };
    const answer = wait(message.id, limitMs);
    worker.postMessage(message);
    return answer;
  };

  await wait(0, OPEN_LIMIT_MS);
  return {
    call,
    isAlive: () => isAlive,
    async end() {
      if (!isAlive) return;
      try {
        await call({ kind: 'close' }, CLOSE_LIMIT_MS);
      } finally {
        isAlive = false;
        await worker.terminate();
      }
    },
  };
}
