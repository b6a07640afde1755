import { formatCount } from '../../../domain/format-count.ts';
import { IconChevronRight, IconPin, IconPinFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { memo } from 'react';
import type { CatalogColumn, CatalogGroupRow } from '../../../contract/catalog-view.ts';
import { shortType } from '../../../domain/catalog/type-names.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { HealthBar } from '../../../ui/marks/HealthBar.tsx';
import grid from '../../../ui/tables/GridTable.module.css';
import rowLink from '../../../ui/tables/row-link.module.css';
import classes from './CatalogTable.module.css';
import { AnalysisCell, ChangesCell, GroupCost } from './cells.tsx';
import type { LineShape } from './ItemLine.tsx';
import { messages } from './messages.ts';

const STEP_PX = 20;

interface GroupLineProps extends LineShape {
  row: CatalogGroupRow;
  changes: { count: number; days: number };
  onPress: (row: CatalogGroupRow) => void;
  onPin: (type: string) => void;
}

/** Below its class a type needs no second mention of it. */
function nameOf(row: CatalogGroupRow): string {
  if (row.value === null) return messages.noValue(row.by);
  const isBelowClass = row.path.some(({ by }) => by === 'config_class');
  return row.by === 'type' && isBelowClass ? shortType(row.value) : row.value;
}

function Name({ row, onPress, onPin }: Pick<GroupLineProps, 'row' | 'onPress' | 'onPin'>) {
  const name = nameOf(row);
  const { value } = row;
  return (
    <>
      <button
        type="button"
        className={`${rowLink.link} ${classes.link} ${classes.groupName}`}
        data-row-link=""
        title={value ?? name}
        onClick={() => onPress(row)}
      >
        {row.isOpen !== null && (
          <IconChevronRight
            size={15}
            aria-hidden
            className={`${classes.chevron} ${row.isOpen ? classes.open : ''}`}
          />
        )}
        <span className={classes.groupText}>{name}</span>
        <span className={classes.count}>{formatCount(row.count)}</span>
      </button>
      {row.by === 'type' && value !== null && (
        <IconButton
          label={row.isFavorite ? messages.unpin(value) : messages.pin(value)}
          className={`${classes.pin} ${row.isFavorite ? classes.pinned : ''}`}
          onClick={() => onPin(value)}
        >
          {row.isFavorite ? <IconPinFilled size={15} /> : <IconPin size={15} />}
        </IconButton>
      )}
    </>
  );
}

function cellOf(props: GroupLineProps, column: CatalogColumn): ReactNode {
  const { row, changes } = props;
  switch (column) {
    case 'name':
      return <Name {...props} />;
    case 'health':
      return <HealthBar counts={row.health} words={messages.health} />;
    case 'changes':
      return <ChangesCell changes={changes.count} days={changes.days} />;
    case 'analysis':
      return <AnalysisCell analysis={row.analysis} />;
    case 'cost_total_1d':
    case 'cost_total_7d':
    case 'cost_total_30d':
      return <GroupCost row={row} />;
    case 'created_at':
      return <Age at={row.createdAt} />;
    case 'updated_at':
      return <Age at={row.updatedAt} />;
    case 'type':
    case 'tags':
    case 'deleted_at':
    case 'changed':
    case 'count':
      return null;
  }
}

/** A group of items: what they add up to. Its press opens it, or narrows the list to it. */
export const GroupLine = memo(function GroupLine(props: GroupLineProps) {
  const { row, index, height, columns, isPhone } = props;
  const place = {
    role: 'row',
    'aria-rowindex': index + 2,
    'aria-level': row.depth + 1,
    ...(row.isOpen === null ? {} : { 'aria-expanded': row.isOpen }),
    'data-row-kind': 'group',
    style: { height },
  };
  const look = `${grid.row} ${rowLink.row} ${classes.line} ${row.isOpen === null ? '' : classes.head1}`;
  if (isPhone) {
    return (
      <div {...place} className={`${look} ${grid.phone} ${classes.phone}`}>
        <div role="gridcell" className={classes.phoneName} style={{ paddingLeft: (row.depth * STEP_PX) / 2 }}>
          <Name {...props} />
        </div>
        <div role="gridcell" className={classes.phoneSide}>
          <Age at={row.updatedAt} />
        </div>
        <div role="gridcell" className={classes.phoneSub} style={{ paddingLeft: (row.depth * STEP_PX) / 2 }}>
          <HealthBar counts={row.health} words={messages.health} hasBar={false} />
        </div>
        <div role="gridcell" className={classes.phoneFacts}>
          <GroupCost row={row} />
        </div>
      </div>
    );
  }
  return (
    <div {...place} className={look}>
      {columns.map(({ id, align }, at) => (
        <div
          key={id}
          role="gridcell"
          className={`${classes.cell} ${align === 'end' ? classes.end : ''} ${at === 0 ? classes.first : ''}`}
          style={at === 0 ? { paddingLeft: row.depth * STEP_PX } : undefined}
        >
          {cellOf(props, id)}
        </div>
      ))}
    </div>
  );
});
