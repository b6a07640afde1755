/** Canaries that couldn't be loaded, for the pages that show them. */
import type { FailedCanary } from '../../../src/contract/worker.ts';
import type { Stop } from '../api.ts';

/** What canaries are kept in is a fifth of this worker's code, and beside the first screen's rows it would delay them. */
const FIRST_LOOK_MS = 3000;

export interface FailedCanariesParts {
  /** Of whoever is signed in; none when nobody is. */
  load: () => Promise<FailedCanary[]>;
  report: (error: unknown) => void;
  later: (delayMs: number, run: () => void) => void;
  /** While the first rows are still on their way, also over a slow line. */
  isFirstLoad: () => boolean;
}

/** One for the worker; asks while a page listens. */
export class FailedCanaries {
  private readonly parts: FailedCanariesParts;
  private readonly listeners = new Set<(canaries: FailedCanary[]) => void>();
  private hasLooked = false;

  constructor(parts: FailedCanariesParts) {
    this.parts = parts;
  }

  async subscribe(listener: (canaries: FailedCanary[]) => void): Promise<Stop> {
    this.listeners.add(listener);
    if (this.hasLooked) listener(await this.parts.load());
    return () => this.listeners.delete(listener);
  }

  /** Somebody else is here: looks once the first screen is painted. */
  tellSoon(): void {
    this.parts.later(FIRST_LOOK_MS, () => (this.parts.isFirstLoad() ? this.tellSoon() : this.tell()));
  }

  /** They may have changed. */
  tell(): void {
    this.hasLooked = true;
    this.parts.load().then(
      (canaries) => {
        for (const listener of this.listeners) listener(canaries);
      },
      (error: unknown) => this.parts.report(error),
    );
  }
}
