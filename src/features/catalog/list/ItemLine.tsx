import type { ReactNode } from 'react';
import { memo } from 'react';
import type { CatalogColumn, CatalogItemRow } from '../../../contract/catalog-view.ts';
import { shortType } from '../../../domain/catalog/type-names.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import grid from '../../../ui/tables/GridTable.module.css';
import rowLink from '../../../ui/tables/row-link.module.css';
import classes from './CatalogTable.module.css';
import { AnalysisCell, ChangesCell, CostCell, StatusCell, TagsCell } from './cells.tsx';
import type { ListColumn } from './columns.ts';

export interface LineShape {
  index: number;
  height: number;
  columns: readonly ListColumn[];
  isPhone: boolean;
}

/** The changes that are kept here. */
const LOCAL_DAYS = 7;
const STEP_PX = 20;

function Name({ row }: { row: CatalogItemRow }) {
  return (
    <>
      <AppLink
        href={links.config(row.key)}
        className={`${rowLink.link} ${classes.link}`}
        data-row-link=""
        title={row.name}
      >
        {row.name}
      </AppLink>
      <SilencedMark kind="config" id={row.key} />
    </>
  );
}

function cellOf(row: CatalogItemRow, column: CatalogColumn): ReactNode {
  switch (column) {
    case 'name':
      return <Name row={row} />;
    case 'type':
      return <span title={row.type ?? ''}>{row.type === null ? ui.nothing : shortType(row.type)}</span>;
    case 'health':
      return <StatusCell row={row} />;
    case 'changes':
      return <ChangesCell changes={row.changes} days={LOCAL_DAYS} />;
    case 'tags':
      return <TagsCell tags={row.tags} />;
    case 'analysis':
      return <AnalysisCell analysis={row.analysis} />;
    case 'cost_total_1d':
    case 'cost_total_7d':
    case 'cost_total_30d':
      return <CostCell row={row} name={row.name} />;
    case 'created_at':
      return <Age at={row.createdAt} />;
    case 'updated_at':
      return <Age at={row.updatedAt} />;
    case 'deleted_at':
      return <Age at={row.deletedAt} />;
    case 'changed':
      return <Age at={row.changedAt} />;
    case 'count':
      return null;
  }
}

function PhoneCells({ row }: { row: CatalogItemRow }) {
  const [place] = Object.values(row.tags);
  return (
    <>
      <div role="gridcell" className={classes.phoneName}>
        <Name row={row} />
      </div>
      <div role="gridcell" className={classes.phoneSide}>
        <StatusCell row={row} />
      </div>
      <div role="gridcell" className={classes.phoneSub}>
        {[row.type === null ? null : shortType(row.type), place].filter(Boolean).join(' · ')}
      </div>
      <div role="gridcell" className={classes.phoneFacts}>
        <AnalysisCell analysis={row.analysis} />
        <Age at={row.updatedAt} />
      </div>
    </>
  );
}

/** One item of the catalog; all of it leads to the item's page. */
export const ItemLine = memo(function ItemLine({
  row,
  index,
  height,
  columns,
  isPhone,
}: LineShape & {
  row: CatalogItemRow;
}) {
  const look = `${grid.row} ${rowLink.row} ${classes.line} ${row.deletedAt === null ? '' : classes.gone}`;
  const place = { role: 'row', 'aria-rowindex': index + 2, 'aria-level': row.depth + 1 };
  if (isPhone) {
    return (
      <div
        {...place}
        data-row-kind="item"
        className={`${look} ${grid.phone} ${classes.phone}`}
        style={{ height }}
      >
        <PhoneCells row={row} />
      </div>
    );
  }
  return (
    <div {...place} data-row-kind="item" data-health={row.health} className={look} style={{ height }}>
      {columns.map(({ id, align }, at) => (
        <div
          key={id}
          role="gridcell"
          className={`${classes.cell} ${align === 'end' ? classes.end : ''}`}
          style={at === 0 ? { paddingLeft: row.depth * STEP_PX } : undefined}
        >
          {cellOf(row, id)}
        </div>
      ))}
    </div>
  );
});
