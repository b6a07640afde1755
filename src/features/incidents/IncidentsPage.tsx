/** The incident list (spec 3 §2): answered by this device, filters in the link. */
import { IconFlame, IconPlus } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { IncidentRow } from '../../contract/collections.ts';
import type { Condition } from '../../contract/live-query.ts';
import type { LiveAnswer } from '../../data/live-query-client.ts';
import { useLiveQuery } from '../../data/use-live-query.ts';
import { useSyncStatus } from '../../data/use-sync-status.ts';
import { may } from '../../domain/access/matrix.ts';
import { INCIDENT_STATUSES, INCIDENT_TYPES } from '../../domain/incident/incident.ts';
import { links } from '../../domain/links.ts';
import { Button } from '../../ui/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StateNote } from '../../ui/StateNote.tsx';
import { useSearchText } from '../../ui/use-search-text.ts';
import { CreateIncident, OFFERED_SEVERITIES } from './CreateIncident.tsx';
import type { Reader } from './incident-context.tsx';
import { IncidentTable } from './IncidentTable.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import {
  ALL,
  isNarrowed,
  parseListSearch,
  writeListSearch,
  type ListSearch,
  type ListState,
} from './url-state.ts';
import { PAGE_ROWS } from './use-records.ts';
import { optionsFor } from './words.ts';

interface IncidentsPageProps {
  search: ListSearch;
  onSearch: (search: ListSearch, isReplacing: boolean) => void;
  reader: Reader;
}

const FILTERS = ['type', 'severity', 'status'] as const;
const OFFERED = {
  type: optionsFor('types', INCIDENT_TYPES),
  severity: optionsFor('severities', OFFERED_SEVERITIES),
  status: optionsFor('statuses', INCIDENT_STATUSES),
};

function conditions(state: ListState): Condition[] {
  return FILTERS.flatMap((field) =>
    state[field] === ALL ? [] : [{ field, op: 'eq' as const, value: state[field] }],
  );
}

interface RowsProps {
  answer: LiveAnswer<IncidentRow>;
  state: ListState;
  onChange: (part: Partial<ListState>) => void;
}

function Rows({ answer, state, onChange }: RowsProps) {
  const { firstLoad } = useSyncStatus();
  if (!answer.isLoaded) return <SkeletonRows text={messages.loading} part={firstLoad} />;
  if (answer.total === 0) {
    return (
      <StateNote
        title={messages.empty}
        icon={<IconFlame size={32} stroke={1.3} />}
        actions={
          isNarrowed(state) && (
            <Button
              onClick={() => onChange({ type: ALL, severity: ALL, status: 'open', search: '', start: 0 })}
            >
              {messages.clearFilters}
            </Button>
          )
        }
      >
        <p>{messages.emptyHint}</p>
      </StateNote>
    );
  }
  return (
    <>
      <IncidentTable rows={answer.rows} />
      <Pager
        start={answer.start}
        count={answer.rows.length}
        total={answer.total}
        pageSize={PAGE_ROWS}
        onStart={(start) => onChange({ start })}
      />
    </>
  );
}

export function IncidentsPage({ search, onSearch, reader }: IncidentsPageProps) {
  const device = useDevice();
  const state = useMemo(() => parseListSearch({ ...search }), [search]);
  const change = useCallback(
    (part: Partial<ListState>, isReplacing = false) => {
      // A narrower list starts at its beginning.
      onSearch(writeListSearch({ ...state, start: 0, ...part }), isReplacing);
    },
    [state, onSearch],
  );
  const linkSearch = useCallback((text: string) => change({ search: text }, true), [change]);
  const { text, seedId, setText } = useSearchText(state.search, linkSearch);
  const answer = useLiveQuery<IncidentRow>({
    collection: 'incidents',
    where: conditions(state),
    search: text,
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: state.start, end: state.start + PAGE_ROWS },
  });
  const canCreate = may(reader.roles, 'incident', 'write');
  return (
    <div className={classes.list} tabIndex={0}>
      <header className={classes.head}>
        <h1>{messages.title}</h1>
        <span role="status" className={classes.total}>
          {answer.isLoaded ? messages.total(answer.total) : ''}
        </span>
        {canCreate && (
          <Button look="primary" onClick={() => change({ isCreating: true })}>
            <IconPlus size={16} aria-hidden />
            {messages.create}
          </Button>
        )}
      </header>
      <div className={classes.toolbar}>
        <SearchBox
          label={messages.search}
          placeholder={messages.search}
          clearLabel={messages.clearSearch}
          seed={text}
          seedId={seedId}
          onChange={setText}
          className={classes.search ?? ''}
        />
        {FILTERS.map((field) => (
          <SelectField
            key={field}
            label={messages.filters[field]}
            value={state[field]}
            options={[{ value: ALL, label: messages.all }, ...OFFERED[field]]}
            onChange={(value) => change({ [field]: value })}
          />
        ))}
      </div>
      <Rows answer={answer} state={state} onChange={change} />
      {state.isCreating && canCreate && (
        <CreateIncident
          onClose={() => change({ isCreating: false, start: state.start }, true)}
          // The form is an entry of its own in the history; Back is for the list.
          onCreated={(id) => device.navigate(links.incident(id), { isReplacing: true })}
        />
      )}
    </div>
  );
}
