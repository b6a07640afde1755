/** The calls of the change feed, parsed. */
import type { CollectionName } from '../../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import {
  changesAnswerSchema,
  cursorSchema,
  SNAPSHOT_CURSOR_HEADER,
  snapshotPageSchema,
  snapshotPagesSchema,
  type ChangesAnswer,
  type Cursor,
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
    async snapshotPages({ collection, after }, signal) {
      const query = new URLSearchParams({ collection });
      if (after !== null) query.set('after', after);
      let answer: HttpAnswer;
      try {
        answer = await http.send({ path: `/api/sync/snapshot-pages?${query.toString()}`, signal });
      } catch (error) {
        // An older version of the server (law 15).
        if (error instanceof AppError && error.code === 'not_found') return null;
        throw error;
      }
      const parsed = snapshotPagesSchema.safeParse(readJson(answer));
      if (!parsed.success) throw badPayload(parsed.error);
      const cursor = cursorSchema.safeParse(answer.headers.get(SNAPSHOT_CURSOR_HEADER));
      return cursor.success ? { ...parsed.data, cursor: cursor.data } : parsed.data;
    },
  };
}
