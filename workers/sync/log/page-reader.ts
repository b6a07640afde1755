/**
 * Reads a collection's snapshot as pages that are kept as they came. Owns what has come so far: in memory while the
 * line is quick, in the staging store when it is not, so that a cut connection or a closed browser costs seconds. What
 * came is looked at once, here: pages that hold anything but rows of their own partition are no pages, and their rows
 * are taken one by one.
 */
import { isReplicatedRow } from '../../../src/contract/collection-rows.ts';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import { isAtOrAfter, isSameEpoch, type Cursor, type SnapshotPages } from '../../../src/contract/sync.ts';
import type { LoosePage, PackedRowStore } from '../../store/packed-row-store.ts';
import { rowShape } from '../../store/store-facts.ts';
import { badPayload, type LogWire } from './log-wire.ts';

/** So much of a load is worth more than writing it twice. */
const STAGE_EVERY_MS = 2000;

/** How far a load has come. */
export interface StagedPages {
  kind: 'pages';
  collection: CollectionName;
  start: Cursor;
  after: string | null;
  isRead: boolean;
  /** Of those in the staging store. */
  pages: number;
  /** All changes up to here are in the pages. */
  cursor: Cursor;
  /** No change after this one is in them; null when that isn't known. */
  newest: Cursor | null;
}

export interface ReadPages {
  pages: LoosePage[];
  /** Rows that came in no page of their own. */
  strays: unknown[];
  staged: StagedPages;
}

export interface PageReaderParts {
  wire: Pick<LogWire, 'snapshotPages'>;
  staging: Pick<PackedRowStore<ReplicatedRow>, 'addPages' | 'loadPages' | 'clear'>;
  /** Remembers how far the staging store has come. */
  note: (staged: StagedPages) => Promise<void>;
  /** ms that only ever grow. */
  elapsed: () => number;
}

function rowsOf(body: string): unknown[] {
  let rows: unknown;
  try {
    rows = JSON.parse(body);
  } catch (error) {
    throw badPayload(error);
  }
  if (!Array.isArray(rows)) throw badPayload(new Error('A page is not a list'));
  return rows;
}

function isSound({ partition, count }: LoosePage, rows: readonly unknown[]): boolean {
  const isOurs = (row: unknown) => isReplicatedRow(row) && rowShape.partitionOf(row.id) === partition;
  return rows.length === count && rows.every(isOurs);
}

function take({ pages, strays }: Pick<ReadPages, 'pages' | 'strays'>, came: readonly LoosePage[]): void {
  for (const page of came) {
    const rows = rowsOf(page.body);
    if (isSound(page, rows)) pages.push(page);
    else strays.push(...rows);
  }
}

const earlier = (a: Cursor, b: Cursor) => (isAtOrAfter(a, b) ? b : a);
const later = (a: Cursor, b: Cursor) => (isAtOrAfter(a, b) ? a : b);

/** Reads what is left of a load; null when the server has no pages, or its log is another one than the load's. */
export class PageReader {
  private readonly parts: PageReaderParts;

  constructor(parts: PageReaderParts) {
    this.parts = parts;
  }

  async read(staged: StagedPages, signal: AbortSignal): Promise<ReadPages | 'no-pages' | 'other-log'> {
    const found: ReadPages = { pages: await this.resume(staged), strays: [], staged };
    let stagedAtMs = this.parts.elapsed();
    let coming = this.ask(staged, signal);
    while (!staged.isRead) {
      const answer = await coming;
      signal.throwIfAborted();
      if (answer === null) return 'no-pages';
      if (!isSameEpoch(answer.cursor, staged.start)) return 'other-log';
      this.advance(staged, answer);
      // The next is on its way while this one is looked at.
      if (!staged.isRead) coming = this.ask(staged, signal);
      take(found, answer.pages);
      const isLate = this.parts.elapsed() - stagedAtMs > STAGE_EVERY_MS;
      // Strays are few, and have no page to be staged in.
      if (!isLate || staged.isRead || found.strays.length > 0) continue;
      await this.parts.staging.addPages(found.pages.slice(staged.pages));
      staged.pages = found.pages.length;
      await this.parts.note(staged);
      stagedAtMs = this.parts.elapsed();
    }
    return found;
  }

  /** What an earlier attempt has staged; without it, or with more than it noted, the load begins anew. */
  private async resume(staged: StagedPages): Promise<LoosePage[]> {
    if (staged.pages === 0) return [];
    const { staging } = this.parts;
    const pages = await staging.loadPages();
    if (pages.length === staged.pages) return pages;
    await staging.clear();
    const { start } = staged;
    Object.assign(staged, { after: null, isRead: false, pages: 0, cursor: start, newest: null });
    return [];
  }

  private ask(
    { collection, after, isRead }: StagedPages,
    signal: AbortSignal,
  ): Promise<SnapshotPages | null> {
    if (isRead) return Promise.resolve(null);
    const answer = this.parts.wire.snapshotPages({ collection, after }, signal);
    // It may fail while nobody waits for it yet; whoever does is told.
    answer.catch(() => undefined);
    return answer;
  }

  private advance(staged: StagedPages, { cursor, newest, next }: SnapshotPages): void {
    staged.cursor = earlier(staged.cursor, cursor);
    staged.newest = staged.newest === null ? newest : later(staged.newest, newest);
    staged.after = next;
    staged.isRead = next === null;
  }
}
