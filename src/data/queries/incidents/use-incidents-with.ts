import { useLiveAnswer } from '../use-live-answer.ts';

const NO_ROWS = { start: 0, end: 0 };

/** Ids of all incidents that have one of these components for evidence, each once; none are asked about where null. */
export function useIncidentsWith(componentIds: readonly string[] | null): {
  ids: readonly string[];
  isLoaded: boolean;
} {
  const found = useLiveAnswer(
    componentIds === null
      ? null
      : {
          collection: 'incident_records',
          where: [
            { field: 'kind', op: 'eq', value: 'evidence' },
            { field: 'component_id', op: 'in', values: [...componentIds] },
          ],
          search: '',
          sort: [],
          groupBy: 'incident_id',
          window: NO_ROWS,
        },
  );
  const groups = found?.groups ?? [];
  return {
    ids: groups.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])).toSorted(),
    isLoaded: found?.isLoaded === true,
  };
}
