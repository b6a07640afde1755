/**
 * Asks over a line that fell silent until anything answers. A half-open line (a phone that changed its network, a
 * firewall that forgot) swallows what is sent without an error, and requests on it hang for half a minute: short
 * questions of their own notice within seconds that there is a way again. It knows neither store nor status.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { HttpClient } from './http-client.ts';
import type { SyncPlatform } from '../platform.ts';

const PATH = '/api/healthz';
const TIMEOUT_MS = 2000;
/** Between half of this and all of it, so that many devices don't ask at once. */
const GAP_MS = 1500;
const FIRST_SERVER_ERROR = 500;

export interface LineProbeParts {
  platform: Pick<SyncPlatform, 'later' | 'random'>;
  http: HttpClient;
  /** While the device itself says that it has no network nobody asks. */
  isDeviceOnline: () => boolean;
  /** The line was silent, and now it isn't. */
  onAnswer: () => void;
}

/** Any answer of the server is one, also a refusal; a proxy's 502 says that it found no server. */
async function isAnswered(http: HttpClient, signal: AbortSignal): Promise<boolean> {
  try {
    await http.send({ path: PATH, timeoutMs: TIMEOUT_MS, signal });
    return true;
  } catch (error) {
    return error instanceof AppError && error.status !== null && error.status < FIRST_SERVER_ERROR;
  }
}

/** One probe at a time; `end` when the server was heard on another way. */
export class LineProbe {
  private readonly parts: LineProbeParts;
  private running: AbortController | null = null;

  constructor(parts: LineProbeParts) {
    this.parts = parts;
  }

  /** The line is silent; nothing happens when that is known. */
  begin(signal: AbortSignal): void {
    if (this.running !== null || signal.aborted) return;
    this.running = new AbortController();
    void this.run(AbortSignal.any([signal, this.running.signal]));
  }

  /** The server was heard on another way. */
  end(): void {
    this.running?.abort();
    this.running = null;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { http, isDeviceOnline, onAnswer } = this.parts;
    let wasSilent = false;
    while (!signal.aborted) {
      const isAnswering = isDeviceOnline() && (await isAnswered(http, signal));
      if (signal.aborted) return;
      if (isAnswering) {
        this.end();
        // A line that answers the first question was never silent: what fell silent on it has its own trouble.
        if (wasSilent) onAnswer();
        return;
      }
      wasSilent = true;
      await this.gap(signal);
    }
  }

  private gap(signal: AbortSignal): Promise<void> {
    const { platform } = this.parts;
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = platform.later(GAP_MS * (1 + platform.random()) * 0.5, done);
      signal.addEventListener('abort', done);
    });
  }
}
