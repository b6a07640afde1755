/**
 * Keeps a store in step through the server's change log (design §4 laws 2, 3, 10). One cursor serves all
 * collections. Invariants:
 * - The cursor moves only after everything that it covers is durable (a crash may bring rows twice, skip none).
 * - A collection becomes visible whole: snapshot pages are staged, brought up to the log, then swapped in.
 * - What the reader may no longer see goes at once; what it may see anew is loaded like the first time.
 */
import { COLLECTIONS, type CollectionName } from '../../../src/contract/collections.ts';
import { isAtOrAfter, type Change, type ChangesAnswer, type Cursor } from '../../../src/contract/sync.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { Dialect, PushedChanges } from '../pull/dialect.ts';
import type { ReplicaCollection } from './replica-collection.ts';
import type { LogWire } from './log-wire.ts';
import type { SnapshotLoader } from './snapshot-loader.ts';
import { groupBy } from '../../../src/lib/group-by.ts';

const CURSOR = 'log:cursor';
/** The position at which a load began: changes from there make it whole. */
const LOADING = 'log:loading';
const READABLE = 'log:readable';

export interface LogDialectParts {
  wire: LogWire;
  meta: KeyValue;
  kept: Readonly<Record<CollectionName, ReplicaCollection>>;
  loader: SnapshotLoader;
  /** All collections, in the order of a first load. */
  order: Iterable<CollectionName>;
  /** Everything up to here is durable and announced. */
  onCursor: (cursor: Cursor) => Promise<void>;
}

function isNames(value: unknown): value is CollectionName[] {
  return Array.isArray(value) && value.every((name) => COLLECTIONS.includes(name as CollectionName));
}

/** A page on its way. */
interface AskedPage {
  cursor: Cursor;
  answer: Promise<ChangesAnswer>;
}

/** One for a store. */
export class LogDialect implements Dialect {
  private readonly parts: LogDialectParts;

  constructor(parts: LogDialectParts) {
    this.parts = parts;
  }

  async isWhole(): Promise<boolean> {
    return (await this.cursor()) !== null;
  }

  async cursor(): Promise<Cursor | null> {
    const value = await this.parts.meta.get(CURSOR);
    return typeof value === 'string' ? value : null;
  }

  async firstLoad(signal: AbortSignal, onProgress: (done: number | null) => void): Promise<void> {
    const { meta, loader, order } = this.parts;
    const { start, readable } = await this.loadStart(signal);
    // The log moved on too far while this device was away with half a load.
    if (readable === null) return this.startOver(signal);
    await meta.set(READABLE, readable);
    await loader.askSmall(signal);
    let done = 0;
    for (const collection of order) {
      onProgress(done / COLLECTIONS.length);
      done += 1;
      if (!readable.includes(collection)) await this.drop(collection);
      else await loader.load(collection, start, signal);
    }
    signal.throwIfAborted();
    await meta.set(CURSOR, start);
    await meta.delete(LOADING);
    await loader.finish();
  }

  async pull(signal: AbortSignal): Promise<string[]> {
    const changed: string[] = [];
    let ahead: AskedPage | null = null;
    for (;;) {
      const cursor = await this.cursor();
      if (cursor === null) return changed;
      const answer: ChangesAnswer = await this.pageAfter(cursor, ahead, signal);
      if (answer.kind === 'start-over') {
        await this.startOver(signal);
        return changed;
      }
      const loaded = await this.follow(answer, signal);
      ahead = answer.is_caught_up ? null : this.askAhead(answer.cursor, signal);
      // What was loaded just now is newer than this page.
      const rest = answer.changes.filter(({ collection }) => !loaded.has(collection));
      changed.push(...(await this.apply(rest, signal)));
      await this.moveTo(answer.cursor, signal);
      if (answer.is_caught_up) return changed;
    }
  }

  private pageAfter(cursor: Cursor, ahead: AskedPage | null, signal: AbortSignal): Promise<ChangesAnswer> {
    return ahead?.cursor === cursor ? ahead.answer : this.parts.wire.changes({ cursor }, signal);
  }

  /** Asks for the page that is wanted once the present one is durable; it fails where it is waited for. */
  private askAhead(cursor: Cursor, signal: AbortSignal): AskedPage {
    const answer = this.parts.wire.changes({ cursor }, signal);
    answer.catch(() => {});
    return { cursor, answer };
  }

  async push(pushed: readonly PushedChanges[], signal: AbortSignal): Promise<string[]> {
    const changed: string[] = [];
    for (const { previous, cursor, changes } of pushed) {
      const here = await this.cursor();
      // Without changes it is a reason to ask, also from where this store stands: what may be read has changed.
      if (changes !== null && here === cursor) continue;
      if (changes === null || here !== previous) return [...changed, ...(await this.pull(signal))];
      changed.push(...(await this.apply(changes, signal)));
      await this.moveTo(cursor, signal);
    }
    return changed;
  }

  /** Forgets what it knows of the rows, because another worker may have written them. */
  reload(): void {
    for (const one of Object.values(this.parts.kept)) one.reload();
  }

  /**
   * Goes back to where a worker stood that wrote here after it was replaced: what changed since is read again,
   * which puts right whatever it overwrote.
   */
  async rewind(cursor: Cursor): Promise<void> {
    const here = await this.cursor();
    this.reload();
    if (here === null || !isAtOrAfter(here, cursor)) return;
    await this.parts.meta.set(CURSOR, cursor);
  }

  /** Loads one collection anew beside what is shown. */
  async renew(collection: CollectionName, signal: AbortSignal): Promise<void> {
    const cursor = await this.cursor();
    if (cursor === null) return;
    const { loader } = this.parts;
    await loader.begin();
    await loader.reload(collection, cursor, signal);
    await loader.finish();
  }

  /** Another dialect writes from now on: the next time everything is loaded anew. */
  async forget(): Promise<void> {
    if ((await this.cursor()) !== null) await this.parts.meta.delete(CURSOR);
  }

  /** Where the present load began, or the log's end when none did; `readable` null: that place is gone. */
  private async loadStart(
    signal: AbortSignal,
  ): Promise<{ start: Cursor; readable: readonly CollectionName[] | null }> {
    const { meta, wire, loader } = this.parts;
    const known = await meta.get(LOADING);
    if (typeof known === 'string') {
      const answer = await wire.changes({ cursor: known }, signal);
      return { start: known, readable: answer.kind === 'page' ? answer.readable : null };
    }
    const answer = await wire.changes({ cursor: null }, signal);
    if (answer.kind === 'start-over')
      throw new Error('A question without a cursor has nothing to start over');
    await loader.begin();
    await meta.set(LOADING, answer.cursor);
    return { start: answer.cursor, readable: answer.readable };
  }

  /** Loads everything anew beside what is shown, which stays until each collection is swapped. */
  private async startOver(signal: AbortSignal): Promise<void> {
    const { meta } = this.parts;
    signal.throwIfAborted();
    await meta.delete(LOADING);
    await meta.delete(CURSOR);
    await this.firstLoad(signal, () => {});
  }

  /** Does what a change of permissions asks for (law 3). */
  private async follow(
    answer: ChangesAnswer & { kind: 'page' },
    signal: AbortSignal,
  ): Promise<ReadonlySet<CollectionName>> {
    const { meta, loader } = this.parts;
    const known = await meta.get(READABLE);
    const before: readonly CollectionName[] = isNames(known) ? known : COLLECTIONS;
    if (before.join() === answer.readable.join()) return new Set();
    for (const name of before) if (!answer.readable.includes(name)) await this.drop(name);
    const loaded = answer.readable.filter((name) => !before.includes(name));
    if (loaded.length > 0) await loader.begin();
    for (const name of loaded) await loader.load(name, answer.cursor, signal);
    await loader.finish();
    await meta.set(READABLE, answer.readable);
    return new Set(loaded);
  }

  private async drop(collection: CollectionName): Promise<void> {
    await this.parts.kept[collection].replaceAll([]);
  }

  private async apply(changes: readonly Change[], signal: AbortSignal): Promise<string[]> {
    const parts = groupBy(changes, ({ collection }) => collection);
    const checks: string[] = [];
    for (const [collection, part] of parts) {
      signal.throwIfAborted();
      const rows = part.flatMap(({ row }) => row ?? []);
      const gone = part.filter(({ row }) => row === null).map(({ id }) => id);
      const changed = await this.parts.kept[collection].merge(rows, gone);
      if (collection === 'checks') checks.push(...changed);
    }
    return checks;
  }

  private async moveTo(cursor: Cursor, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.parts.meta.set(CURSOR, cursor);
    await this.parts.onCursor(cursor);
  }
}
