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
/** A collection that changes whenever it is read is left for the next round. */
const MOST_TRIES = 5;

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

/** A collection that is being compared: its ids are read a part at a time. */
interface Reading {
  collection: CollectionName;
  cursor: Cursor;
  tally: CollectionTally;
  parts: AsyncGenerator<string[], void>;
  /** Of the parts that were read. */
  ids: string[][];
}

/** Compares one collection at a time, when the queue has nothing else; news has its turn after each part. */
export class Comparison {
  private readonly parts: ComparisonParts;
  private dueAtMs: number;
  private left: CollectionName[] = [];
  private reading: Reading | null = null;
  /** How often news came while a collection was read, in this round. */
  private readonly interrupted = new Map<CollectionName, number>();
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
    this.reading = null;
    this.lasting.clear();
  }

  /** In the middle of a collection: until it is compared, nothing else may take rows away. */
  isReading(): boolean {
    return this.reading !== null;
  }

  /** One step: asks about the next collection if it is time, or reads on; false when there is nothing to do. */
  async next(signal: AbortSignal): Promise<boolean> {
    const { elapsed } = this.parts;
    if (elapsed() >= this.dueAtMs) {
      this.dueAtMs = elapsed() + EVERY_MS;
      this.left = [...COLLECTIONS];
      this.reading = null;
      this.interrupted.clear();
    }
    const { reading } = this;
    // What fails is compared again in the next round.
    this.reading = null;
    if (reading !== null) {
      this.reading = await this.readOn(reading, signal);
      return true;
    }
    const collection = this.left.shift();
    if (collection === undefined) return false;
    this.reading = await this.begin(collection, signal);
    return true;
  }

  /** Asks the server; null when there is nothing to compare with. */
  private async begin(collection: CollectionName, signal: AbortSignal): Promise<Reading | null> {
    const cursor = await this.parts.log.cursor();
    if (cursor === null) return null;
    const tally = await this.told(collection, cursor, signal);
    if (tally === null || tally.count > Math.min(MOST_ROWS, COLLECTION_FACTS[collection].cap)) return null;
    return { collection, cursor, tally, parts: this.idsInScope(collection, tally), ids: [] };
  }

  /** Reads one part more; after the last one it compares. Null when it is done with that collection. */
  private async readOn(reading: Reading, signal: AbortSignal): Promise<Reading | null> {
    const { collection, cursor, parts, ids } = reading;
    const { done, value } = await parts.next();
    signal.throwIfAborted();
    // News came in between, or another worker loaded anew what this one, which was suspended meanwhile, has read.
    if ((await this.parts.log.cursor()) !== cursor) {
      this.tryAgain(collection);
      return null;
    }
    if (done !== true) {
      ids.push(value);
      return reading;
    }
    await this.judge(reading, signal);
    return null;
  }

  private tryAgain(collection: CollectionName): void {
    const times = (this.interrupted.get(collection) ?? 0) + 1;
    this.interrupted.set(collection, times);
    if (times < MOST_TRIES) this.left.push(collection);
  }

  /** Loads a collection anew that isn't what the server has. */
  private async judge({ collection, tally, ids }: Reading, signal: AbortSignal): Promise<void> {
    const { log, report } = this.parts;
    const theirs = `${tally.count} ${tally.sum}`;
    const mine = tallyOf(ids.flat());
    const found = `${mine} where the server has ${theirs}`;
    if (mine === theirs || this.lasting.get(collection) === found) return;
    report(new DifferenceError(collection, found));
    await log.renew(collection, signal);
    const renewed: string[][] = [];
    for await (const part of this.idsInScope(collection, tally)) renewed.push(part);
    if (tallyOf(renewed.flat()) === mine) this.lasting.set(collection, found);
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

  /** Ids of what is here, a part at a time, without what had grown too old by the time of the server's count. */
  private async *idsInScope(
    collection: CollectionName,
    { at }: CollectionTally,
  ): AsyncGenerator<string[], void> {
    const { rows } = this.parts;
    const atMs = Date.parse(at);
    const closed = new Set<unknown>();
    if (collection === 'incident_records') {
      for await (const part of rows.incidents.loadParts()) {
        const old = part.filter((row) => isOutOfScope('incidents', row, atMs));
        for (const { id } of old) closed.add(id);
        yield [];
      }
    }
    for await (const part of rows[collection].loadParts()) {
      const inScope = part.filter((row) => !isOutOfScope(collection, row, atMs));
      yield inScope.filter((row) => !closed.has(row['incident_id'])).map(({ id }) => id);
    }
  }
}
