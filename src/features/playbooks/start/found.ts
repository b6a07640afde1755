/** Where a picker's options come from: the server, by the playbook's own selectors, else this device's rows. */
import { IS_SOMEBODY } from '../../../data/queries/somebody.ts';
import type { PlaybookResourceKind } from '../../../contract/http/playbooks/playbooks.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useQuery } from '../../../data/queries/use-query.ts';
import type { Condition } from '../../../contract/live-query.ts';
import type { Found } from '../../../ui/fields/Picker.tsx';
import { messages as shared } from '../messages.ts';
import { useSettled } from '../../../ui/hooks/use-settled.ts';

const ROWS = 50;
/** Spec 1 §9: resource search. */
const SEARCH_DELAY_MS = 300;
const COLLECTIONS = { config: 'configs', component: 'components', check: 'checks' } as const;
const NOWHERE: Condition[] = [{ field: 'id', op: 'in', values: [] }];

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function useRows(
  collection: 'configs' | 'components' | 'checks' | 'resources',
  where: Condition[],
  search: string,
) {
  return useLiveQuery({
    collection,
    where,
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: ROWS },
  });
}

/** Things of a kind that suit the selectors; without a network, whatever this device has. */
export function useResources(
  kind: PlaybookResourceKind,
  selectors: readonly Record<string, unknown>[],
  search: string,
): Found {
  const isReachable = useReachable();
  const settled = useSettled(search, SEARCH_DELAY_MS);
  const isOpen = selectors.length === 0;
  const needsSearch = isOpen && search === '';
  const asks = isReachable && !(isOpen && settled === '');
  const asked = asks ? { kind, selectors: [...selectors], search: settled } : null;
  const { kept, error } = useQuery('find-resources', asked);
  const isLocal = !isReachable || error !== null;
  const local = useRows(COLLECTIONS[kind], isLocal && !needsSearch ? [] : NOWHERE, search);
  if (needsSearch) return { options: [], isLoading: false, needsSearch: true };
  if (isLocal) {
    const options = local.rows.map(({ id, row }) => ({
      id,
      name: textOf(row.name) ?? id,
      note: textOf(row.type),
      thing: { kind, id },
    }));
    return {
      options,
      isLoading: !local.isLoaded,
      needsSearch: false,
      hint: isOpen ? null : shared.fromDevice,
    };
  }
  const options = (kept?.value ?? []).map(({ id, name, type }) => ({
    id,
    name,
    note: type ?? null,
    thing: { kind, id },
  }));
  return { options, isLoading: kept === null || settled !== search, needsSearch: false };
}

const PEOPLE: Condition[] = [...IS_SOMEBODY];
const TEAMS: Condition[] = [{ field: 'kind', op: 'eq', value: 'team' }];

/** People or teams, as this device has them. */
export function useNamed(kind: 'people' | 'team', search: string): Found {
  const { rows, isLoaded } = useRows('resources', kind === 'people' ? PEOPLE : TEAMS, search);
  const options = rows.map(({ id, row }) => ({ id, name: row.name ?? id }));
  return { options, isLoading: !isLoaded, needsSearch: false };
}
