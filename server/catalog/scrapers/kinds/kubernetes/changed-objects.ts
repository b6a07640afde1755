/**
 * What changed in a cluster and is not stored yet: of each object only the last word. Bounded: whoever brings more waits
 * for room, so that a slow database makes the cluster wait and not this process grow.
 */
import { objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';

export interface ChangedObject {
  key: string;
  object: Json;
  isGone: boolean;
  /** ms since 1970. */
  atMs: number;
}

const MAX_OBJECTS = 2000;
const MAX_BYTES = 32 * 1024 * 1024;

interface Waiting extends ChangedObject {
  bytes: number;
}

/** Objects without a uid go by what they are called. */
function keyOf(object: Json): string {
  const { uid, namespace, name } = objectAt(object, 'metadata');
  return textOf(uid) || `${textOf(object['kind'])}/${textOf(namespace)}/${textOf(name)}`;
}

/** See the head of this file. */
export class ChangedObjects {
  private readonly waiting = new Map<string, Waiting>();
  private readonly listeners = new Set<() => void>();
  private bytes = 0;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  get size(): number {
    return this.waiting.size;
  }

  get isFull(): boolean {
    return this.waiting.size >= MAX_OBJECTS || this.bytes >= MAX_BYTES;
  }

  /** The newest word on it; `bytes` is how long it was on the wire. */
  put(object: Json, { isGone, bytes }: { isGone: boolean; bytes: number }): void {
    const key = keyOf(object);
    this.remove(key);
    this.waiting.set(key, { key, object, isGone, bytes, atMs: this.now() });
    this.bytes += bytes;
    this.tell();
  }

  /** Those that came first, and before a time; what is taken is for the caller to store. */
  take(limit: number, beforeMs = Number.POSITIVE_INFINITY): ChangedObject[] {
    const taken: ChangedObject[] = [];
    for (const entry of this.waiting.values()) {
      if (taken.length >= limit || entry.atMs > beforeMs) break;
      taken.push(entry);
    }
    for (const { key } of taken) this.remove(key);
    this.tell();
    return taken;
  }

  /** What could not be stored now; a newer word on an object stays. */
  putBack(objects: readonly ChangedObject[]): void {
    const newer = [...this.waiting.values()];
    this.waiting.clear();
    this.bytes = 0;
    for (const entry of [...objects.map((one) => ({ bytes: 0, ...one })), ...newer]) {
      this.remove(entry.key);
      this.waiting.set(entry.key, entry);
      this.bytes += entry.bytes;
    }
  }

  /** Until something is put or taken, or the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.listeners.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.listeners.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Until there is room. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.isFull && !signal.aborted) await this.changed(signal);
  }

  private remove(key: string): void {
    const known = this.waiting.get(key);
    if (known === undefined) return;
    this.waiting.delete(key);
    this.bytes -= known.bytes;
  }

  private tell(): void {
    // A copy: a listener may leave while it is told.
    Array.from(this.listeners, (listener) => listener());
  }
}
