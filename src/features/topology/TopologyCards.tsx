/** The tools and one level of the topology, its top or the parts of a component: as cards, or as a tree. */
import { IconFilter } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { CardGrid } from './cards/CardGrid.tsx';
import { messages } from './messages.ts';
import { Outline } from './outline/Outline.tsx';
import classes from './page.module.css';
import { fullAt } from './room.ts';
import { TopologyToolbar } from './TopologyToolbar.tsx';
import { NO_FILTERS } from './url-state.ts';
import type { useCards } from './use-cards.ts';

interface TopologyCardsProps {
  cards: ReturnType<typeof useCards>;
  /** The filters have room beside the search. */
  hasRoom: boolean;
  /** Where there is no component at all. */
  empty: ReactNode;
  view: 'cards' | 'outline';
}

function NoMatch({ cards }: Pick<TopologyCardsProps, 'cards'>) {
  const handleClear = () => {
    cards.clear();
    cards.change({ ...NO_FILTERS, search: '' });
  };
  return (
    <StateNote
      title={messages.noMatch}
      icon={<IconFilter size={32} stroke={1.3} />}
      role="status"
      actions={<Button onClick={handleClear}>{messages.clearFilters}</Button>}
    >
      <p>{messages.noMatchHint}</p>
    </StateNote>
  );
}

function Tree({ cards }: Pick<TopologyCardsProps, 'cards'>) {
  const { state, query, hrefOf } = cards;
  const { rootId } = query;
  // While somebody types it follows the link, which follows the text.
  const asked = useMemo(() => ({ ...state, rootId }), [state, rootId]);
  return <Outline asked={asked} hrefOf={hrefOf} />;
}

/** See the head of this file. */
export function TopologyCards({ cards, hasRoom, empty, view: shownAs }: TopologyCardsProps) {
  const { firstLoad } = useSyncStatus();
  const { view, state, query, change, width, setWidth, search, hrefOf } = cards;
  const { frame } = view;
  const isEmpty = frame.isLoaded && frame.totalCount === 0;
  const full = fullAt(frame.totalCount);
  const isThere = frame.isLoaded && frame.rowCount > 0;
  return (
    <>
      <TopologyToolbar
        facets={frame.facets}
        state={state}
        update={change}
        width={width}
        onWidth={setWidth}
        hasRoom={hasRoom}
        hasSizes={shownAs === 'cards'}
        box={search}
      />
      {full !== null && (
        <p role="note" className={classes.full}>
          {messages.full(full)}
        </p>
      )}
      {!frame.isLoaded && <SkeletonRows text={messages.loading} part={firstLoad} />}
      {isEmpty && empty}
      {frame.isLoaded && !isEmpty && frame.rowCount === 0 && <NoMatch cards={cards} />}
      {isThere && shownAs === 'outline' && <Tree cards={cards} />}
      {isThere && shownAs === 'cards' && (
        <CardGrid view={view} width={width} question={JSON.stringify(query)} hrefOf={hrefOf} />
      )}
    </>
  );
}
