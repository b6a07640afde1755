/**
 * Compares what is kept of each collection with what the server has: how many rows, and a checksum over their ids. A
 * row that is missing or left over is found, whatever the reason, and the collection is loaded anew. It works in
 * quiet moments, one collection at a time, and only where this store stands at the end of the collection's changes.
 * Invariant: what a fresh load doesn't change is not loaded again and again.
 */
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  COLLECTION_FACTS,
  COLLECTIONS,
  type CollectionName,
  type ReplicatedRow,
} from '../../../src/contract/collections.ts';
import { AppError, errorFacts, ERROR_TEXTS, type ErrorCode } from '../../../src/contract/errors.ts';
import { isAtOrAfter, type CollectionTally, type Cursor } from '../../../src/contract/sync.ts';
import { isOutOfScope } from '../../../src/domain/sync/scope.ts';
import type { RowStore } from '../../store/row-store.ts';
import type { LogDialect } from './log-dialect.ts';
import type { LogWire } from './log-wire.ts';

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60_000;
/** To read more would keep the worker, and the server, from other things for too long. */
const MOST_ROWS = 100_000;

/** The server can't say it now; that is no reason to doubt the line. */
const UNTOLD: ReadonlySet<ErrorCode> = new Set([
  'server',
  'timeout',
  'rate_limited',
  'invalid',
  'bad_payload',
  'not_found',
]);

/** A collection was not what the server has. */
export class DifferenceError extends AppError {
  constructor(collection: CollectionName, what: string) {
    super('storage', ERROR_TEXTS.storage, { cause: new Error(`${collection} differs: ${what}`) });
  }
}

export interface ComparisonParts {
  wire: Pick<LogWire, 'changes'>;
  rows: Readonly<Record<CollectionName, RowStore<ReplicatedRow>>>;
  log: Pick<LogDialect, 'cursor' | 'renew'>;
  /** ms that only ever grow. */
  elapsed: () => number;
  /** Told of each difference. */
  report: (error: unknown) => void;
}

/** Count and checksum over ids as the server makes them (server/replication/change-log/feed-query.ts). */
export function tallyOf(ids: readonly string[]): string {
  return `${ids.length} ${bytesToHex(md5(utf8ToBytes(ids.toSorted(byCode).join(','))))}`;
}

/** As bytes are ordered, for all that ids are made of. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Compares one collection at a time, when the queue has nothing else. */
export class Comparison {
  private readonly parts: ComparisonParts;
  private dueAtMs: number;
  private left: CollectionName[] = [];
  /** Differences that a fresh load left as they were. */
  private readonly lasting = new Map<CollectionName, string>();

  constructor(parts: ComparisonParts) {
    this.parts = parts;
    this.dueAtMs = parts.elapsed() + FIRST_MS;
  }

  /** This worker begins to lead. */
  restart(): void {
    this.dueAtMs = this.parts.elapsed() + FIRST_MS;
    this.left = [];
    this.lasting.clear();
  }

  /** Compares the next collection if it is time; false when it isn't. */
  async next(signal: AbortSignal): Promise<boolean> {
    const { elapsed } = this.parts;
    if (elapsed() >= this.dueAtMs) {
      this.dueAtMs = elapsed() + EVERY_MS;
      this.left = [...COLLECTIONS];
    }
    const collection = this.left.shift();
    if (collection === undefined) return false;
    await this.compare(collection, signal);
    return true;
  }

  private async compare(collection: CollectionName, signal: AbortSignal): Promise<void> {
    const { log, report } = this.parts;
    const cursor = await log.cursor();
    if (cursor === null) return;
    const tally = await this.told(collection, cursor, signal);
    if (tally === null || tally.count > Math.min(MOST_ROWS, COLLECTION_FACTS[collection].cap)) return;
    const theirs = `${tally.count} ${tally.sum}`;
    const mine = await this.kept(collection, tally);
    const found = `${mine} where the server has ${theirs}`;
    if (mine === theirs || this.lasting.get(collection) === found) return;
    signal.throwIfAborted();
    // Another worker loads anew what this one, which was suspended meanwhile, has read.
    if ((await log.cursor()) !== cursor) return;
    report(new DifferenceError(collection, found));
    await log.renew(collection, signal);
    if ((await this.kept(collection, tally)) === mine) this.lasting.set(collection, found);
  }

  /** What the server says, if it speaks of what is here. */
  private async told(
    collection: CollectionName,
    cursor: Cursor,
    signal: AbortSignal,
  ): Promise<CollectionTally | null> {
    try {
      const answer = await this.parts.wire.changes({ cursor, collection, isTallied: true }, signal);
      if (answer.kind !== 'page' || answer.changes.length > 0 || answer.tally === undefined) return null;
      return isAtOrAfter(cursor, answer.tally.cursor) ? answer.tally : null;
    } catch (error) {
      if (UNTOLD.has(errorFacts(error).code)) return null;
      throw error;
    }
  }

  /** What is kept, without what had grown too old by the time of the server's count. */
  private async kept(collection: CollectionName, { at }: CollectionTally): Promise<string> {
    const atMs = Date.parse(at);
    const { rows } = this.parts;
    const isOut = (row: ReplicatedRow) => isOutOfScope(collection, row, atMs);
    const inScope = (await rows[collection].loadAll()).filter((row) => !isOut(row));
    if (collection !== 'incident_records') return tallyOf(inScope.map(({ id }) => id));
    const old = (await rows.incidents.loadAll()).filter((row) => isOutOfScope('incidents', row, atMs));
    const gone = new Set(old.map(({ id }) => id));
    return tallyOf(inScope.filter((row) => !gone.has(String(row['incident_id']))).map(({ id }) => id));
  }
}
