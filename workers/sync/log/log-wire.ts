/** The calls of the change feed, parsed. */
import type { CollectionName } from '../../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import {
  changesAnswerSchema,
  cursorSchema,
  SNAPSHOT_CURSOR_HEADER,
  snapshotPageSchema,
  smallSnapshotsSchema,
  snapshotPagesSchema,
  type ChangesAnswer,
  type Cursor,
  type SmallSnapshot,
  type SnapshotPage,
  type SnapshotPages,
} from '../../../src/contract/sync.ts';
import { readJson, type HttpAnswer, type HttpClient } from '../network/http-client.ts';

const CHANGES_LIMIT = 2000;
/** Some megabytes as text; a page is what a cut connection costs. */
const SNAPSHOT_LIMIT = 5000;

export interface LogWire {
  changes(
    question: { cursor: Cursor | null; collection?: CollectionName; isTallied?: boolean },
    signal: AbortSignal,
  ): Promise<ChangesAnswer>;
  snapshot(
    question: { collection: CollectionName; after: string | null },
    signal: AbortSignal,
  ): Promise<SnapshotPage>;
  /** Those that are small; none from a server that tells only one at a time. */
  smallSnapshots(signal: AbortSignal): Promise<readonly SmallSnapshot[]>;
  /** Null from a server that has no pages. */
  snapshotPages(
    question: { collection: CollectionName; after: string | null },
    signal: AbortSignal,
  ): Promise<SnapshotPages | null>;
}

/** A captive portal or a cut answer is no answer: nothing of it is applied, and it is asked again. */
export function badPayload(cause: unknown): AppError {
  return new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause, retryable: true });
}

/** Null where the server is an older version, which doesn't know the path (law 15). */
async function sendIfKnown(http: HttpClient, path: string, signal: AbortSignal): Promise<HttpAnswer | null> {
  try {
    return await http.send({ path, signal });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Throws `bad_payload` for an answer that isn't the contract's. */
export function createLogWire(http: HttpClient): LogWire {
  return {
    async changes({ cursor, collection, isTallied = false }, signal) {
      const query = new URLSearchParams({ limit: String(CHANGES_LIMIT) });
      if (cursor !== null) query.set('cursor', cursor);
      if (collection !== undefined) query.set('collections', collection);
      if (isTallied) query.set('tally', 'true');
      const parsed = changesAnswerSchema.safeParse(
        await http.json({ path: `/api/sync/changes?${query.toString()}`, signal }),
      );
      if (!parsed.success) throw badPayload(parsed.error);
      return parsed.data;
    },
    async snapshot({ collection, after }, signal) {
      const query = new URLSearchParams({ collection, limit: String(SNAPSHOT_LIMIT) });
      if (after !== null) query.set('after', after);
      const parsed = snapshotPageSchema.safeParse(
        await http.json({ path: `/api/sync/snapshot?${query.toString()}`, signal }),
      );
      if (!parsed.success) throw badPayload(parsed.error);
      return parsed.data;
    },
    async smallSnapshots(signal) {
      const answer = await sendIfKnown(http, '/api/sync/small-snapshots', signal);
      if (answer === null) return [];
      const parsed = smallSnapshotsSchema.safeParse(readJson(answer));
      if (!parsed.success) throw badPayload(parsed.error);
      return parsed.data.snapshots;
    },
    async snapshotPages({ collection, after }, signal) {
      const query = new URLSearchParams({ collection });
      if (after !== null) query.set('after', after);
      const answer = await sendIfKnown(http, `/api/sync/snapshot-pages?${query.toString()}`, signal);
      if (answer === null) return null;
      const parsed = snapshotPagesSchema.safeParse(readJson(answer));
      if (!parsed.success) throw badPayload(parsed.error);
      const cursor = cursorSchema.safeParse(answer.headers.get(SNAPSHOT_CURSOR_HEADER));
      return cursor.success ? { ...parsed.data, cursor: cursor.data } : parsed.data;
    },
  };
}
