/**
 * Loads one collection whole (design §4 law 10): pages of a snapshot go into a staging store, so that a cut
 * connection or a closed browser costs one page; changes since the load began are applied there; then the rows
 * are swapped in. Which collections are done is remembered until the whole load is.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { isAtOrAfter, isSameEpoch, type Cursor } from '../../../src/contract/sync.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { ReplicaCollection } from './replica-collection.ts';
import type { LogWire } from './log-wire.ts';

const STAGED = 'log:staged';
const DONE = 'log:done';

interface Staged {
  collection: CollectionName;
  start: Cursor;
  after: string | null;
  isRead: boolean;
}

function isStaged(value: unknown): value is Staged {
  return typeof value === 'object' && value !== null && 'collection' in value && 'isRead' in value;
}

/** The log is another one, or forgot where this load began: the next attempt begins anew. */
function movedOn(): AppError {
  return new AppError('conflict', ERROR_TEXTS.conflict, { retryable: true });
}

export interface SnapshotLoader {
  /** Forgets an earlier load. */
  begin(): Promise<void>;
  load(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void>;
  finish(): Promise<void>;
}

export interface SnapshotLoaderParts {
  wire: LogWire;
  meta: KeyValue;
  staging: RowStore<ReplicatedRow>;
  kept: Readonly<Record<CollectionName, ReplicaCollection>>;
}

class StagedLoader implements SnapshotLoader {
  private readonly parts: SnapshotLoaderParts;

  constructor(parts: SnapshotLoaderParts) {
    this.parts = parts;
  }

  async begin(): Promise<void> {
    const { meta, staging } = this.parts;
    await meta.delete(DONE);
    await meta.delete(STAGED);
    await staging.clear();
  }

  async load(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void> {
    const { meta, staging, kept } = this.parts;
    const done = await this.doneOf(start);
    if (done.includes(collection)) return;
    const staged = await this.resume(collection, start);
    const { rows, cursor } = await this.readPages(staged, signal);
    // Nothing happened since the load began: the pages are whole as they are.
    if (cursor === null || !isAtOrAfter(start, cursor)) await this.catchUp(rows, staged, signal);
    signal.throwIfAborted();
    await kept[collection].replaceAll([...rows.values()]);
    await meta.set(DONE, { start, names: [...done, collection] });
    if (staged.after === null && !staged.isRead) return;
    await meta.delete(STAGED);
    await staging.clear();
  }

  finish(): Promise<void> {
    return this.parts.meta.delete(DONE);
  }

  private async doneOf(start: Cursor): Promise<string[]> {
    const value = await this.parts.meta.get(DONE);
    const isOurs = typeof value === 'object' && value !== null && 'start' in value && 'names' in value;
    if (!isOurs || value.start !== start || !Array.isArray(value.names)) return [];
    return value.names.filter((name): name is string => typeof name === 'string');
  }

  /** What an earlier attempt has staged of this collection, or a fresh beginning. */
  private async resume(collection: CollectionName, start: Cursor): Promise<Staged> {
    const known = await this.parts.meta.get(STAGED);
    if (isStaged(known) && known.collection === collection && known.start === start) return known;
    if (isStaged(known)) await this.parts.staging.clear();
    return { collection, start, after: null, isRead: false };
  }

  /** All rows, with the place in the log of the last page. `staged` says afterwards how far it is staged. */
  private async readPages(
    staged: Staged,
    signal: AbortSignal,
  ): Promise<{ rows: Map<string, ReplicatedRow>; cursor: Cursor | null }> {
    const { wire, meta, staging } = this.parts;
    const isResumed = staged.after !== null || staged.isRead;
    const rows = new Map(isResumed ? (await staging.loadAll()).map((row) => [row.id, row]) : []);
    let cursor: Cursor | null = null;
    while (!staged.isRead) {
      const page = await wire.snapshot({ collection: staged.collection, after: staged.after }, signal);
      signal.throwIfAborted();
      // Pages of two databases don't make one collection.
      if (!isSameEpoch(page.cursor, staged.start)) throw movedOn();
      for (const row of page.rows) rows.set(row.id, row);
      cursor = page.cursor;
      // One page is all: a cut costs that page whether it is staged or not.
      if (page.next === null && staged.after === null) break;
      await staging.apply({ upserts: page.rows, deletedIds: [] });
      staged.after = page.next;
      staged.isRead = page.next === null;
      await meta.set(STAGED, staged);
    }
    return { rows, cursor: isResumed ? null : cursor };
  }

  /** Applies what changed since the load began to the staged rows. */
  private async catchUp(
    rows: Map<string, ReplicatedRow>,
    { collection, start }: Staged,
    signal: AbortSignal,
  ): Promise<void> {
    let cursor = start;
    for (;;) {
      const answer = await this.parts.wire.changes({ cursor, collection }, signal);
      if (answer.kind === 'start-over') throw movedOn();
      for (const { id, row } of answer.changes) {
        if (row === null) rows.delete(id);
        else rows.set(id, row);
      }
      cursor = answer.cursor;
      if (answer.is_caught_up) return;
    }
  }
}

/** An unfinished load goes on where it stopped, also in another session. */
export function createSnapshotLoader(parts: SnapshotLoaderParts): SnapshotLoader {
  return new StagedLoader(parts);
}
