import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { REACHES, SEVERITIES } from '../../../domain/catalog/changes-search.ts';
import { rangeLink, refusedRange } from '../../../domain/time/time-range.ts';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { TimeRangePicker } from '../../../ui/fields/TimeRangePicker.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { changesSearch } from '../search-schemas.ts';
import { messages } from './messages.ts';
import {
  filterOf,
  rangeOf,
  reachOf,
  severityOf,
  filterLink,
  reachLink,
  FIRST_PAGE,
  type ListFilter,
} from './url-state.ts';

const words = messages.filters;

const SEVERITY_OPTIONS = [
  { value: '', label: words.anySeverity },
  ...SEVERITIES.map((value) => ({ value, label: words.orWorse(value) })),
];
const REACH_OPTIONS = REACHES.map((value) => ({ value, label: messages.reaches[value] }));

/** The values of a column that are on this device. */
function useValues(collection: 'config_changes' | 'configs', field: string): string[] {
  const { groups } = useLiveQuery({
    collection,
    where: [],
    search: '',
    sort: [],
    groupBy: field,
    window: { start: 0, end: 0 },
  });
  return groups
    .flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []))
    .toSorted((a, b) => a.localeCompare(b));
}

/** Tags of all items, as the server lists them; kept on the device. */
function useTags(): string[] {
  const { kept } = useTable({ view: 'config_tags', order: [{ column: 'key', isDescending: false }] });
  return (kept?.value.rows ?? []).map(({ key, value }) => `${key}:${value ?? ''}`);
}

interface ChangesFiltersProps {
  hasReach: boolean;
  isDeletedHidden: boolean;
  onDeletedHidden: (isHidden: boolean) => void;
}

/** What narrows the changes down; every choice is part of the address. */
export function ChangesFilters(props: ChangesFiltersProps) {
  const [search, change] = useSearchState(changesSearch);
  const { hasReach, isDeletedHidden, onDeletedHidden } = props;
  const changeTypes = useValues('config_changes', 'change_type');
  const configTypes = useValues('configs', 'type');
  const tags = useTags();
  const filter = (name: ListFilter, label: string, options: readonly string[]) => (
    <TriStateFilter
      label={label}
      options={options}
      value={filterOf(search, name)}
      onChange={(value) => change(filterLink(name, value))}
    />
  );
  return (
    <>
      {filter('changeType', words.changeType, changeTypes)}
      <SelectField
        label={words.severity}
        value={severityOf(search)}
        options={SEVERITY_OPTIONS}
        onChange={(severity) => change({ ...FIRST_PAGE, severity })}
      />
      {filter('configTypes', words.configTypes, configTypes)}
      {filter('tags', words.tags, tags)}
      {hasReach && (
        <SelectField
          label={words.reach}
          value={reachOf(search)}
          options={REACH_OPTIONS}
          onChange={(value) => change(reachLink(REACHES.find((reach) => reach === value) ?? 'downstream'))}
        />
      )}
      <TimeRangePicker
        value={rangeOf(search)}
        refused={refusedRange(search)}
        onChange={(range) => change({ ...FIRST_PAGE, ...rangeLink(range) })}
      />
      <Switch label={words.hideDeleted} isOn={isDeletedHidden} onChange={onDeletedHidden} />
    </>
  );
}
