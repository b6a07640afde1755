/** Tiles that list what happens: open incidents, changes of the catalog. */
import { useMemo } from 'react';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useLocalChanges } from '../../../data/queries/catalog/use-catalog.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { NO_QUESTION } from '../../../domain/catalog/changes-search.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import { fitOf } from '../../../domain/wall/fit.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { messages } from '../messages.ts';
import { Entries, Entry } from './Entries.tsx';
import { useFitting } from './use-fitting.ts';
import { OPEN_STATUSES } from './wall-queries.ts';

const words = messages.tiles;

/** Any incident needs somebody; those that matter most are red. */
function stateOfSeverity(severity: string): HealthState {
  return ['blocker', 'critical', 'high'].includes(severity.toLowerCase()) ? 'unhealthy' : 'warning';
}

/** How many incidents are open, and the newest of them. */
export function useOpenIncidents(shown: number) {
  const question = useMemo(
    () => ({
      collection: 'incidents' as const,
      where: [{ field: 'status', op: 'in' as const, values: [...OPEN_STATUSES] }],
      search: '',
      sort: [{ field: 'created_at', isDescending: true }],
      groupBy: null,
      window: { start: 0, end: shown },
    }),
    [shown],
  );
  return useLiveQuery(question);
}

/** Open incidents, the newest first. */
export function IncidentsTile({ scale }: { scale: number }) {
  const fitting = useFitting({ scale, isProse: true });
  const { rows, total, isLoaded } = useOpenIncidents(fitting.capacity);
  const { firstLoad } = useSyncStatus();
  const { shown, more } = fitOf(total, fitting.capacity);
  const empty = isLoaded && firstLoad === null ? words.noIncidents : words.loading;
  return (
    <Entries fitting={fitting} columns={1} more={more} empty={rows.length === 0 ? empty : null}>
      {rows.slice(0, shown).map(({ id, row }) => (
        <Entry
          key={id}
          state={stateOfSeverity(row.severity)}
          name={`${row.incident_id} ${row.title}`.trim()}
          aside={<Age at={row.created_at} />}
        />
      ))}
    </Entries>
  );
}

/** Changes of the catalog, the newest first. */
export function ChangesTile({ scale }: { scale: number }) {
  const fitting = useFitting({ scale, isProse: true });
  const question = useMemo(
    () => ({ ...NO_QUESTION, page_size: Math.max(1, fitting.capacity) }),
    [fitting.capacity],
  );
  const { rows, total, isLoaded } = useLocalChanges(question);
  const { shown, more } = fitOf(total, fitting.capacity);
  const empty = isLoaded ? words.noChanges : words.loading;
  return (
    <Entries fitting={fitting} columns={1} more={more} empty={rows.length === 0 ? empty : null}>
      {rows.slice(0, shown).map(({ id, row }) => (
        <Entry
          key={id}
          state={stateOfSeverity(row.severity ?? '') === 'unhealthy' ? 'unhealthy' : 'unknown'}
          name={[row.name, row.change_type, row.summary].filter(Boolean).join(' · ')}
          aside={<Age at={row.created_at ?? null} />}
        />
      ))}
    </Entries>
  );
}
