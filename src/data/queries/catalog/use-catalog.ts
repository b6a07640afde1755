/** What pages of the catalog ask the workers for: an item's body, changes with their diffs, documents as text. */
import { useEffect, useState } from 'react';
import type { ErrorFacts } from '../../../contract/errors.ts';
import type { ChangeRow } from '../../../contract/http/catalog/config-changes.ts';
import type { ConfigDetail } from '../../../contract/http/catalog/config-item.ts';
import type { LivePatch } from '../../../contract/live-query.ts';
import type { WrittenDocument } from '../../../contract/written-document.ts';
import type { ChangesQuestion } from '../../../domain/catalog/changes-search.ts';
import { dataClient } from '../../client/data-client.ts';
import { type Loadable } from '../../client/loadable.ts';
import {
  cachedAs,
  NO_ANSWER,
  patched,
  type Differences,
  type LiveAnswer,
} from '../../client/live-query-client.ts';
import { useDifferences } from '../use-differences.ts';
import { useQuery } from '../use-query.ts';

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

const CHANGES: Differences<ChangesQuestion, LiveAnswer, LivePatch> = {
  open: (question, listener) => dataClient().askLive('live-changes', question, listener),
  empty: NO_ANSWER,
  patched,
  cached: cachedAs('live-changes'),
};

/** A page of the changes that this device has, live. */
export function useLocalChanges(question: ChangesQuestion): LiveAnswer<ChangeRow> {
  return useDifferences(question, CHANGES) as LiveAnswer<ChangeRow>;
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
    void dataClient()
      .workers.compute.act('write-document', { json, form })
      .then((answer) => {
        if (isWanted)
          setWritten(
            answer.ok ? { document: answer.value, error: null } : { document: null, error: answer.error },
          );
      });
    return () => {
      isWanted = false;
    };
  }, [json, form]);
  return json === null ? { document: null, error: null } : written;
}
