/** The configuration items by type and name, from this device; the search looks at names, types and labels. */
import { IconListSearch } from '@tabler/icons-react';
import type { Condition } from '../../contract/live-query.ts';
import { useLiveList } from '../../data/use-live-list.ts';
import { useSyncStatus } from '../../data/use-sync-status.ts';
import { healthOfWord } from '../../domain/check/health.ts';
import { links } from '../../domain/links.ts';
import { HealthMark } from '../../ui/HealthMark.tsx';
import { LineContent, ListPage, useListSearch, VirtualLines } from '../../ui/ListPage.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { StateNote } from '../../ui/StateNote.tsx';
import type { TextSearch } from '../../ui/text-search.ts';
import { messages } from './messages.ts';

interface ConfigRow {
  id: string;
  name: string | null;
  type: string | null;
  status: string | null;
  health: string | null;
}

const words = messages.list;
const LIVE: Condition = { field: 'deleted_at', op: 'eq', value: null };

function Line({ row }: { row: ConfigRow }) {
  return (
    <LineContent
      href={links.config(row.id)}
      name={row.name ?? row.id}
      mark={<HealthMark state={healthOfWord(row.health)} />}
      facts={[row.type, row.status ?? row.health]}
    />
  );
}

interface CatalogPageProps {
  search: TextSearch;
  onSearch: (search: TextSearch) => void;
}

export function CatalogPage({ search, onSearch }: CatalogPageProps) {
  const { firstLoad } = useSyncStatus();
  const { text, box } = useListSearch({ search, onSearch, words });
  const list = useLiveList<ConfigRow>({
    collection: 'configs',
    where: [LIVE],
    search: text,
    sort: [
      { field: 'type', isDescending: false },
      { field: 'name', isDescending: false },
    ],
    groupBy: null,
  });
  const empty = text === '' ? words.empty : words.nothingFound;
  return (
    <ListPage title={words.title} total={list.total > 0 ? words.total(list.total) : ''} box={box}>
      {!list.isLoaded && <SkeletonRows text={words.loading} part={firstLoad} />}
      {list.isLoaded && list.total === 0 && (
        <StateNote title={empty.title} icon={<IconListSearch size={32} stroke={1.3} />}>
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
