/**
 * Rows that only the sync worker can read, because they are in RxDB, for the worker that shows them: asked for and
 * answered on the store's channel. Which of the sync workers answers doesn't matter: each reads what is durable.
 */
import type { CollectionName, ReplicatedRow } from '../../src/contract/collections.ts';

/** Asks for all rows of a collection. */
export interface RowsRequest {
  type: 'rows-request';
  id: string;
  storeName: string;
  collection: CollectionName;
}

/** The rows as they were kept at some moment after the request. */
export interface RowsAnswer {
  type: 'rows-answer';
  /** The request's. */
  id: string;
  /** The first load is in; without it there are no rows. */
  isWhole: boolean;
  rows: ReplicatedRow[];
}

function isOfType(message: unknown, type: string): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}

/** Another worker of this app sends it. */
export function isRowsRequest(message: unknown, storeName: string): message is RowsRequest {
  return isOfType(message, 'rows-request') && (message as RowsRequest).storeName === storeName;
}

function isAnswerTo(id: string, message: unknown): message is RowsAnswer {
  return isOfType(message, 'rows-answer') && (message as RowsAnswer).id === id;
}

/** No sync worker may be there yet, or the one that was asked ended. */
const AGAIN_MS = 250;

export interface RowsChannel {
  newId(): string;
  announce(message: unknown): void;
  listen(listener: (message: unknown) => void): () => void;
  later(delayMs: number, callback: () => void): unknown;
}

/** Asks until there is an answer; null when `isWanted` says that nobody waits for it any more. */
export function requestRows(
  channel: RowsChannel,
  { storeName, collection }: Pick<RowsRequest, 'storeName' | 'collection'>,
  isWanted: () => boolean,
): Promise<RowsAnswer | null> {
  const request: RowsRequest = { type: 'rows-request', id: channel.newId(), storeName, collection };
  return new Promise((resolve) => {
    let isDone = false;
    const finish = (answer: RowsAnswer | null) => {
      if (isDone) return;
      isDone = true;
      stop();
      resolve(answer);
    };
    const stop = channel.listen((message) => {
      if (isAnswerTo(request.id, message)) finish(message);
    });
    const ask = () => {
      if (isDone) return;
      if (!isWanted()) {
        finish(null);
        return;
      }
      channel.announce(request);
      channel.later(AGAIN_MS, ask);
    };
    ask();
  });
}
