/** Canaries that couldn't be loaded, for the pages that show them. */
import type { FailedCanary } from '../../../src/contract/worker.ts';
import type { Stop } from '../api.ts';

export interface FailedCanariesParts {
  /** Of whoever is signed in; none when nobody is. */
  load: () => Promise<FailedCanary[]>;
  report: (error: unknown) => void;
}

/** One for the worker; asks while a page listens. */
export class FailedCanaries {
  private readonly parts: FailedCanariesParts;
  private readonly listeners = new Set<(canaries: FailedCanary[]) => void>();

  constructor(parts: FailedCanariesParts) {
    this.parts = parts;
  }

  async subscribe(listener: (canaries: FailedCanary[]) => void): Promise<Stop> {
    this.listeners.add(listener);
    listener(await this.parts.load());
    return () => this.listeners.delete(listener);
  }

  /** They may have changed. */
  tell(): void {
    this.parts.load().then(
      (canaries) => {
        for (const listener of this.listeners) listener(canaries);
      },
      (error: unknown) => this.parts.report(error),
    );
  }
}
