/** What pages of the catalog ask the workers for: an item's body, changes with their diffs, documents as text. */
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { errorFacts, type ErrorFacts } from '../../contract/errors.ts';
import type { ChangeRow } from '../../contract/http/config-changes.ts';
import type { ConfigDetail } from '../../contract/http/config-item.ts';
import type { WrittenDocument } from '../../contract/written-document.ts';
import type { ChangesQuestion } from '../../domain/catalog/changes-search.ts';
import { dataClient, type Loadable } from '../client/data-client.ts';
import { NO_ANSWER, openLiveQuery, type LiveAnswer } from '../client/live-query-client.ts';
import { createLiveValue } from '../client/live-value.ts';
import { useQuery } from './use-query.ts';
import { callback } from '../client/workers-proxy.ts';

/**
 * An item with its body; `updatedAt` of the replicated row says when there is a newer one. What was shown stays until
 * that is there.
 */
export function useConfigDetail(id: string | null, updatedAt: string): Loadable<ConfigDetail> {
  const found = useQuery('config-detail', id === null ? null : { configId: id, version: updatedAt });
  const [last, setLast] = useState({ id, found });
  const isNews = found.kept !== null || found.error !== null;
  if (last.id !== id || (isNews && last.found !== found)) setLast({ id, found });
  return last.id === id && !isNews ? last.found : found;
}

/** One component's question over changes: closed when nobody listens any more. */
function createChangesLease() {
  const answer = createLiveValue<LiveAnswer>(NO_ANSWER);
  let question: ChangesQuestion | null = null;
  let client: ReturnType<typeof openChanges> | null = null;
  const openChanges = (first: ChangesQuestion) => {
    const data = dataClient();
    const opened = openLiveQuery(first, {
      open: (asked, listener) => data.doors.compute.openChanges(asked, callback(listener)),
      publish: answer.set,
      report: (error) => data.report(error),
    });
    return { ...opened, close: data.closeOnLeave(opened) };
  };
  const ensureOpen = () => {
    if (question !== null) client ??= openChanges(question);
  };
  return {
    get: answer.get,
    ask: (next: ChangesQuestion) => {
      question = next;
      ensureOpen();
      client?.setQuestion(next);
    },
    subscribe: (listener: () => void) => {
      ensureOpen();
      const stop = answer.subscribe(listener);
      return () => {
        stop();
        client?.close();
        client = null;
      };
    },
  };
}

/** A page of the changes that this device has, live. */
export function useLocalChanges(question: ChangesQuestion): LiveAnswer<ChangeRow> {
  const [lease] = useState(createChangesLease);
  const text = JSON.stringify(question);
  useLayoutEffect(() => {
    lease.ask(JSON.parse(text) as ChangesQuestion);
  }, [lease, text]);
  return useSyncExternalStore(lease.subscribe, lease.get) as LiveAnswer<ChangeRow>;
}

interface Written {
  document: WrittenDocument | null;
  error: ErrorFacts | null;
}

/** JSON written out in a worker; null while it is at it, or for nothing to write. */
export function useWrittenDocument(json: string | null, form: 'yaml' | 'json'): Written {
  const [written, setWritten] = useState<Written>({ document: null, error: null });
  useEffect(() => {
    if (json === null) return;
    let isWanted = true;
    dataClient()
      .doors.compute.writeDocument(json, form)
      .then(
        (document) => {
          if (isWanted) setWritten({ document, error: null });
        },
        (error: unknown) => {
          if (isWanted) setWritten({ document: null, error: errorFacts(error) });
        },
      );
    return () => {
      isWanted = false;
    };
  }, [json, form]);
  return json === null ? { document: null, error: null } : written;
}
