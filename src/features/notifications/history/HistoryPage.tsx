/** The send history (spec 2 §2): what rules told, to whom, and what they did not, and why; from this device. */
import { useMemo } from 'react';
import { IconBell } from '@tabler/icons-react';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { FoldingFilters } from '../../../ui/fields/FoldingFilters.tsx';
import { TriStateFilter } from '../../../ui/fields/TriStateFilter.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { useKnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { NotificationsFrame } from '../NotificationsFrame.tsx';
import { historySearch } from '../search-schemas.ts';
import { HistorySheet } from './HistorySheet.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { messages } from './messages.ts';
import { chosenOf, useHistory, type History } from './use-history.ts';

/** Contract §19.7. */
const STATUSES = ['sent', 'error', 'pending', 'cancelled', 'repeat-interval', 'silenced'];
const TYPES = ['check', 'canary', 'component', 'config'];
const NO_FILTERS = { status: {}, resource_type: {} };

function Nothing({ history, isFiltered }: { history: History; isFiltered: boolean }) {
  if (!history.isLoaded) return <SkeletonRows text={messages.loading} />;
  const icon = <IconBell size={32} stroke={1.3} />;
  if (isFiltered) {
    return (
      <StateNote title={messages.nothingFound} icon={icon}>
        <p>{messages.nothingFoundHint}</p>
      </StateNote>
    );
  }
  return (
    <StateNote
      title={messages.empty}
      icon={icon}
      actions={<AppLink href={links.notificationRules()}>{messages.toRules}</AppLink>}
    >
      <p>{messages.emptyHint}</p>
    </StateNote>
  );
}

/** `mayWrite`: who may send again and silence. */
export function HistoryPage({ mayWrite }: { mayWrite: boolean }) {
  const [search, change] = useSearchState(historySearch);
  const history = useHistory(search);
  const shown = useMemo(() => history.shown.map(chosenOf), [history.shown]);
  const choosing = useKnownChoosing('notification_history', shown, {
    count: history.count,
    find: history.findAll,
  });
  const { status = {}, resource_type: types = {} } = search;
  const active = Object.keys(status).length + Object.keys(types).length;
  return (
    <NotificationsFrame
      tab="history"
      lead={history.isLoaded ? messages.total(history.count) : ''}
      toolbar={
        <FoldingFilters active={active}>
          <TriStateFilter
            label={messages.filters.status}
            options={STATUSES}
            value={status}
            textOf={(value) => messages.statuses[value] ?? value}
            onChange={(value) => change({ status: value })}
          />
          <TriStateFilter
            label={messages.filters.type}
            options={TYPES}
            value={types}
            textOf={(value) => messages.kinds[value] ?? value}
            onChange={(value) => change({ resource_type: value })}
          />
          {active > 0 && (
            <Button look="quiet" onClick={() => change(NO_FILTERS)}>
              {messages.clear}
            </Button>
          )}
        </FoldingFilters>
      }
    >
      {history.count === 0 ? (
        <Nothing history={history} isFiltered={active > 0} />
      ) : (
        <HistoryTable
          history={history}
          choosing={choosing}
          onOpen={(id) => change({ id }, { isReplacing: false })}
        />
      )}
      {choosing.bar}
      {search.id !== undefined && (
        <HistorySheet
          id={search.id}
          mayWrite={mayWrite}
          onClose={() => change({ id: undefined }, { isReplacing: false })}
        />
      )}
    </NotificationsFrame>
  );
}
