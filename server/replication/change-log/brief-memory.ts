/** What was read a moment ago, for those who ask the same then: after a restored database all devices begin anew at once. */

const KEEP_MS = 2000;

interface Known<Value> {
  value: Promise<Value>;
  atMs: number;
}

/** One for a thing that is read whole. Whoever asks while it is read waits for the same; a failure is not remembered. */
export class BriefMemory<Value> {
  private readonly now: () => number;
  private known: Known<Value> | null = null;

  constructor(now: () => number) {
    this.now = now;
  }

  get(read: () => Promise<Value>): Promise<Value> {
    const nowMs = this.now();
    if (this.known !== null && Math.abs(nowMs - this.known.atMs) < KEEP_MS) return this.known.value;
    const known = { value: read(), atMs: nowMs };
    this.known = known;
    const forget = () => {
      if (this.known === known) this.known = null;
    };
    // It may be large, and nobody may ask again.
    known.value.then(() => setTimeout(forget, KEEP_MS).unref(), forget);
    return known.value;
  }
}
