/** The related items as a table: a tree by default, or sorted; the graph's content for who can't see it. */
import { IconTrash } from '@tabler/icons-react';
import { TableVirtuoso, type ItemProps } from 'react-virtuoso';
import type { RelationRow, RelationSort } from '../../../contract/relations.ts';
import { healthOfWord } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/AppLink.tsx';
import { HealthMark } from '../../../ui/HealthMark.tsx';
import rowLink from '../../../ui/row-link.module.css';
import { SortButton } from '../../../ui/SortButton.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { ConfigIcon } from '../../../ui/ConfigIcon.tsx';
import { messages } from './messages.ts';
import classes from './Relationships.module.css';

const COLUMNS: readonly RelationSort[] = ['name', 'type', 'status', 'health', 'changes', 'depth'];
const words = messages.columns;
/** Spec 3 §2 names these two of the tags. */
const SHOWN_TAGS = ['namespace', 'cluster'];
const OVERSCAN_PX = 350;
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

function columnWord(column: RelationSort): string {
  return column === 'tree' ? words.name : words[column];
}

function HeadCell({
  column,
  order,
  onOrder,
}: Pick<RelationsTableProps, 'order' | 'onOrder'> & { column: RelationSort }) {
  const direction = order.isDescending ? 'descending' : 'ascending';
  const sorted = order.sortBy === column ? direction : null;
  return (
    <th scope="col" data-column={column} {...(sorted === null ? {} : { 'aria-sort': sorted })}>
      {onOrder === null ? (
        columnWord(column)
      ) : (
        <SortButton
          text={columnWord(column)}
          order={sorted}
          onPress={() => onOrder(pressed(order, column))}
        />
      )}
    </th>
  );
}

function Cells({ row, isTree }: { row: RelationRow; isTree: boolean }) {
  const health = healthOfWord(row.health);
  const tags = SHOWN_TAGS.flatMap((key) =>
    row.tags[key] === undefined ? [] : [[key, row.tags[key]] as const],
  );
  return (
    <>
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
          >
            {row.name}
          </AppLink>
          {row.side === 'self' && <Tag value={messages.thisItem} />}
          {row.deletedAt !== null && (
            <span className={classes.deleted} title={row.deletedAt}>
              <IconTrash size={13} aria-hidden />
              {messages.deleted}
            </span>
          )}
        </span>
      </td>
      <td data-label={words.type}>{row.type}</td>
      <td data-label={words.status}>{row.status ?? messages.nothing}</td>
      <td data-label={words.health}>
        <span className={classes.health}>
          <HealthMark state={health} />
          {row.health ?? messages.nothing}
        </span>
      </td>
      <td data-label={words.changes} className={classes.number}>
        {row.changes}
      </td>
      <td data-label={words.depth} className={classes.number} title={messages.sides[row.side]}>
        {row.depth}
      </td>
      <td data-label={words.tags}>
        <span className={classes.tags}>
          {tags.map(([key, value]) => (
            <Tag key={key} name={key} value={value} />
          ))}
        </span>
      </td>
    </>
  );
}

interface Context {
  label: string;
}

const PARTS = {
  Table: ({ context, ...props }: React.ComponentProps<'table'> & { context: Context }) => (
    <table {...props} aria-label={context.label} className={classes.table} />
  ),
  TableRow: ({ item: _item, context: _context, ...props }: ItemProps<unknown> & { context: Context }) => (
    <tr {...props} className={rowLink.row} />
  ),
};

export function RelationsTable(props: RelationsTableProps) {
  const { label, total, rowAt, onRange, order, onOrder } = props;
  const isTree = order.sortBy === 'tree';
  return (
    <TableVirtuoso
      className={classes.scroller}
      context={{ label }}
      totalCount={total}
      increaseViewportBy={OVERSCAN_PX}
      components={PARTS}
      rangeChanged={({ startIndex, endIndex }) => onRange(startIndex, endIndex + 1)}
      fixedHeaderContent={() => (
        <tr>
          {COLUMNS.map((column) => (
            <HeadCell key={column} column={column} order={order} onOrder={onOrder} />
          ))}
          <th scope="col" data-column="tags">
            {words.tags}
          </th>
        </tr>
      )}
      itemContent={(index) => {
        const row = rowAt(index);
        return row === null ? <td colSpan={COLUMNS.length + 1} /> : <Cells row={row} isTree={isTree} />;
      }}
    />
  );
}
