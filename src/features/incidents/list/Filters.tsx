/** What narrows the list: beside its search where there is room, from below on a hand-held screen. */
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { Sheet } from '../../../ui/overlays/Sheet.tsx';
import { OFFERED_SEVERITIES } from './CreateIncident.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import { ResourcePicker } from '../ResourcePicker.tsx';
import { ALL, SORTS } from '../search-schemas.ts';
import { DEFAULT_SORT, filterCount, NO_FILTERS, type ListState } from '../url-state.ts';
import { optionsFor } from '../words.ts';

const FIELDS = ['type', 'severity', 'status'] as const;
const OFFERED = { type: INCIDENT_TYPES, severity: OFFERED_SEVERITIES, status: INCIDENT_STATUSES };
const VOCABULARIES = { type: 'types', severity: 'severities', status: 'statuses' } as const;
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: messages.sorts[value] }));

interface FiltersProps {
  state: ListState;
  onChange: (part: Partial<ListState>) => void;
}

function optionsOf(field: (typeof FIELDS)[number], value: string) {
  const present = value === ALL ? undefined : value;
  return [{ value: ALL, label: messages.all }, ...optionsFor(VOCABULARIES[field], OFFERED[field], present)];
}

/** All of them, in a row or one below the other. */
export function Filters({ state, onChange, isStacked = false }: FiltersProps & { isStacked?: boolean }) {
  const caption = isStacked ? 'above' : 'beside';
  const idOrAll = (value: string) => (value === ALL ? null : value);
  return (
    <>
      {FIELDS.map((field) => (
        <SelectField
          key={field}
          caption={caption}
          label={messages.filters[field]}
          value={state[field]}
          options={optionsOf(field, state[field])}
          onChange={(value) => onChange({ [field]: value })}
        />
      ))}
      <ResourcePicker
        kind="author"
        caption={isStacked ? 'above' : 'inside'}
        label={messages.filters.owner}
        value={idOrAll(state.owner)}
        none={messages.all}
        onChange={(id) => onChange({ owner: id ?? ALL })}
      />
      <ResourcePicker
        kind="component"
        caption={isStacked ? 'above' : 'inside'}
        label={messages.filters.component}
        value={idOrAll(state.component)}
        none={messages.all}
        onChange={(id) => onChange({ component: id ?? ALL })}
      />
      <SelectField
        caption={caption}
        label={messages.filters.sort}
        value={state.sort}
        options={SORT_OPTIONS}
        onChange={(value) => onChange({ sort: SORTS.find((sort) => sort === value) ?? DEFAULT_SORT })}
      />
    </>
  );
}

/** The filters of a hand-held screen; what is chosen applies at once. */
export function FilterSheet(props: FiltersProps & { total: string; onClose: () => void }) {
  const { state, onChange, total, onClose } = props;
  return (
    <Sheet label={messages.filter} side="bottom" hasTitle onClose={onClose}>
      <div className={classes.filterSheet}>
        <Filters state={state} onChange={onChange} isStacked />
        <div className={classes.formActions}>
          <Button
            look="quiet"
            disabled={filterCount(state) === 0}
            onClick={() => onChange({ ...NO_FILTERS, search: state.search })}
          >
            {messages.clearFilters}
          </Button>
          <Button look="primary" onClick={onClose}>
            {messages.show(total)}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
