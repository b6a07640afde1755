/**
 * The main thread's end of the expression thread. One script runs at a time; one that outruns its time ends the
 * thread, fails alone, and those that waited behind it run in a new thread. The thread starts with the first
 * script and ends with `close`.
 */
import { Worker } from 'node:worker_threads';
import type { ScriptAnswer, ScriptRequest, ScriptScope, ScriptSource, ScriptValue } from './script.ts';

export interface Expressions {
  /** Rejects with an Error whose message is the one-line reason. */
  evaluate(script: ScriptSource, scope: ScriptScope): Promise<ScriptValue>;
  close(): Promise<void>;
}

/** One script's share of time; far above what any of the product's scripts needs. */
const SCRIPT_LIMIT_MS = 1000;
const START_LIMIT_MS = 30_000;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128 };

interface Waiting {
  request: ScriptRequest;
  resolve: (value: ScriptValue) => void;
  reject: (error: Error) => void;
}

function startWorker(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './expressions-from-source.mjs' : './expressions.worker.js';
  return new Worker(new URL(file, import.meta.url), { execArgv: [], resourceLimits: THREAD_LIMITS });
}

class ExpressionThread implements Expressions {
  readonly #limitMs: number;
  readonly #queue: Waiting[] = [];
  #worker: Worker | null = null;
  #isReady = false;
  #current: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  evaluate(script: ScriptSource, scope: ScriptScope): Promise<ScriptValue> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request: { id: this.#nextId++, script, scope }, resolve, reject });
      this.#runNext();
    });
  }

  async close(): Promise<void> {
    const ending = this.#worker;
    this.#failAll('the server is stopping');
    await ending?.terminate();
  }

  #start(): void {
    const started = startWorker();
    this.#worker = started;
    this.#timer = setTimeout(() => this.#failAll('the expression thread did not start'), START_LIMIT_MS);
    started.on('message', (message: ScriptAnswer | 'ready') => {
      if (started === this.#worker) this.#receive(message);
    });
    const handleEnd = () => {
      if (started === this.#worker) this.#ended();
    };
    started.on('error', handleEnd);
    started.on('exit', handleEnd);
  }

  #receive(message: ScriptAnswer | 'ready'): void {
    clearTimeout(this.#timer);
    if (message === 'ready') this.#isReady = true;
    else if (this.#current?.request.id === message.id) {
      const settled = this.#current;
      this.#current = null;
      if (message.ok) settled.resolve(message.value);
      else settled.reject(new Error(message.error));
    }
    this.#runNext();
  }

  /** A thread that ends before it is ready would end again; one that a script broke is replaced. */
  #ended(): void {
    if (!this.#isReady) {
      this.#failAll('the expression thread did not start');
      return;
    }
    this.#endThread('the script used too much memory');
    this.#runNext();
  }

  #endThread(reason: string): void {
    clearTimeout(this.#timer);
    const ended = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#current?.reject(new Error(reason));
    this.#current = null;
    void ended?.terminate();
  }

  #failAll(reason: string): void {
    this.#endThread(reason);
    for (const waiting of this.#queue.splice(0)) waiting.reject(new Error(reason));
  }

  #runNext(): void {
    if (this.#current !== null || this.#queue.length === 0) return;
    if (this.#worker === null) this.#start();
    const next = this.#isReady ? this.#queue.shift() : undefined;
    if (next === undefined) return;
    this.#current = next;
    this.#worker?.postMessage(next.request);
    this.#timer = setTimeout(() => {
      this.#endThread(`the script ran longer than ${this.#limitMs} ms`);
      this.#runNext();
    }, this.#limitMs);
  }
}

/** The thread is not started before the first script. */
export function createExpressions(limitMs: number = SCRIPT_LIMIT_MS): Expressions {
  return new ExpressionThread(limitMs);
}
