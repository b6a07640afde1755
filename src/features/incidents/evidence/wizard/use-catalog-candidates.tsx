/** Changes and findings of this device that can be attached, newest first; found by their item's name as well. */
import { IconGitCommit } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { LiveRow } from '../../../../contract/live-query.ts';
import type { CollectionRow } from '../../../../contract/queries/live-row-schemas.ts';
import { useLiveQuery } from '../../../../data/queries/use-live-query.ts';
import { draftOfChange, draftOfInsight } from '../../../../domain/incident/evidence-snapshot.ts';
import { AnalysisIcon } from '../../../../ui/marks/AnalysisIcon.tsx';
import { SeverityMark } from '../../SeverityMark.tsx';
import type { Candidate } from './candidate.ts';
import { messages } from './messages.ts';
import type { Candidates } from './use-subject-candidates.tsx';

const ROWS = 100;

function useConfigs(part: {
  search?: string;
  ids?: readonly string[];
}): readonly LiveRow<CollectionRow<'configs'>>[] {
  const { search = '', ids } = part;
  const isAsked = search !== '' || (ids?.length ?? 0) > 0;
  const { rows } = useLiveQuery({
    collection: 'configs',
    where: ids === undefined ? [] : [{ field: 'id', op: 'in', values: [...ids] }],
    search,
    sort: [],
    groupBy: null,
    window: { start: 0, end: isAsked ? ROWS : 0 },
  });
  return rows;
}

/** Rows that say the words themselves, or whose item's name does; each once, newest first. */
function useOfItems<Collection extends 'config_changes' | 'config_insights'>(
  collection: Collection,
  { search, newestBy }: { search: string; newestBy: string },
) {
  const shared = {
    collection,
    sort: [{ field: newestBy, isDescending: true }],
    groupBy: null,
  };
  const own = useLiveQuery({ ...shared, where: [], search, window: { start: 0, end: ROWS } });
  const items = useConfigs({ search });
  const ofItems = useLiveQuery({
    ...shared,
    where: [{ field: 'config_id', op: 'in', values: search === '' ? [] : items.map(({ id }) => id) }],
    search: '',
    window: { start: 0, end: ROWS },
  });
  const rows = useMemo(() => {
    const byId = new Map([...own.rows, ...ofItems.rows].map(({ id, row }) => [id, row]));
    return [...byId.values()].toSorted((a, b) => String(b[newestBy]).localeCompare(String(a[newestBy])));
  }, [own.rows, ofItems.rows, newestBy]);
  const configIds = [...new Set(rows.flatMap((row) => row.config_id ?? []))].slice(0, ROWS);
  const configs = useConfigs({ ids: configIds });
  const known = useMemo(() => new Map(configs.map(({ id, row }) => [id, row])), [configs]);
  return { isLoaded: own.isLoaded, rows, known, more: Math.max(0, own.total - own.rows.length) };
}

const groupOf = (search: string, candidates: readonly Candidate[]) => [
  { title: search === '' ? messages.recent : messages.found, candidates },
];

const NO_CONFIG = { name: null, type: null };

/** Changes of config items. */
export function useChangeCandidates(search: string): Candidates {
  const { isLoaded, rows, known, more } = useOfItems('config_changes', {
    search,
    newestBy: 'created_at',
  });
  const candidates = rows.map((row) => {
    const config = known.get(row.config_id) ?? NO_CONFIG;
    return {
      id: row.id,
      name: row.change_type ?? row.id,
      icon: <IconGitCommit size={16} stroke={1.6} aria-hidden />,
      mark: row.severity ? <SeverityMark severity={row.severity} /> : null,
      facts: [config.name, row.summary, row.source],
      at: row.created_at,
      draft: draftOfChange(row, config),
    };
  });
  return { isLoaded, groups: groupOf(search, candidates), more };
}

/** Open findings. */
export function useInsightCandidates(search: string): Candidates {
  const { isLoaded, rows, known, more } = useOfItems('config_insights', {
    search,
    newestBy: 'last_observed',
  });
  const candidates = rows.map((row) => {
    const config = known.get(row.config_id ?? '') ?? NO_CONFIG;
    return {
      id: row.id,
      name: row.summary ?? row.analyzer ?? row.id,
      icon: <AnalysisIcon type={row.analysis_type ?? ''} size={16} />,
      mark: row.severity ? <SeverityMark severity={row.severity} /> : null,
      facts: [config.name, row.analyzer, row.analysis_type],
      at: row.last_observed,
      draft: draftOfInsight(row, config),
    };
  });
  return { isLoaded, groups: groupOf(search, candidates), more };
}
