/** The catalog's front: a summary of everything by group, or the items of a type or a search, from this device. */
import { IconListSearch } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { CatalogGroupRow, CatalogFrame as Frame } from '../../../contract/catalog-view.ts';
import { findAllItems } from '../../../data/queries/find-all.ts';
import { useCatalogView } from '../../../data/queries/catalog/use-catalog-view.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { wanted } from '../../../domain/tri-state.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { useAskedKeys } from '../../../ui/hooks/use-asked-keys.ts';
import { usePendingVerbs, type ChosenThing } from '../../../ui/page/Bulk.tsx';
import { useKnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { CatalogFrame } from '../CatalogFrame.tsx';
import { summaryQuestion } from '../summary/server-changes.ts';
import { useServerChanges } from '../summary/use-server-changes.ts';
import { CatalogFooter } from './CatalogFooter.tsx';
import { CatalogTable } from './CatalogTable.tsx';
import { CatalogToolbar } from './CatalogToolbar.tsx';
import { columnsOf } from './columns.ts';
import { messages } from './messages.ts';
import { narrowedTo } from './narrowed-to.ts';
import { catalogQueryOf, opensToItems } from './url-state.ts';
import { useCatalogState, useHabits, type UpdateCatalog } from './use-catalog-state.ts';

/** A row is chosen by itself: there are no ranges over windows. */
const NONE_SHOWN: readonly ChosenThing[] = [];

function Empty({ frame, hideDeleted }: { frame: Frame; hideDeleted: boolean }) {
  const icon = <IconListSearch size={32} stroke={1.3} />;
  if (frame.totalCount > 0) {
    const { title, hint, deletedHint } = messages.nothingFound;
    return (
      <StateNote title={title} icon={icon}>
        <p>{hint}</p>
        {hideDeleted && <p>{deletedHint}</p>}
      </StateNote>
    );
  }
  const { title, hint, toScrapers } = messages.empty;
  return (
    <StateNote
      title={title}
      icon={icon}
      actions={
        <AppLink href="/catalog/scrapers" className={buttonClass('outline')}>
          {toScrapers}
        </AppLink>
      }
    >
      <p>{hint}</p>
    </StateNote>
  );
}

/** Filters, groups and order are in the link, habits on the device. */
export function CatalogPage() {
  const { firstLoad } = useSyncStatus();
  const { readState, update, box } = useCatalogState();
  const state = readState();
  const habits = useHabits();
  const { readKeys: readClosed, toggle } = useAskedKeys();
  const [wantsFacets, setWantsFacets] = useState(false);
  const { hideDeleted, favorites, toggleFavorite } = habits;
  const readLooks = useCallback(
    () => ({ hideDeleted, favorites, closed: readClosed(), wantsFacets }),
    [hideDeleted, favorites, readClosed, wantsFacets],
  );
  const query = catalogQueryOf(state, readLooks());
  const view = useCatalogView(query);
  const { frame, ask } = view;
  // What changes is asked for before anything is drawn: the worker answers meanwhile.
  const handleText = (search: string) => {
    ask(catalogQueryOf({ ...readState(), search }, readLooks()));
    box.setText(search);
  };
  const change: UpdateCatalog = useCallback(
    (part, isReplacing) => {
      ask(catalogQueryOf({ ...readState(), ...part }, readLooks()));
      update(part, isReplacing);
    },
    [ask, readState, readLooks, update],
  );
  const asked = query.hasItems ? null : summaryQuestion(state, query.groupBy, hideDeleted);
  const changes = useServerChanges(asked, query.groupBy);
  const isOneType = wanted(state.types).length === 1;
  const choosing = useKnownChoosing('configs', NONE_SHOWN, {
    count: query.hasItems ? frame.itemCount : 0,
    find: () => findAllItems(query),
  });
  const pending = usePendingVerbs('configs');
  const { hasItems } = query;
  const hasGroups = query.groupBy.length > 0;
  const { extraColumns: extra } = habits;
  const columns = useMemo(
    () => columnsOf({ hasItems, hasGroups, isOneType, extra }),
    [hasItems, hasGroups, isOneType, extra],
  );
  const handleGroup = useCallback(
    (row: CatalogGroupRow) => {
      if (row.isOpen !== null || opensToItems(row.by))
        ask(catalogQueryOf(readState(), { ...readLooks(), closed: toggle(row.key) }));
      else change(narrowedTo(row, readState()), false);
    },
    [ask, readState, readLooks, toggle, change],
  );
  // A search puts the best first, unless an order was chosen.
  const isRanked = state.search.trim() !== '' && state.sortBy === 'type' && !state.isDescending;
  const { closed: _closed, favorites: _favorites, wantsFacets: _wants, ...question } = query;
  return (
    <CatalogFrame
      tab="catalog"
      lead={frame.isLoaded && frame.totalCount > 0 && messages.items(frame.itemCount, frame.totalCount)}
      toolbar={
        <CatalogToolbar
          frame={frame}
          state={state}
          update={change}
          habits={habits}
          onFacets={setWantsFacets}
          box={{ ...box, setText: handleText }}
        />
      }
    >
      {!frame.isLoaded && <SkeletonRows text={messages.loading} part={firstLoad} />}
      {frame.isLoaded && frame.rowCount === 0 && <Empty frame={frame} hideDeleted={hideDeleted} />}
      {frame.isLoaded && frame.rowCount > 0 && (
        <CatalogTable
          view={view}
          columns={columns}
          sort={isRanked ? null : { by: state.sortBy, isDescending: state.isDescending }}
          question={JSON.stringify(question)}
          onSort={(column) =>
            change({ sortBy: column, isDescending: state.sortBy === column && !state.isDescending })
          }
          onGroup={handleGroup}
          onPin={toggleFavorite}
          changesOf={changes.changesOf}
          choosing={choosing}
          asked={pending}
        />
      )}
      {choosing.bar}
      {frame.isLoaded && (
        <CatalogFooter frame={frame} state={state} hideDeleted={hideDeleted} changes={changes} />
      )}
    </CatalogFrame>
  );
}
