/** A list of changes with its filters, of the whole catalog or of one item (spec 2 §2 'Global changes list'). */
import { useMemo, useState } from 'react';
import type { ChangeRow } from '../../../contract/http/catalog/config-changes.ts';
import { links } from '../../../domain/links.ts';
import { formatClock } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { DataTable, type DataColumn } from '../../../ui/tables/DataTable.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { FoldingFilters } from '../../../ui/fields/FoldingFilters.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { StateNote } from '../../../ui/feedback/StateNote.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { changesSearch } from '../search-schemas.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { ChosenFilters, FilteredCell } from './CellFilters.tsx';
import classes from './changes.module.css';
import { ChangesFilters } from './ChangesFilters.tsx';
import { readDeletedHidden, writeDeletedHidden } from './hidden-deleted.ts';
import { messages } from './messages.ts';
import { filterCount, NEWEST_FIRST, questionOf, tableLink, tableOf } from './url-state.ts';
import { useChanges, type FoundChanges } from './use-changes.ts';

const words = messages.columns;
/** Tags that a row has room for. */
const SHOWN_TAGS = 2;

function authorOf(row: ChangeRow): { name: 'created_by' | 'external_created_by'; value: string | null } {
  return row.created_by === null
    ? { name: 'external_created_by', value: row.external_created_by }
    : { name: 'created_by', value: row.created_by };
}

function TypeCell({ row }: { row: ChangeRow }) {
  return (
    <span className={classes.type}>
      {row.change_type ?? ui.nothing}
      {row.count > 1 && <span className={classes.count}>{messages.times(row.count)}</span>}
      {row.severity !== null && row.severity !== '' && row.severity !== 'info' && (
        <Tag value={row.severity} />
      )}
    </span>
  );
}

function TagsCell({ tags }: { tags: ChangeRow['tags'] }) {
  const pairs = Object.entries(tags ?? {});
  if (pairs.length === 0) return ui.nothing;
  return (
    <span className={classes.tags} title={pairs.map(([key, value]) => `${key}: ${String(value)}`).join('\n')}>
      {pairs.slice(0, SHOWN_TAGS).map(([key, value]) => (
        <Tag key={key} name={key} value={String(value)} />
      ))}
      {pairs.length > SHOWN_TAGS && <span className={classes.moreTags}>+{pairs.length - SHOWN_TAGS}</span>}
    </span>
  );
}

function columnsOf(isItem: boolean): Record<string, DataColumn<ChangeRow>> {
  return {
    seen: {
      id: 'created_at',
      header: words.lastSeen,
      isSortable: true,
      width: '104px',
      cell: (row) => <Age at={row.created_at} />,
    },
    item: {
      id: 'name',
      header: words.item,
      isPlain: true,
      isSortable: true,
      priority: 1,
      cell: (row) => {
        const link = <AppLink href={links.config(row.config_id)}>{row.name ?? row.config_id}</AppLink>;
        return isItem ? (
          link
        ) : (
          <FilteredCell name="id" value={row.config_id} label={row.name ?? row.config_id}>
            {link}
          </FilteredCell>
        );
      },
    },
    type: {
      id: 'change_type',
      header: words.type,
      isSortable: true,
      priority: 1,
      cell: (row) => <TypeCell row={row} />,
    },
    summary: {
      id: 'summary',
      header: words.summary,
      isSortable: true,
      width: '240px',
      fills: true,
      isPlain: true,
      cell: (row) => (
        <FilteredCell name="summary" value={row.summary}>
          {row.summary ?? ui.nothing}
        </FilteredCell>
      ),
    },
    tags: {
      id: 'tags',
      header: words.tags,
      priority: 3,
      isPlain: true,
      width: '300px',
      isEmpty: ({ tags }) => Object.keys(tags ?? {}).length === 0,
      cell: (row) => <TagsCell tags={row.tags} />,
    },
    author: {
      id: 'created_by',
      header: words.createdBy,
      isEmpty: (row) => authorOf(row).value === null,
      cell: (row) => {
        const { name, value } = authorOf(row);
        return (
          <FilteredCell name={name} value={value}>
            {value ?? ui.nothing}
          </FilteredCell>
        );
      },
    },
  };
}

function useColumns(isItem: boolean): DataColumn<ChangeRow>[] {
  const isPhone = useMedia(PHONE);
  return useMemo(() => {
    const all = columnsOf(isItem);
    // A card is headed by what happened, a table by when.
    const order = isPhone
      ? ['type', 'item', 'seen', 'summary', 'author', 'tags']
      : ['seen', 'item', 'type', 'summary', 'tags', 'author'];
    return order.flatMap((name) => all[name] ?? []);
  }, [isItem, isPhone]);
}

/** Where the answer comes from, when it isn't this device alone. */
function SourceNote({ found }: { found: FoundChanges }) {
  const device = useDevice();
  if (found.isPartial) return <span className={classes.source}>{messages.onlyKept}</span>;
  if (found.server === null) return null;
  const clock = formatClock(found.server.asOfMs, device.now());
  return (
    <span className={classes.source}>
      {found.server.isKept ? ui.fromDevice(clock) : messages.fromServer(clock)}
    </span>
  );
}

/** `configId` null lists the whole catalog. */
export function ChangesList({ configId }: { configId: string | null }) {
  const [search, change] = useSearchState(changesSearch);
  const device = useDevice();
  const [isDeletedHidden, setDeletedHidden] = useState(readDeletedHidden(device));
  const question = useMemo(
    () => questionOf(search, { configId, isDeletedHidden, nowMs: device.now() }),
    [search, configId, isDeletedHidden, device],
  );
  const found = useChanges(question);
  const columns = useColumns(configId !== null);
  const open = search.change ?? null;
  const nameOf = (name: string, value: string) =>
    name === 'id' ? (found.rows?.find((row) => row.config_id === value)?.name ?? value) : value;
  return (
    <div className={classes.list}>
      <div className={classes.toolbar}>
        <FoldingFilters active={filterCount(search, configId !== null)}>
          <ChangesFilters
            hasReach={configId !== null}
            isDeletedHidden={isDeletedHidden}
            onDeletedHidden={(isHidden) => {
              writeDeletedHidden(device, isHidden);
              setDeletedHidden(isHidden);
            }}
          />
        </FoldingFilters>
      </div>
      <ChosenFilters nameOf={nameOf} />
      <div className={classes.lead}>
        <span role="status">{found.rows === undefined ? '' : messages.total(found.total)}</span>
        <SourceNote found={found} />
      </div>
      {found.problem === null ? (
        <DataTable
          label={messages.table}
          columns={columns}
          rows={found.rows}
          rowId={({ id }) => id}
          state={tableOf(search)}
          defaultSort={NEWEST_FIRST}
          onState={(state) => change(tableLink(state))}
          total={found.total}
          pressOf={(row) => () => change({ change: row.id }, { isReplacing: false })}
          emptyHint={messages.emptyHint}
        />
      ) : (
        <StateNote title={messages.failed} role="alert">
          <p>{found.problem}</p>
        </StateNote>
      )}
      {open !== null && (
        <ChangeDialog
          changeId={open}
          row={found.rows?.find(({ id }) => id === open) ?? null}
          onClose={() => change({ change: undefined }, { isReplacing: false })}
        />
      )}
    </div>
  );
}
