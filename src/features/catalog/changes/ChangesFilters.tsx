import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useTable } from '../../../data/queries/use-table.ts';
import { REACHES, SEVERITIES } from '../../../domain/catalog/changes-search.ts';
import { refusedRange, withRange } from '../../../domain/time/time-range.ts';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Switch } from '../../../ui/fields/Switch.tsx';
import { TimeRangePicker } from '../../../ui/fields/TimeRangePicker.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import type { SearchProps } from '../../../ui/tables/use-table-state.ts';
import { messages } from './messages.ts';
import {
  parseFilter,
  rangeOf,
  reachOf,
  severityOf,
  withFilter,
  withReach,
  withSeverity,
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

interface ChangesFiltersProps extends SearchProps {
  hasReach: boolean;
  isDeletedHidden: boolean;
  onDeletedHidden: (isHidden: boolean) => void;
}

/** What narrows the changes down; every choice is part of the address. */
export function ChangesFilters(props: ChangesFiltersProps) {
  const { search, onSearch, hasReach, isDeletedHidden, onDeletedHidden } = props;
  const changeTypes = useValues('config_changes', 'change_type');
  const configTypes = useValues('configs', 'type');
  const tags = useTags();
  const filter = (name: ListFilter, label: string, options: readonly string[]) => (
    <TriStateFilter
      label={label}
      options={options}
      value={parseFilter(search, name)}
      onChange={(value) => onSearch(withFilter(search, name, value), true)}
    />
  );
  return (
    <>
      {filter('changeType', words.changeType, changeTypes)}
      <SelectField
        label={words.severity}
        value={severityOf(search)}
        options={SEVERITY_OPTIONS}
        onChange={(severity) => onSearch(withSeverity(search, severity), true)}
      />
      {filter('configTypes', words.configTypes, configTypes)}
      {filter('tags', words.tags, tags)}
      {hasReach && (
        <SelectField
          label={words.reach}
          value={reachOf(search)}
          options={REACH_OPTIONS}
          onChange={(value) =>
            onSearch(withReach(search, REACHES.find((reach) => reach === value) ?? 'downstream'), true)
          }
        />
      )}
      <TimeRangePicker
        value={rangeOf(search)}
        refused={refusedRange(search)}
        onChange={(range) => {
          const { pageIndex: _index, page: _page, ...rest } = search;
          onSearch(withRange(rest, range), true);
        }}
      />
      <Switch label={words.hideDeleted} isOn={isDeletedHidden} onChange={onDeletedHidden} />
    </>
  );
}
