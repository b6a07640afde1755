/** Answers those who can't read RxDB's collections themselves (workers/store/row-requests.ts). */
import { COLLECTION_FACTS } from '../../../src/contract/collections.ts';
import { isRowsRequest, type RowsAnswer, type RowsRequest } from '../../store/row-requests.ts';
import { wholeMark } from '../../store/store-facts.ts';
import type { SyncPlatform } from '../platform.ts';
import { readBefore } from './carry-over.ts';
import type { UserStore } from './user-store.ts';

export interface RowsReaderParts {
  platform: Pick<SyncPlatform, 'announce' | 'idb' | 'listen'>;
  store: Pick<UserStore, 'storeName' | 'meta' | 'rows'>;
  report: (error: unknown) => void;
}

/** Answers until the returned function is called. */
export function answerRowRequests({ platform, store, report }: RowsReaderParts): () => void {
  let isClosed = false;
  const answer = async ({ id, collection }: RowsRequest): Promise<void> => {
    // The mark is set after the rows, so a set mark vouches for what is read next.
    const isWhole = (await store.meta.get(wholeMark(collection))) === true;
    const rows = isWhole
      ? await store.rows[collection].loadAll()
      : await readBefore({ store, idb: platform.idb }, collection);
    const message: RowsAnswer = { type: 'rows-answer', id, isWhole: rows !== null, rows: rows ?? [] };
    if (!isClosed) platform.announce(message);
  };
  const stop = platform.listen((message) => {
    if (!isRowsRequest(message, store.storeName)) return;
    if (COLLECTION_FACTS[message.collection].store !== 'rxdb') return;
    answer(message).catch((error: unknown) => {
      if (!isClosed) report(error);
    });
  });
  return () => {
    isClosed = true;
    stop();
  };
}
