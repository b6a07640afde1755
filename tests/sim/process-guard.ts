/**
 * The life of one simulated worker: running, frozen by the browser, or dead. Everything that the outside does to
 * the worker passes here. Invariants: a dead worker hears of nothing any more; a frozen one hears of everything
 * at once when it thaws, in order, as a tab that the browser wakes.
 */
export class ProcessGuard {
  private state: 'running' | 'frozen' | 'dead' = 'running';
  /** Once is enough for what was under way to be out of date. */
  wasFrozen = false;
  private readonly missed: (() => void)[] = [];
  private readonly onDeath = new Set<() => void>();

  get isDead(): boolean {
    return this.state === 'dead';
  }

  get isFrozen(): boolean {
    return this.state === 'frozen';
  }

  /** Calls into the worker, now, when it thaws, or never. */
  enter(call: () => void): void {
    if (this.state === 'running') call();
    else if (this.state === 'frozen') this.missed.push(call);
  }

  /** What the outside answers, as the worker gets it; a dead one waits for ever. */
  pass<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => this.enter(() => resolve(value)),
        (error: unknown) =>
          this.enter(() => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
  }

  /** What is to be torn down from outside when the worker dies. */
  atDeath(end: () => void): () => void {
    this.onDeath.add(end);
    return () => this.onDeath.delete(end);
  }

  freeze(): void {
    if (this.state !== 'running') return;
    this.state = 'frozen';
    this.wasFrozen = true;
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    for (const call of this.missed.splice(0)) this.enter(call);
  }

  die(): void {
    if (this.state === 'dead') return;
    this.state = 'dead';
    this.missed.length = 0;
    for (const end of this.onDeath) end();
    this.onDeath.clear();
  }
}
