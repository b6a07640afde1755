/** One worker as the page calls it, started again and asked the same again where its file could not be loaded. */
import { wrap } from 'comlink';
import { retryWaitMs } from '../../lib/retry-wait.ts';
import { LaterPort } from './later-port.ts';
import type { StartedWorker } from './platform.ts';

interface ConnectionParts {
  start(): StartedWorker;
  /** Calls once, after `delayMs`. */
  later(delayMs: number, run: () => void): void;
  onNotLoaded(): void;
}

/** What is asked of one start of the worker. */
interface Attempt<Api> {
  api: Api;
  port: LaterPort;
  /** Resolves when the worker's file could not be loaded; then there is another attempt. */
  notLoaded: Promise<void>;
}

/** Nothing is started before `start` is called. */
export class WorkerConnection<Api> {
  private readonly parts: ConnectionParts;
  private attempt: Attempt<Api>;
  private giveUp: () => void = () => {};
  private failures = 0;
  /** A worker that answered once has its file. */
  private hasAnswered = false;

  constructor(parts: ConnectionParts) {
    this.parts = parts;
    this.attempt = this.prepare();
  }

  /** Starts the worker unless it was: at first, or now instead of when it would be tried again. */
  start(): void {
    const { port } = this.attempt;
    if (port.isConnected) return;
    const started = this.parts.start();
    started.onNotLoaded(() => this.fail(port));
    port.connect(started.port);
  }

  /** Starts the worker where that failed before and is waited with. */
  retry(): void {
    if (this.failures > 0) this.start();
  }

  /** Asks the worker; its answer. What was sent to one whose file did not come is asked of the next. */
  async call<Answer>(ask: (api: Api) => Promise<Answer>): Promise<Answer> {
    while (!this.hasAnswered) {
      const { api, notLoaded } = this.attempt;
      const answered = ask(api).finally(() => {
        this.hasAnswered = true;
      });
      const first = await Promise.race([answered.then((answer) => ({ answer })), notLoaded]);
      if (first !== undefined) return first.answer;
    }
    return ask(this.attempt.api);
  }

  private prepare(): Attempt<Api> {
    const port = new LaterPort();
    const notLoaded = new Promise<void>((resolve) => {
      this.giveUp = resolve;
    });
    // Every function of the workers answers with a promise already; Comlink's own type for that drops type parameters.
    return { api: wrap(port) as unknown as Api, port, notLoaded };
  }

  private fail(port: LaterPort): void {
    if (this.hasAnswered || port !== this.attempt.port) return;
    const { giveUp } = this;
    this.attempt = this.prepare();
    const waitMs = retryWaitMs(this.failures);
    this.failures += 1;
    const next = this.attempt.port;
    this.parts.later(waitMs, () => {
      if (next === this.attempt.port) this.start();
    });
    this.parts.onNotLoaded();
    giveUp();
  }
}
