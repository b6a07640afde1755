/** The roots of the topology with their health, from this device; a search looks at every component. */
import type { CollectionRow } from '../../contract/queries/live-row-schemas.ts';
import { IconSitemap } from '@tabler/icons-react';
import type { Condition } from '../../contract/live-query.ts';
import { useLiveList } from '../../data/queries/use-live-list.ts';
import { useSyncStatus } from '../../data/device/use-sync-status.ts';
import { links } from '../../domain/links.ts';
import { shownHealth } from '../../domain/topology/component-health.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../ui/actions/Button.tsx';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { LineContent, ListPage, useListSearch, VirtualLines } from '../../ui/page/ListPage.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { messages } from './messages.ts';

const words = messages.list;
const SHOWN: Condition = { field: 'hidden', op: 'not', value: true };
const ROOT: Condition = { field: 'parent_id', op: 'eq', value: null };

function Line({ row }: { row: CollectionRow<'components'> }) {
  const { state, status } = shownHealth(row);
  return (
    <LineContent
      href={links.component(row.id)}
      name={row.text ?? row.name ?? row.id}
      mark={<HealthMark state={state} />}
      facts={[row.type, ui.health[state], status]}
    />
  );
}

/** The search is in the address. */
export function TopologyPage() {
  const { firstLoad } = useSyncStatus();
  const { text, box } = useListSearch(words);
  const list = useLiveList({
    collection: 'components',
    where: text === '' ? [SHOWN, ROOT] : [SHOWN],
    search: text,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
  });
  const empty = text === '' ? words.empty : words.nothingFound;
  return (
    <ListPage title={words.title} total={list.total > 0 ? words.total(list.total) : ''} box={box}>
      {!list.isLoaded && <SkeletonRows text={words.loading} part={firstLoad} />}
      {list.isLoaded && list.total === 0 && (
        <StateNote
          title={empty.title}
          icon={<IconSitemap size={32} stroke={1.3} />}
          actions={
            text === '' && (
              <AppLink href={links.health()} className={buttonClass('outline')}>
                {words.toHealth}
              </AppLink>
            )
          }
        >
          <p>{empty.hint}</p>
        </StateNote>
      )}
      {list.total > 0 && (
        <VirtualLines
          label={words.title}
          total={list.total}
          onRange={list.setRange}
          line={(index) => {
            const found = list.rowAt(index);
            return found === null ? null : <Line row={found.row} />;
          }}
        />
      )}
    </ListPage>
  );
}
