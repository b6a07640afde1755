/**
 * Looks things up for many who ask at the same time with one statement. Whoever asks while all turns are taken is part of
 * the next, which is begun after everybody in it had asked: so nobody gets an answer older than his question. Knows
 * nothing of what is looked up.
 */
/** One statement for all keys; a key that is not in the answer is not known. */
type LookUp<Found> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

interface Waiting<Found> {
  key: string;
  resolve: (found: Found | null) => void;
  reject: (error: unknown) => void;
}

/** One that hangs holds up nobody else. */
const TURNS = 3;

/** In memory of this process; remembers no answer. */
export class BatchedLookup<Found> {
  private readonly lookUp: LookUp<Found>;
  private waiting: Waiting<Found>[] = [];
  private running = 0;

  constructor(lookUp: LookUp<Found>) {
    this.lookUp = lookUp;
  }

  /** Null for what is not known. A failure is told to all whose question it was. */
  find(key: string): Promise<Found | null> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      this.begin();
    });
  }

  private begin(): void {
    if (this.running === TURNS || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0);
    this.running += 1;
    void this.answer(batch).finally(() => {
      this.running -= 1;
      this.begin();
    });
  }

  private async answer(batch: readonly Waiting<Found>[]): Promise<void> {
    try {
      const found = await this.lookUp([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
