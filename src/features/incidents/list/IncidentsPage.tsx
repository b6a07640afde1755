/** The incident list (spec 3 §2): answered by this device, filters in the link. */
import { IconFilter, IconFlame, IconPlus } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import type { LiveAnswer } from '../../../data/client/live-query-client.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { may } from '../../../domain/access/matrix.ts';
import { links } from '../../../domain/links.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { moveBetweenRows } from '../../../ui/tables/row-keys.ts';
import { Pager } from '../../../ui/tables/Pager.tsx';
import { usePendingVerbs } from '../../../ui/page/Bulk.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { BESIDE, PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { useSearchText } from '../../../ui/hooks/use-search-text.ts';
import { CreateIncident } from './CreateIncident.tsx';
import { Filters, FilterSheet } from './Filters.tsx';
import type { Reader } from '../incident-context.tsx';
import { IncidentCards } from './IncidentCards.tsx';
import { IncidentTable } from './IncidentTable.tsx';
import classes from './incidents.module.css';
import { messages } from './messages.ts';
import { SwipeHint } from './SwipeHint.tsx';
import { filterCount, isNarrowed, NO_FILTERS, listLink, listState, type ListState } from '../url-state.ts';
import { listSearch } from '../search-schemas.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useKnownChoosing, type KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { chosenOf } from './line-parts.tsx';
import { useIncidentList } from './use-incident-list.ts';
import { useListKeys } from './use-list-keys.ts';
import { useQuickStatus } from './use-quick-status.tsx';
import { PAGE_ROWS } from '../page-rows.ts';

interface IncidentsPageProps {
  reader: Reader;
  /** How much happened in each incident that the reader hasn't seen. */
  unread?: ReadonlyMap<string, number>;
}

const NOTHING_UNREAD: ReadonlyMap<string, number> = new Map();

interface RowsProps {
  answer: LiveAnswer<IncidentRow>;
  state: ListState;
  onChange: (part: Partial<ListState>) => void;
  reader: Reader;
  unread: ReadonlyMap<string, number>;
}

/** The list as it is, for links to what stands beside it. */
function tailOf(state: ListState): string {
  const text = new URLSearchParams(listSearch.format(listLink({ ...state, isCreating: false }))).toString();
  return text === '' ? '' : `?${text}`;
}

/** The incident that the address names. */
function useCurrentIncident(): string | null {
  const { incidentId } = useParams({ strict: false });
  return incidentId ?? null;
}

function Rows({
  answer,
  state,
  onChange,
  reader,
  unread,
  choosing,
}: RowsProps & { choosing: KnownChoosing }) {
  const isPhone = useMedia(PHONE);
  const { change, dialog } = useQuickStatus(reader);
  const onStatus = may(reader.roles, 'incident', 'write') ? change : null;
  const isBeside = useMedia(BESIDE);
  const tail = isBeside ? tailOf(state) : '';
  const asked = usePendingVerbs('incidents');
  const list = {
    rows: answer.rows,
    unread,
    onStatus,
    tail,
    currentId: useCurrentIncident(),
    choosing,
    asked,
  };
  return (
    <>
      {isPhone && onStatus !== null && <SwipeHint />}
      {isPhone ? (
        <IncidentCards {...list} />
      ) : (
        <IncidentTable {...list} sort={state.sort} onSort={(sort) => onChange({ sort })} />
      )}
      <Pager
        start={answer.start}
        count={answer.rows.length}
        total={answer.total}
        pageSize={PAGE_ROWS}
        onStart={(start) => onChange({ start })}
      />
      {dialog}
    </>
  );
}

function Shown(props: RowsProps & { choosing: KnownChoosing }) {
  const { answer, state, onChange } = props;
  const { firstLoad } = useSyncStatus();
  if (!answer.isLoaded) return <SkeletonRows text={messages.loading} part={firstLoad} />;
  if (answer.total > 0) return <Rows {...props} />;
  return (
    <StateNote
      title={messages.empty}
      icon={<IconFlame size={32} stroke={1.3} />}
      actions={
        isNarrowed(state) && <Button onClick={() => onChange(NO_FILTERS)}>{messages.clearFilters}</Button>
      }
    >
      <p>{messages.emptyHint}</p>
    </StateNote>
  );
}

interface BarProps {
  state: ListState;
  onFilter: () => void;
  onCreate: (() => void) | null;
}

function Content({ findAll, ...props }: RowsProps & Pick<ReturnType<typeof useIncidentList>, 'findAll'>) {
  const { rows, total } = props.answer;
  const shown = useMemo(() => rows.map(({ row }) => chosenOf(row)), [rows]);
  const choosing = useKnownChoosing('incidents', shown, { count: total, find: findAll });
  return (
    <>
      <Shown {...props} choosing={choosing} />
      {/* Stays where all that was chosen is gone from the list: it takes that back. */}
      <div className={classes.chosen}>{choosing.bar}</div>
    </>
  );
}

/** What a thumb reaches. */
function BottomBar({ state, onFilter, onCreate }: BarProps) {
  return (
    <div className={classes.bottomBar} data-bottom-bar>
      <Button onClick={onFilter} isPressed={filterCount(state) > 0}>
        <IconFilter size={18} aria-hidden />
        {messages.filterWith(filterCount(state))}
      </Button>
      {onCreate !== null && (
        <Button look="primary" onClick={onCreate}>
          <IconPlus size={18} aria-hidden />
          {messages.create}
        </Button>
      )}
    </div>
  );
}

/** The list's state in the link, and how it changes. */
function useListState() {
  const [search, changeSearch] = useSearchState(listSearch);
  const state = useMemo(() => listState(search), [search]);
  const change = useCallback(
    (part: Partial<ListState>, isReplacing = false) => {
      // A narrower list starts at its beginning.
      changeSearch(listLink({ ...state, start: 0, ...part }), { isReplacing });
    },
    [state, changeSearch],
  );
  return { state, change };
}

/** `unread` says which incidents have news for this reader. */
export function IncidentsPage({ reader, unread = NOTHING_UNREAD }: IncidentsPageProps) {
  const device = useDevice();
  const isPhone = useMedia(PHONE);
  const { state, change } = useListState();
  const [isFiltering, setIsFiltering] = useState(false);
  const linkSearch = useCallback((text: string) => change({ search: text }, true), [change]);
  const { text, seed, seedId, setText, clear } = useSearchText(state.search, linkSearch);
  const { answer, ask, findAll } = useIncidentList(state, text);
  const handleText = (next: string) => {
    ask(next);
    setText(next);
  };
  const canCreate = may(reader.roles, 'incident', 'write');
  const create = useCallback(() => change({ isCreating: true, start: state.start }), [change, state.start]);
  const { search: searchBox } = useListKeys(canCreate ? create : null);
  const narrow = (part: Partial<ListState>) => {
    if (part.search === '' && text !== '') clear();
    change(part);
  };
  const total = answer.isLoaded ? messages.total(answer.total) : '';
  return (
    <div className={classes.list} {...(isPhone ? { tabIndex: 0, onKeyDown: moveBetweenRows } : {})}>
      <header className={classes.head}>
        <h1>{messages.title}</h1>
        <span role="status" className={classes.total}>
          {total}
        </span>
        {canCreate && !isPhone && (
          <Button look="primary" onClick={create}>
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
          seed={seed}
          seedId={seedId}
          onChange={handleText}
          hint="/"
          inputRef={searchBox}
          className={classes.search ?? ''}
        />
        {!isPhone && <Filters state={state} onChange={change} />}
      </div>
      <div className={`${classes.rows} ${isPhone ? '' : classes.filling}`}>
        <Content
          answer={answer}
          findAll={findAll}
          state={state}
          onChange={narrow}
          reader={reader}
          unread={unread}
        />
      </div>
      {isPhone && (
        <BottomBar state={state} onFilter={() => setIsFiltering(true)} onCreate={canCreate ? create : null} />
      )}
      {isPhone && isFiltering && (
        <FilterSheet state={state} onChange={narrow} total={total} onClose={() => setIsFiltering(false)} />
      )}
      {state.isCreating && canCreate && (
        <CreateIncident
          seed={{ title: state.title, description: state.description }}
          onClose={() => change({ isCreating: false, title: '', description: '', start: state.start }, true)}
          // The form is an entry of its own in the history; Back is for the list.
          onCreated={(id) => device.navigate(links.incident(id), { isReplacing: true })}
        />
      )}
    </div>
  );
}
