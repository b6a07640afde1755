/** The related items as a table: a tree by default, or sorted; the graph's content for who can't see it. */
import { useElementSize } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { RelationRow, RelationSort } from '../../../contract/relations.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { columnsWithoutRoom, type FoldableColumn } from '../../../ui/tables/fold-columns.ts';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import rowLink from '../../../ui/tables/row-link.module.css';
import { SortButton } from '../../../ui/actions/SortButton.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { ConfigIcon } from '../../../ui/marks/ConfigIcon.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { VirtualTable } from '../../../ui/tables/VirtualTable.tsx';
import { PHONE, useMedia } from '../../../ui/hooks/use-media.ts';
import { messages } from './messages.ts';
import classes from './Relationships.module.css';

const words = messages.columns;
type ColumnId = RelationSort | 'tags';
/** The first one names the row; a row's own page has what finds no room here. */
const COLUMNS: readonly (FoldableColumn & { id: ColumnId })[] = [
  { id: 'name' },
  { id: 'type', width: '160px', priority: 1 },
  { id: 'status', width: '112px' },
  { id: 'health', width: '116px', priority: 1 },
  { id: 'changes', width: '138px' },
  { id: 'depth', width: '80px' },
  { id: 'tags', width: '220px', priority: 3 },
];
/** Spec 3 §2 names these two of the tags. */
const SHOWN_TAGS = ['namespace', 'cluster'];
const INDENT_PX = 20;

export interface TableOrder {
  sortBy: RelationSort;
  isDescending: boolean;
}

interface RelationsTableProps {
  label: string;
  total: number;
  /** Null while that row is on its way. */
  rowAt: (index: number) => RelationRow | null;
  onRange: (start: number, end: number) => void;
  order: TableOrder;
  /** Null where the order is given. */
  onOrder: ((order: TableOrder) => void) | null;
}

/** Ascending, descending, as a tree again. */
function pressed(order: TableOrder, column: RelationSort): TableOrder {
  if (order.sortBy !== column) return { sortBy: column, isDescending: false };
  return order.isDescending
    ? { sortBy: 'tree', isDescending: false }
    : { sortBy: column, isDescending: true };
}

function columnWord(column: ColumnId): string {
  return column === 'tree' ? words.name : words[column];
}

function HeadCell({
  column,
  order,
  onOrder,
}: Pick<RelationsTableProps, 'order' | 'onOrder'> & { column: (typeof COLUMNS)[number] }) {
  const { id, width } = column;
  const direction = order.isDescending ? 'descending' : 'ascending';
  const sorted = order.sortBy === id ? direction : null;
  return (
    <th
      scope="col"
      data-column={id}
      style={width === undefined ? undefined : { width }}
      {...(sorted === null ? {} : { 'aria-sort': sorted })}
    >
      {onOrder === null || id === 'tags' ? (
        columnWord(id)
      ) : (
        <SortButton text={columnWord(id)} order={sorted} onPress={() => onOrder(pressed(order, id))} />
      )}
    </th>
  );
}

function NameCell({ row, isTree }: { row: RelationRow; isTree: boolean }) {
  return (
    <td className={classes.name}>
      <span className={classes.nameLine}>
        {isTree && row.depth > 0 && (
          <span className={classes.indent} style={{ width: row.depth * INDENT_PX }} />
        )}
        <ConfigIcon type={row.type} size={16} />
        <AppLink
          href={links.config(row.id)}
          className={`${rowLink.link} ${classes.rowLink}`}
          data-row-link=""
          title={row.name}
        >
          {row.name}
        </AppLink>
        <SilencedMark kind="config" id={row.id} />
        {row.side === 'self' && <Tag value={messages.thisItem} />}
        {row.deletedAt !== null && (
          <span className={classes.deleted} title={row.deletedAt}>
            <IconTrash size={13} aria-hidden />
            {messages.deleted}
          </span>
        )}
      </span>
    </td>
  );
}

function TagsCell({ row }: { row: RelationRow }) {
  const tags = SHOWN_TAGS.flatMap((key) =>
    row.tags[key] === undefined ? [] : [[key, row.tags[key]] as const],
  );
  return (
    <td data-label={words.tags}>
      <span className={classes.tags}>
        {tags.map(([key, value]) => (
          <Tag key={key} name={key} value={value} />
        ))}
      </span>
    </td>
  );
}

function Cell({ row, id, isTree }: { row: RelationRow; id: ColumnId; isTree: boolean }) {
  switch (id) {
    case 'name':
    case 'tree':
      return <NameCell row={row} isTree={isTree} />;
    case 'type':
      return (
        <td data-label={words.type} title={row.type}>
          {row.type}
        </td>
      );
    case 'status':
      return <td data-label={words.status}>{row.status ?? messages.nothing}</td>;
    case 'health':
      return (
        <td data-label={words.health}>
          <span className={classes.health}>
            <HealthMark state={healthOfWord(row.health)} />
            {row.health ?? messages.nothing}
          </span>
        </td>
      );
    case 'changes':
      return (
        <td data-label={words.changes} className={classes.number}>
          {row.changes}
        </td>
      );
    case 'depth':
      return (
        <td data-label={words.depth} className={classes.number} title={messages.sides[row.side]}>
          {row.depth}
        </td>
      );
    case 'tags':
      return <TagsCell row={row} />;
  }
}

/** Rows come by number, as they are scrolled to. */
export function RelationsTable(props: RelationsTableProps) {
  const { label, total, rowAt, onRange, order, onOrder } = props;
  const isTree = order.sortBy === 'tree';
  const isPhone = useMedia(PHONE);
  const { ref, width } = useElementSize();
  const shown = useMemo(() => {
    // A hand-held screen has all of them below each other.
    if (isPhone || width === 0) return COLUMNS;
    const gone = columnsWithoutRoom(COLUMNS, { availablePx: width, keptId: order.sortBy });
    return COLUMNS.filter(({ id }) => !gone.has(id));
  }, [isPhone, width, order.sortBy]);
  return (
    <VirtualTable
      label={label}
      tableClass={classes.table ?? ''}
      rowClass={rowLink.row ?? ''}
      scrollerRef={ref}
      scrollerClass={classes.scroller ?? ''}
      count={total}
      onRange={onRange}
      head={
        <tr>
          {shown.map((column) => (
            <HeadCell key={column.id} column={column} order={order} onOrder={onOrder} />
          ))}
        </tr>
      }
      cells={(index) => {
        const row = rowAt(index);
        if (row === null) return <td colSpan={shown.length} />;
        return shown.map(({ id }) => <Cell key={id} row={row} id={id} isTree={isTree} />);
      }}
    />
  );
}
