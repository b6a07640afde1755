/** One answer of the server to a query that pages otherwise follow. */
import type {
  Answer,
  CachedQueryName,
  QueryArgs,
  QueryMessage,
  QueryResult,
} from '../../contract/queries/queries.ts';
import type { Cached } from '../../contract/worker.ts';
import type { DataClient } from '../client/data-client.ts';

export interface Asking {
  client: Pick<DataClient, 'ask'>;
  signal: AbortSignal;
}

/** The server's answer to a cached query; null when there is none, or when it is no longer wanted. */
export function askOnce<Name extends CachedQueryName>(
  name: Name,
  args: QueryArgs<Name>,
  { client, signal }: Asking,
): Promise<QueryResult<Name> | null> {
  return new Promise((resolve) => {
    let stop = () => {};
    const end = (value: QueryResult<Name> | null) => {
      signal.removeEventListener('abort', handleAbort);
      // The first answer may come before there is something to stop.
      queueMicrotask(() => stop());
      resolve(value);
    };
    const handleAbort = () => end(null);
    if (signal.aborted) return resolve(null);
    signal.addEventListener('abort', handleAbort, { once: true });
    const receive = (answer: Answer<Cached<QueryResult<Name>>>) => {
      if (!answer.ok) end(null);
      else if (answer.value.source === 'server') end(answer.value.value);
    };
    // What a message of a cached query is, for any of their names.
    stop = client.ask(name, args, receive as (message: QueryMessage<Name>) => void);
  });
}
