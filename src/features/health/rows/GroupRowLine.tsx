import { formatCount } from '../../../domain/format-count.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import type { GroupRow } from '../../../contract/worker.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { GroupRunHistory } from '../../../ui/marks/runs/GroupRunHistory.tsx';
import { HealthBar } from '../../../ui/marks/HealthBar.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ChooseBox } from '../../../ui/tables/choosing/ChooseBox.tsx';
import grid from '../../../ui/tables/GridTable.module.css';
import { messages } from '../messages.ts';
import { PivotCells } from './PivotCells.tsx';
import type { LineProps } from './row-line.ts';
import { lineAttributes } from './row-line.ts';
import classes from './rows.module.css';

function Fraction({ row }: { row: GroupRow }) {
  const { fullyPassing, total, notRun } = row;
  const text = messages.fullyPassing(row);
  return (
    <span role="img" aria-label={text} title={text} className={classes.fraction} data-frame="health">
      <b>{notRun === total ? ui.nothing : formatCount(fullyPassing)}</b> / {formatCount(total)}
    </span>
  );
}

const latencyText = (row: GroupRow) => (row.latencyMs === null ? ui.nothing : formatDuration(row.latencyMs));

function Metrics({ row, isPhone }: { row: GroupRow; isPhone: boolean }) {
  const detail = [...row.types, ...row.namespaces].join(' · ');
  if (isPhone) {
    return (
      <>
        <div role="gridcell" className={`${classes.cell} ${classes.subline}`}>
          <GroupRunHistory runs={row.runs} />
          <span className={classes.sublineText}>{detail}</span>
        </div>
        <div role="gridcell" className={classes.metrics}>
          <Fraction row={row} />
          <Age at={row.lastTransition} />
        </div>
      </>
    );
  }
  return (
    <>
      <div role="gridcell" className={classes.cell}>
        <GroupRunHistory runs={row.runs} />
      </div>
      <div role="gridcell" className={classes.cell}>
        <Fraction row={row} />
      </div>
      <div role="gridcell" className={`${classes.cell} ${classes.number}`}>
        {latencyText(row)}
      </div>
      <div role="gridcell" className={`${classes.cell} ${classes.number}`}>
        <Age at={row.lastTransition} />
      </div>
    </>
  );
}

/** One group of the list; its press opens and closes it. */
export const GroupRowLine = memo(function GroupRowLine(props: LineProps<GroupRow>) {
  const { row, isPhone, pivot, onPress, chosen, onChoose } = props;
  const hasPivot = pivot.columns.length > 0 && !isPhone;
  return (
    <div
      {...lineAttributes(props)}
      data-health={row.health}
      aria-level={1}
      aria-expanded={row.isExpanded}
      className={[grid.row, isPhone ? grid.phone : '', classes.row, classes.group].join(' ')}
      onClick={() => onPress(row)}
    >
      <div role="gridcell" className={`${classes.cell} ${classes.name}`}>
        <IconChevronRight
          size={15}
          className={`${classes.chevron} ${row.isExpanded ? classes.open : ''}`}
          aria-hidden
        />
        {chosen !== null && (
          <ChooseBox
            label={ui.choose(row.name)}
            state={chosen}
            isPassedByTab
            onPress={(isRange) => onChoose(row, isRange)}
          />
        )}
        <HealthMark state={row.health} label={ui.health[row.health]} />
        <span className={classes.title} title={row.name}>
          {row.name}
        </span>
        <span className={classes.count} title={messages.membersShown(row)}>
          {row.total === row.memberCount
            ? formatCount(row.total)
            : messages.ofMembers(row.total, row.memberCount)}
        </span>
        <span className={classes.dim}>{isPhone ? '' : [...row.types, ...row.namespaces].join(' · ')}</span>
      </div>
      <div role="gridcell" className={`${classes.cell} ${classes.health}`}>
        <HealthBar counts={row.counts} hasBar={!isPhone} />
      </div>
      {hasPivot ? <PivotCells row={row} pivot={pivot} /> : <Metrics row={row} isPhone={isPhone} />}
    </div>
  );
});
