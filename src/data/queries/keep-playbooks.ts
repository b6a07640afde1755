/**
 * Has this device keep what it takes to read playbooks without a network: which suit a thing, and what their last run
 * wrote. It asks what the pages ask, one after the other, so that the answers are in the device's cache when they do.
 */
import type { PlaybookResource } from '../../contract/http/playbooks/playbooks.ts';
import type {
  Answer,
  CachedQueryName,
  QueryArgs,
  QueryMessage,
  QueryResult,
} from '../../contract/queries/queries.ts';
import type { Cached } from '../../contract/worker.ts';
import { dataClient, type DataClient } from '../client/data-client.ts';

const MOST_THINGS = 40;
const MOST_PLAYBOOKS = 30;
const MOST_STEPS = 10;

interface Asking {
  client: Pick<DataClient, 'ask'>;
  signal: AbortSignal;
}

/** The server's answer to a cached query; null when there is none, or when it is no longer wanted. */
function askOnce<Name extends CachedQueryName>(
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

interface LastRuns {
  rows: readonly { id: string }[];
}

/** The newest run of a playbook with all that its steps wrote. */
async function keepLastRun(playbookId: string, asking: Asking): Promise<void> {
  const question = {
    view: 'playbook_runs' as const,
    where: [{ op: 'eq' as const, column: 'playbook_id', value: playbookId }],
    order: [{ column: 'created_at', isDescending: true }],
    offset: 0,
    limit: 1,
  };
  // The view's schema has made sure of the id.
  const found = (await askOnce('table', question, asking)) as LastRuns | null;
  const [run] = found?.rows ?? [];
  if (run === undefined) return;
  const detail = await askOnce('playbook-run', { runId: run.id }, asking);
  for (const { id } of (detail?.steps ?? []).slice(0, MOST_STEPS))
    await askOnce('playbook-step', { stepId: id }, asking);
}

/** See the head of this file. Ends early when the signal aborts. */
export async function keepPlaybooks(
  things: readonly PlaybookResource[],
  signal: AbortSignal,
  client: Asking['client'] = dataClient(),
): Promise<void> {
  const asking: Asking = { client, signal };
  const playbooks = new Set<string>();
  for (const { kind, id } of things.slice(0, MOST_THINGS)) {
    const suitable = await askOnce('resource-playbooks', { kind, id }, asking);
    for (const one of suitable ?? []) playbooks.add(one.id);
  }
  for (const id of [...playbooks].slice(0, MOST_PLAYBOOKS)) await keepLastRun(id, asking);
}
