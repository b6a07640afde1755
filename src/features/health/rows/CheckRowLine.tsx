import { memo } from 'react';
import type { CheckRow } from '../../../contract/worker.ts';
import { lookOf } from '../../../domain/check/health.ts';
import { links } from '../../../domain/links.ts';
import { formatDuration } from '../../../domain/time/format.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { checkWords } from '../../../ui/marks/check-words.ts';
import { PendingVerbMark } from '../../../ui/marks/PendingVerbMark.tsx';
import { HealthMark } from '../../../ui/marks/HealthMark.tsx';
import { RunHistory } from '../../../ui/marks/runs/RunHistory.tsx';
import { SilencedMark } from '../../../ui/page/Silences.tsx';
import { ChooseBox } from '../../../ui/tables/choosing/ChooseBox.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { TypeIcon } from '../../../ui/marks/TypeIcon.tsx';
import { UptimeMeter } from '../../../ui/marks/UptimeMeter.tsx';
import { useMedia } from '../../../ui/hooks/use-media.ts';
import grid from '../../../ui/tables/GridTable.module.css';
import { messages } from '../messages.ts';
import { PivotCells } from './PivotCells.tsx';
import type { LineProps } from './row-line.ts';
import { detailOf, lineAttributes } from './row-line.ts';
import classes from './rows.module.css';

const MAX_TAGS = 3;
const HAS_ROOM_FOR_TAGS = '(min-width: 1600px)';

function Health({ row }: { row: CheckRow }) {
  const { state, lastKnown } = row.health;
  const look = lookOf(row.check, row.health);
  const words = checkWords(row.check, row.health);
  const stale = lastKnown === state ? messages.overdue : messages.was(lastKnown ?? '');
  return (
    <span className={classes.state} title={words} data-frame="health">
      <HealthMark state={state} look={look} />
      <span>{look === 'notRun' ? words : ui.health[state]}</span>
      {look === 'overdue' && <span className={classes.was}>{stale}</span>}
    </span>
  );
}

function Name({
  row,
  isPhone,
  chosen,
  onChoose,
  pending,
}: Pick<LineProps<CheckRow>, 'row' | 'isPhone' | 'chosen' | 'onChoose' | 'pending'>) {
  const { check } = row;
  const detail = detailOf(check);
  const hasTags = useMedia(HAS_ROOM_FOR_TAGS);
  const labels = hasTags && !isPhone ? Object.entries(check.labels).slice(0, MAX_TAGS) : [];
  const text = (
    <>
      {chosen !== null && (
        <ChooseBox
          label={ui.choose(check.name)}
          state={chosen}
          isPassedByTab
          onPress={(isRange) => onChoose(row, isRange)}
        />
      )}
      <span className={classes.icon} title={check.type}>
        <TypeIcon type={check.type} />
      </span>
      <AppLink
        href={links.check(check.id)}
        tabIndex={-1}
        className={classes.title}
        title={check.name}
        onClick={(event) => {
          // The row's own press opens it, keeping the page's filters in the link.
          if (!event.metaKey && !event.ctrlKey && !event.shiftKey) event.preventDefault();
        }}
      >
        {check.name}
      </AppLink>
      <SilencedMark kind="check" id={check.id} />
      {pending !== null && <PendingVerbMark pending={pending} isShort={isPhone} />}
      {!isPhone && detail !== '' && (
        <span className={classes.dim} title={detail}>
          {detail}
        </span>
      )}
    </>
  );
  if (labels.length === 0) {
    return (
      <div role="gridcell" className={`${classes.cell} ${classes.name}`}>
        {text}
      </div>
    );
  }
  return (
    <div role="gridcell" className={`${classes.cell} ${classes.tagged}`}>
      <span className={classes.name}>{text}</span>
      <span className={classes.tags}>
        {labels.map(([key, value]) => (
          <Tag key={key} name={key} value={value} />
        ))}
      </span>
    </div>
  );
}

function latencyText(row: CheckRow): string {
  const ms = row.check.latency.p95;
  return ms === null || ms === undefined ? ui.nothing : formatDuration(ms);
}

function Metrics({ row, isPhone }: { row: CheckRow; isPhone: boolean }) {
  const { check } = row;
  if (isPhone) {
    return (
      <>
        <div role="gridcell" className={`${classes.cell} ${classes.subline}`}>
          <RunHistory runs={check.recent_runs} />
          <span className={classes.sublineText}>{detailOf(check) || check.canary_name}</span>
        </div>
        <div role="gridcell" className={classes.metrics}>
          <UptimeMeter uptime={check.uptime} hasBar={false} />
          <span>{latencyText(row)}</span>
          <Age at={check.last_transition_time} />
        </div>
      </>
    );
  }
  return (
    <>
      <div role="gridcell" className={classes.cell}>
        <RunHistory runs={check.recent_runs} />
      </div>
      <div role="gridcell" className={classes.cell}>
        <UptimeMeter uptime={check.uptime} />
      </div>
      <div role="gridcell" className={`${classes.cell} ${classes.number}`}>
        {latencyText(row)}
      </div>
      <div role="gridcell" className={`${classes.cell} ${classes.number}`}>
        <Age at={check.last_transition_time} />
      </div>
    </>
  );
}

/** One check of the list. Rendered anew only when its row changed. */
export const CheckRowLine = memo(function CheckRowLine(props: LineProps<CheckRow>) {
  const { row, isPhone, pivot, onPress, chosen, onChoose, pending } = props;
  return (
    <div
      {...lineAttributes(props)}
      data-health={row.health.state}
      data-stale={row.health.isStale}
      aria-level={row.isNested ? 2 : 1}
      className={[
        grid.row,
        isPhone ? grid.phone : '',
        classes.row,
        row.isNested ? classes.nested : '',
        row.health.isStale ? classes.stale : '',
      ].join(' ')}
      onClick={() => onPress(row)}
    >
      <Name row={row} isPhone={isPhone} chosen={chosen} onChoose={onChoose} pending={pending} />
      <div role="gridcell" className={`${classes.cell} ${classes.health}`}>
        <Health row={row} />
      </div>
      {pivot.columns.length > 0 && !isPhone ? (
        <PivotCells row={row} pivot={pivot} />
      ) : (
        <Metrics row={row} isPhone={isPhone} />
      )}
    </div>
  );
});
