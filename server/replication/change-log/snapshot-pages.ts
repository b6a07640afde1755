/**
 * Snapshots for devices that load a collection for the first time (docs/decisions/0024-cached-snapshot-pages.md). Each
 * part is read, written and compressed once and then kept, because it is the same for everybody who may read the
 * collection; whoever asks was authorised before. Invariants: a part says up to where it has every change, and is
 * given out only while the log still knows all that came after; parts of any age fit together, because each covers
 * the ids after the one before.
 */
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { Cursor } from '../../../src/contract/sync.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readPages, readPlace, type SnapshotPlace } from './snapshot-pages-query.ts';

const inThread = promisify(gzip);

/** Some megabytes as text; a part is what a cut connection costs. */
const PART_ROWS = 5000;
/** Compressed; the catalog of 100,000 items with 300,000 links is half of it. */
const MOST_BYTES = 48 * 1024 * 1024;
/** A device reads so many changes in one more request. */
const MOST_LATER = 2000;
/** Rows grow too old by themselves, without a change. */
const GOOD_FOR_MS = 10 * 60_000;
/** The text is repetitive: more effort saves little. */
const LEVEL = 4;
/** Below, a thread would take longer to reach than the work. */
const SMALL_LENGTH = 64 * 1024;

async function compress(text: string): Promise<Buffer> {
  return text.length < SMALL_LENGTH ? gzipSync(text, { level: LEVEL }) : inThread(text, { level: LEVEL });
}

interface Part {
  epoch: string;
  /** Where the log ended before it was read: it has all changes up to there. */
  head: number;
  /** The newest change of the collection then. */
  newest: number;
  atMs: number;
  /** JSON (`snapshotPagesSchema`), compressed. */
  bytes: Buffer;
  next: string | null;
}

/** What is sent. */
export interface SnapshotPart {
  bytes: Buffer;
  /** It has every change up to here; farther than the one inside where nothing of it changed since. */
  cursor: Cursor;
}

interface Question {
  collection: CollectionName;
  after: string | null;
}

const keyOf = ({ collection, after }: Question) => `${collection} ${after ?? ''}`;

/** The parts that one process keeps of its database. */
export class SnapshotPagesCache {
  private readonly now: () => number;
  private readonly partRows: number;
  private readonly kept = new Map<string, Part>();
  private readonly making = new Map<string, Promise<Part>>();
  private bytes = 0;

  constructor(now: () => number, partRows = PART_ROWS) {
    this.now = now;
    this.partRows = partRows;
  }

  /** The answer. The next part is made while this one is on its way. */
  async get(db: Queryable, question: Question): Promise<SnapshotPart> {
    const { part, head } = await this.part(db, question);
    const { next, epoch, bytes } = part;
    if (next !== null) {
      const { collection } = question;
      // Nobody waits for it: whoever asks for it finds out what is wrong.
      void this.part(db, { collection, after: next }).catch(() => undefined);
    }
    return { bytes, cursor: `${epoch}.${head}` };
  }

  /** With the place up to which it has every change by now. */
  private async part(db: Queryable, question: Question): Promise<{ part: Part; head: number }> {
    const key = keyOf(question);
    const known = this.kept.get(key);
    const place = await readPlace(db, question.collection, {
      since: known?.newest ?? 0,
      most: known === undefined ? 0 : MOST_LATER,
    });
    if (known !== undefined && this.isGood(known, place)) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return { part: known, head: place.later === 0 ? place.head : known.head };
    }
    const made = this.kept.get(key);
    // Somebody else made it while the place was read.
    const isNew = made !== undefined && made !== known && made.epoch === place.epoch;
    const part = isNew ? made : await (this.making.get(key) ?? this.begin(db, question, place));
    return { part, head: part.head };
  }

  /** Whoever asks meanwhile waits for the same. */
  private begin(db: Queryable, question: Question, place: SnapshotPlace): Promise<Part> {
    const key = keyOf(question);
    const making = this.make(db, question, place).finally(() => this.making.delete(key));
    this.making.set(key, making);
    return making;
  }

  private isGood(part: Part, { epoch, horizon, later }: SnapshotPlace): boolean {
    const ageMs = Math.abs(this.now() - part.atMs);
    return part.epoch === epoch && part.head >= horizon && later < MOST_LATER && ageMs < GOOD_FOR_MS;
  }

  private async make(db: Queryable, question: Question, place: SnapshotPlace): Promise<Part> {
    const { epoch, head, newest } = place;
    const atMs = this.now();
    const { collection, after } = question;
    const { count, last: lastId, pages } = await readPages(db, collection, { after, limit: this.partRows });
    const next = count < this.partRows ? null : lastId;
    const [cursor, newestOf] = [`${epoch}.${head}`, `${epoch}.${newest}`];
    const rest = JSON.stringify({ cursor, newest: newestOf, next }).slice(0, -1);
    const text = `${rest},"pages":${pages}}`;
    const bytes = await compress(text);
    const part = { epoch, head, newest, atMs, bytes, next };
    this.keep(keyOf(question), part);
    return part;
  }

  private keep(key: string, part: Part): void {
    this.drop(key);
    this.kept.set(key, part);
    this.bytes += part.bytes.length;
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes.length ?? 0;
    this.kept.delete(key);
  }
}
