/** Keeps the playbooks of open incidents and of pinned things on this device, for when there is no network. */
import { useEffect } from 'react';
import type { PlaybookResource } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { keepPlaybooks } from '../../../data/queries/keep-playbooks.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRecords } from '../../../data/queries/use-live-records.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { readPinned } from './pinned.ts';

const OPEN_INCIDENTS = 30;
const EVIDENCES = 100;
const CLOSED = ['closed', 'resolved'];

/** What the evidences of open incidents are about, each once. */
function useThingsOfIncidents(): readonly PlaybookResource[] {
  const incidents = useLiveQuery({
    collection: 'incidents',
    where: [{ field: 'status', op: 'not-in', values: CLOSED }],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: OPEN_INCIDENTS },
  });
  const ids = incidents.rows.map(({ id }) => id).toSorted();
  const evidences = useLiveRecords('evidence', {
    where: [{ field: 'incident_id', op: 'in', values: ids }],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: ids.length === 0 ? 0 : EVIDENCES },
  });
  return evidences.rows.flatMap(({ row }) => [
    ...(row.check_id === null ? [] : [{ kind: 'check' as const, id: row.check_id }]),
    ...(row.component_id === null ? [] : [{ kind: 'component' as const, id: row.component_id }]),
    ...(row.config_id === null ? [] : [{ kind: 'config' as const, id: row.config_id }]),
  ]);
}

/** Shows nothing. */
export function KeepPlaybooks() {
  const device = useDevice();
  const isReachable = useReachable();
  const things = useThingsOfIncidents();
  const key = [...new Set(things.map(({ kind, id }) => `${kind} ${id}`))].toSorted().join();
  useEffect(() => {
    if (!isReachable) return;
    const over = new AbortController();
    const named = key === '' ? [] : key.split(',');
    const ofIncidents = named.map((text) => {
      const [kind = '', id = ''] = text.split(' ');
      return { kind: kind as PlaybookResource['kind'], id };
    });
    // Whatever goes wrong leaves what is kept as it is; it is asked again when the server is back.
    void keepPlaybooks([...ofIncidents, ...readPinned(device)], over.signal);
    return () => over.abort();
  }, [key, isReachable, device]);
  return null;
}
