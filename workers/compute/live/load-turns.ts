/**
 * Whose rows are read first, where several collections are asked for at once: a page's own rows are few, and what
 * hangs on them is many times as much and shows later.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';

/** They let the others go first. */
const PATIENT: ReadonlySet<CollectionName> = new Set(['incident_records']);

/** One for all collections of the worker. */
export class LoadTurns {
  private reading = 0;
  private waiting: (() => void)[] = [];

  /** Reads when it is the collection's turn; a patient one lets others pass again wherever it calls `pause`. */
  async take<Read>(
    collection: CollectionName,
    { read, pause }: { read: (pause: () => Promise<void>) => Promise<Read>; pause: () => Promise<void> },
  ): Promise<Read> {
    if (PATIENT.has(collection)) {
      await this.othersDone();
      return await read(async () => {
        await pause();
        await this.othersDone();
      });
    }
    this.reading += 1;
    try {
      return await read(pause);
    } finally {
      this.reading -= 1;
      if (this.reading === 0) for (const go of this.waiting.splice(0)) go();
    }
  }

  private async othersDone(): Promise<void> {
    while (this.reading > 0)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
  }
}
