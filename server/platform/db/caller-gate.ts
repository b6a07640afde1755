/**
 * How many statements of requests run at once: of one caller at most two, of all together as many as the database
 * has places for them. Who waits is let in by turns of callers, so that the one with many requests doesn't hold up
 * the one with one; whose request was closed leaves the queue. Knows nothing of databases.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { Caller } from './database.ts';

export interface CallerGate {
  /** Resolves, when it is the caller's turn, to what gives the place back. */
  enter(caller: Caller): Promise<() => void>;
}

export interface CallerGateOptions {
  /** Of all callers together. */
  places: number;
  placesEach: number;
  /** Of one caller; the next is refused. */
  waitingEach: number;
}

interface Waiting {
  start: () => void;
}

interface Line {
  running: number;
  waiting: Waiting[];
}

const TOO_MANY = 'Too many requests at once. Please wait a moment.';

/** What an aborted signal makes of the work. */
export function callerGone(): AppError {
  return new AppError('cancelled', 'The request was closed before it was answered');
}

/** A gate that is open. */
export function createCallerGate({ places, placesEach, waitingEach }: CallerGateOptions): CallerGate {
  // In the order in which callers are served; whoever was let in goes to the end.
  const lines = new Map<string, Line>();
  let running = 0;

  const letIn = () => {
    for (const [id, line] of lines) {
      if (running >= places) return;
      if (line.running >= placesEach) continue;
      const next = line.waiting.shift();
      if (next === undefined) continue;
      running += 1;
      line.running += 1;
      lines.delete(id);
      lines.set(id, line);
      next.start();
    }
  };
  const leave = (id: string, line: Line) => {
    running -= 1;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) lines.delete(id);
    letIn();
  };

  return {
    enter({ id, signal }) {
      if (signal?.aborted === true) return Promise.reject(callerGone());
      const line = lines.get(id) ?? { running: 0, waiting: [] };
      if (line.waiting.length >= waitingEach) return Promise.reject(new AppError('rate_limited', TOO_MANY));
      lines.set(id, line);
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          line.waiting.splice(line.waiting.indexOf(entry), 1);
          if (line.running === 0 && line.waiting.length === 0) lines.delete(id);
          reject(callerGone());
        };
        const entry: Waiting = {
          start() {
            signal?.removeEventListener('abort', giveUp);
            let isLeft = false;
            resolve(() => {
              if (isLeft) return;
              isLeft = true;
              leave(id, line);
            });
          },
        };
        line.waiting.push(entry);
        signal?.addEventListener('abort', giveUp, { once: true });
        letIn();
      });
    },
  };
}
