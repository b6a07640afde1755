/**
 * Who has PGlite's single connection: one piece of work at a time, in the order of the calls. Requests of callers,
 * who may ask for anything, give it back while others wait: what ran for a while is cancelled, and goes on later
 * with what is left of its time.
 */
import { callerGone } from './caller-gate.ts';
import type { Caller } from './database.ts';
import { DatabaseError, QUERY_CANCELED, timeoutFacts } from './database-error.ts';
import type { PgliteCall, PgliteResult, PgliteThread } from './pglite-thread.ts';
import { CALLER_TIMEOUT_MS } from './sql-text.ts';

/** A request that others wait for runs this long at a time: what is due now (checks, readyz) waits no longer. */
const SLICE_MS = 500;

export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
  isAwaited(): boolean;
  /** Calls the listener when somebody begins to wait; the last one given counts. */
  onAwaited(listener: (() => void) | null): void;
}

/** The line for the connection, nobody in it. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let listener: (() => void) | null = null;
  return {
    take(work) {
      waiting += 1;
      const mine = last.then(() => {
        waiting -= 1;
        return work();
      });
      // The next in line waits for the end, not for the success, of this one.
      last = mine.catch(() => undefined);
      listener?.();
      return mine;
    },
    isAwaited: () => waiting > 0,
    onAwaited(called) {
      listener = called;
    },
  };
}

export type Send = (call: PgliteCall, limitMs: number) => Promise<PgliteResult>;

interface CallerTurn<T> {
  thread: PgliteThread;
  turns: Turns;
  caller: Caller;
  budgetMs: number;
  work: (send: Send) => Promise<T>;
}

type Outcome<T> = { kind: 'done'; value: T } | { kind: 'again'; spentMs: number };
type Stop = 'awaited' | 'spent' | 'gone';

/** Watches the turn's time and its caller; `stopped` says why it had to end. */
function watchTurn<T>({ thread, turns, caller: { signal }, budgetMs }: CallerTurn<T>) {
  let stopped: Stop | null = null;
  let isSliceOver = false;
  const stop = (why: Stop) => {
    stopped ??= why;
    thread.interrupt();
  };
  const yieldIfAwaited = () => {
    if (isSliceOver && turns.isAwaited()) stop('awaited');
  };
  const budget = setTimeout(() => stop('spent'), budgetMs);
  const slice = setTimeout(() => {
    isSliceOver = true;
    yieldIfAwaited();
  }, SLICE_MS);
  const giveUp = () => stop('gone');
  signal?.addEventListener('abort', giveUp, { once: true });
  turns.onAwaited(yieldIfAwaited);
  return {
    stopped: () => stopped,
    end() {
      clearTimeout(budget);
      clearTimeout(slice);
      signal?.removeEventListener('abort', giveUp);
      turns.onAwaited(null);
    },
  };
}

const isCancelled = (error: unknown) => error instanceof DatabaseError && error.sqlState === QUERY_CANCELED;

/** Has the connection: gives it to the work until that is done or has to yield. */
async function takeTurn<T>(turn: CallerTurn<T>): Promise<Outcome<T>> {
  if (turn.caller.signal?.aborted === true) throw callerGone();
  const startedAt = performance.now();
  const watch = watchTurn(turn);
  const send: Send = async (call, limitMs) => {
    if (watch.stopped() !== null) throw new DatabaseError(timeoutFacts(limitMs));
    return turn.thread.call(call, limitMs);
  };
  try {
    return { kind: 'done', value: await turn.work(send) };
  } catch (error) {
    const why = watch.stopped();
    if (why === null || !isCancelled(error)) throw error;
    if (why === 'gone') throw callerGone();
    if (why === 'spent') throw new DatabaseError(timeoutFacts(CALLER_TIMEOUT_MS), error);
    return { kind: 'again', spentMs: performance.now() - startedAt };
  } finally {
    watch.end();
  }
}

export interface CallerWork<T> extends Omit<CallerTurn<T>, 'thread' | 'budgetMs'> {
  /** Takes a turn, with the thread that is alive then. */
  enter: <Result>(work: (thread: PgliteThread) => Promise<Result>) => Promise<Result>;
}

/** Runs a caller's work in as many turns as it needs, until its time is spent. */
export async function runForCaller<T>({ enter, ...work }: CallerWork<T>): Promise<T> {
  let budgetMs = CALLER_TIMEOUT_MS;
  for (;;) {
    const turn = budgetMs;
    const outcome = await enter((thread) => takeTurn({ ...work, thread, budgetMs: turn }));
    if (outcome.kind === 'done') return outcome.value;
    budgetMs -= outcome.spentMs;
  }
}
