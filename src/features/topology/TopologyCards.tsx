/** The tools and the cards of one level of the topology: its top, or the parts of a component. */
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { CardGrid } from './cards/CardGrid.tsx';
import { messages } from './messages.ts';
import { TopologyToolbar } from './TopologyToolbar.tsx';
import { NO_FILTERS } from './url-state.ts';
import type { useCards } from './use-cards.ts';

interface TopologyCardsProps {
  cards: ReturnType<typeof useCards>;
  /** The filters have room beside the search. */
  hasRoom: boolean;
  /** Where there is no component at all. */
  empty: ReactNode;
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

/** See the head of this file. */
export function TopologyCards({ cards, hasRoom, empty }: TopologyCardsProps) {
  const { firstLoad } = useSyncStatus();
  const { view, state, query, change, width, setWidth, search, hrefOf } = cards;
  const { frame } = view;
  const isEmpty = frame.isLoaded && frame.totalCount === 0;
  return (
    <>
      <TopologyToolbar
        facets={frame.facets}
        state={state}
        update={change}
        width={width}
        onWidth={setWidth}
        hasRoom={hasRoom}
        box={search}
      />
      {!frame.isLoaded && <SkeletonRows text={messages.loading} part={firstLoad} />}
      {isEmpty && empty}
      {frame.isLoaded && !isEmpty && frame.rowCount === 0 && <NoMatch cards={cards} />}
      {frame.isLoaded && frame.rowCount > 0 && (
        <CardGrid view={view} width={width} question={JSON.stringify(query)} hrefOf={hrefOf} />
      )}
    </>
  );
}
