import type { ReactNode } from 'react';
import { memo } from 'react';
import type { CatalogColumn, CatalogItemRow } from '../../../contract/catalog-view.ts';
import { shortType } from '../../../domain/catalog/type-names.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { PendingVerbMark } from '../../../ui/marks/PendingVerbMark.tsx';
import type { ChosenThing, PendingVerb } from '../../../ui/page/Bulk.tsx';
import { ChooseBox } from '../../../ui/tables/choosing/ChooseBox.tsx';
import type { KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
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

/** What somebody may know of, so that it is not told again. */
const BAD: ReadonlySet<string | null> = new Set(['unhealthy', 'warning']);

/** An item as what is chosen of the list; null where there is nothing to acknowledge. */
export function chosenOf({ key, name, health }: CatalogItemRow): ChosenThing | null {
  return BAD.has(health) ? { id: key, name } : null;
}

interface Choice {
  /** Null where none can be chosen. */
  isChosen: boolean | null;
  onChoose: KnownChoosing['choose'];
  pending: PendingVerb | undefined;
}

type NameProps = Choice & { row: CatalogItemRow };

function Name({ row, isChosen, onChoose, pending }: NameProps) {
  const thing = chosenOf(row);
  return (
    <>
      {isChosen !== null && thing !== null && (
        <ChooseBox
          label={ui.choose(row.name)}
          state={isChosen ? 'all' : 'none'}
          isPassedByTab
          onPress={(isRange) => onChoose(thing, isRange)}
        />
      )}
      <AppLink
        href={links.config(row.key)}
        className={`${rowLink.link} ${classes.link}`}
        data-row-link=""
        title={row.name}
      >
        {row.name}
      </AppLink>
      <SilencedMark kind="config" id={row.key} />
      {pending !== undefined && <PendingVerbMark pending={pending} isShort />}
    </>
  );
}

function cellOf(line: NameProps, column: CatalogColumn): ReactNode {
  const { row } = line;
  switch (column) {
    case 'name':
      return <Name {...line} />;
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

function PhoneCells(line: NameProps) {
  const { row } = line;
  const [place] = Object.values(row.tags);
  return (
    <>
      <div role="gridcell" className={classes.phoneName}>
        <Name {...line} />
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
  ...choice
}: LineShape & NameProps) {
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
        <PhoneCells row={row} {...choice} />
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
          {cellOf({ row, ...choice }, id)}
        </div>
      ))}
    </div>
  );
});
