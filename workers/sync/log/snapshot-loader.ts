/**
 * Loads one collection whole (design §4 law 10): pages of a snapshot go into a staging store, so that a cut
 * connection or a closed browser costs one page; changes since the load began are applied there; then the rows
 * are swapped in. Where rows are kept as they come, page-reader.ts has the pages, and what changed is kept on top.
 * Which collections are done is remembered until the whole load is. Small collections come in one answer, and are not
 * worth remembering.
 */
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { isReplicatedRow } from '../../../src/contract/collection-rows.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import { isAtOrAfter, isSameEpoch, type Cursor, type SmallSnapshot } from '../../../src/contract/sync.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { PackedRowStore } from '../../store/packed-row-store.ts';
import type { ReplicaCollection } from './replica-collection.ts';
import type { LogWire } from './log-wire.ts';
import { PageReader, type StagedPages } from './page-reader.ts';

const STAGED = 'log:staged';
const DONE = 'log:done';

interface Staged {
  kind: 'rows';
  collection: CollectionName;
  start: Cursor;
  after: string | null;
  isRead: boolean;
}

/** One of before there were pages has no kind. */
function isStaged(value: unknown): value is Staged | StagedPages {
  return isRecord(value) && 'collection' in value && 'isRead' in value && 'kind' in value;
}

/** The log is another one, or forgot where this load began: the next attempt begins anew. */
function movedOn(): AppError {
  return new AppError('conflict', ERROR_TEXTS.conflict, { retryable: true });
}

export interface SnapshotLoader {
  /** Forgets an earlier load. */
  begin(): Promise<void>;
  /** Asks for the small collections at once, before each is loaded. */
  askSmall(signal: AbortSignal): Promise<void>;
  load(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void>;
  /** The same from the rows themselves, when what was loaded turned out to be wrong. */
  reload(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void>;
  finish(): Promise<void>;
}

export interface SnapshotLoaderParts {
  wire: LogWire;
  meta: KeyValue;
  staging: PackedRowStore<ReplicatedRow>;
  /** ms that only ever grow. */
  elapsed: () => number;
  kept: Readonly<Record<CollectionName, ReplicaCollection>>;
}

class StagedLoader implements SnapshotLoader {
  private readonly parts: SnapshotLoaderParts;
  private readonly reader: PageReader;
  /** Something may be in the staging store, also what a worker before this one left there. */
  private hasStaged = true;
  /** What came in one answer and is not loaded yet. */
  private readonly small = new Map<CollectionName, SmallSnapshot>();

  constructor(parts: SnapshotLoaderParts) {
    this.parts = parts;
    this.reader = new PageReader({ ...parts, note: (staged) => this.note(staged) });
  }

  async begin(): Promise<void> {
    const { meta, staging } = this.parts;
    // Older than the load that begins: what changed since would be missed.
    this.small.clear();
    await meta.delete(DONE);
    await meta.delete(STAGED);
    await staging.clear();
    this.hasStaged = false;
  }

  async askSmall(signal: AbortSignal): Promise<void> {
    this.small.clear();
    for (const one of await this.parts.wire.smallSnapshots(signal)) this.small.set(one.collection, one);
  }

  async load(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void> {
    const small = this.small.get(collection);
    if (small !== undefined) {
      this.small.delete(collection);
      return this.swapIn(collection, { ...small, start }, signal);
    }
    const done = await this.doneOf(start);
    if (done.includes(collection)) return;
    const isPaged = await this.loadPages(collection, start, signal);
    if (!isPaged) await this.loadRows(collection, start, signal);
    await this.parts.meta.set(DONE, { start, names: [...done, collection] });
    await this.forgetStaged();
  }

  async reload(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void> {
    await this.loadRows(collection, start, signal);
    await this.forgetStaged();
  }

  private async loadRows(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<void> {
    const fresh: Staged = { kind: 'rows', collection, start, after: null, isRead: false };
    const staged = await this.resume(fresh);
    const { rows, cursor } = await this.readPages(staged, signal);
    await this.swapIn(collection, { rows, cursor, start }, signal);
  }

  /** Brings rows up to the log and swaps them in; `cursor` is where they were read, null when that isn't known. */
  private async swapIn(
    collection: CollectionName,
    { rows: found, cursor, start }: { rows: readonly ReplicatedRow[]; cursor: Cursor | null; start: Cursor },
    signal: AbortSignal,
  ): Promise<void> {
    // Rows of two databases don't make one collection.
    if (cursor !== null && !isSameEpoch(cursor, start)) throw movedOn();
    const rows = new Map(found.map((row) => [row.id, row]));
    // Otherwise nothing happened since the load began: they are whole as they are.
    if (cursor === null || !isAtOrAfter(start, cursor)) {
      for (const [id, row] of await this.changesSince(start, collection, signal)) {
        if (row === null) rows.delete(id);
        else rows.set(id, row);
      }
    }
    signal.throwIfAborted();
    await this.parts.kept[collection].replaceAll([...rows.values()]);
  }

  /** False where rows are not kept as they come, or the server has no pages. */
  private async loadPages(collection: CollectionName, start: Cursor, signal: AbortSignal): Promise<boolean> {
    const kept = this.parts.kept[collection];
    if (kept.replacePages === null) return false;
    const progress = { after: null, isRead: false, pages: 0, cursor: start, newest: null };
    const staged = await this.resume<StagedPages>({ kind: 'pages', collection, start, ...progress });
    const isFresh = staged.after === null && !staged.isRead;
    const found = await this.reader.read(staged, signal);
    if (found === 'no-pages') return false;
    if (found === 'other-log') throw movedOn();
    const { cursor, newest } = found.staged;
    // Made after the load began, and nothing happened since: the pages are whole as they are.
    const isWhole = isFresh && cursor === start && newest !== null && isAtOrAfter(start, newest);
    const changes = isWhole ? new Map() : await this.changesSince(cursor, collection, signal);
    const rows = new Map<string, ReplicatedRow | null>();
    for (const row of found.strays) if (isReplicatedRow(row)) rows.set(row.id, row);
    for (const [id, row] of changes) rows.set(id, row);
    signal.throwIfAborted();
    const upserts = [...rows.values()].filter((row) => row !== null);
    const deletedIds = [...rows].flatMap(([id, row]) => (row === null ? [id] : []));
    // An empty collection needs no database.
    if (found.pages.length === 0 && upserts.length === 0) await kept.replaceAll([]);
    else await kept.replacePages(found.pages, { upserts, deletedIds });
    return true;
  }

  private async note(staged: Staged | StagedPages): Promise<void> {
    this.hasStaged = true;
    await this.parts.meta.set(STAGED, staged);
  }

  private async forgetStaged(): Promise<void> {
    if (!this.hasStaged) return;
    await this.parts.meta.delete(STAGED);
    await this.parts.staging.clear();
    this.hasStaged = false;
  }

  finish(): Promise<void> {
    this.small.clear();
    return this.parts.meta.delete(DONE);
  }

  private async doneOf(start: Cursor): Promise<string[]> {
    const value = await this.parts.meta.get(DONE);
    const isOurs = typeof value === 'object' && value !== null && 'start' in value && 'names' in value;
    if (!isOurs || value.start !== start || !Array.isArray(value.names)) return [];
    return value.names.filter((name): name is string => typeof name === 'string');
  }

  /** What an earlier attempt has staged of this collection, or the fresh beginning. */
  private async resume<Kind extends Staged | StagedPages>(fresh: Kind): Promise<Kind> {
    const known = await this.parts.meta.get(STAGED);
    if (known === undefined) return fresh;
    this.hasStaged = true;
    const { kind, collection, start } = fresh;
    const isOurs = isStaged(known) && known.kind === kind;
    // Of the same kind, which says what else it has.
    if (isOurs && known.collection === collection && known.start === start) return known as Kind;
    await this.forgetStaged();
    return fresh;
  }

  /** All rows, with the place in the log of the last page. `staged` says afterwards how far it is staged. */
  private async readPages(
    staged: Staged,
    signal: AbortSignal,
  ): Promise<{ rows: readonly ReplicatedRow[]; cursor: Cursor | null }> {
    const { wire, staging } = this.parts;
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
      await this.note(staged);
    }
    return { rows: [...rows.values()], cursor: isResumed ? null : cursor };
  }

  /** What changed since, as it is now; null for what is gone. */
  private async changesSince(
    since: Cursor,
    collection: CollectionName,
    signal: AbortSignal,
  ): Promise<Map<string, ReplicatedRow | null>> {
    const changed = new Map<string, ReplicatedRow | null>();
    let cursor = since;
    for (;;) {
      const answer = await this.parts.wire.changes({ cursor, collection }, signal);
      if (answer.kind === 'start-over') throw movedOn();
      for (const { id, row } of answer.changes) changed.set(id, row);
      cursor = answer.cursor;
      if (answer.is_caught_up) return changed;
    }
  }
}

/** An unfinished load goes on where it stopped, also in another session. */
export function createSnapshotLoader(parts: SnapshotLoaderParts): SnapshotLoader {
  return new StagedLoader(parts);
}
