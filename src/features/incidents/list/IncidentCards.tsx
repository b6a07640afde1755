/**
 * The list for one thumb: a card an incident, swiped to change its status. What a swipe does is also in the status
 * menu of the card, and what the transition table forbids bounces back and says why.
 */
import { IconBan, IconCheck, IconPlayerTrackNext } from '@tabler/icons-react';
import { memo, useRef, useState } from 'react';
import { useSwipeable } from 'react-swipeable';
import type { IncidentRow } from '../../../contract/collection-rows.ts';
import { statusAfter, type Step } from '../../../domain/incident/next-status.ts';
import { links } from '../../../domain/links.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { PendingVerbMark } from '../../../ui/marks/PendingVerbMark.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { ChooseBox } from '../../../ui/tables/choosing/ChooseBox.tsx';
import type { KnownChoosing } from '../../../ui/tables/choosing/use-known-choosing.tsx';
import { useHeadFirst } from '../../../ui/hooks/use-head-first.ts';
import classes from './cards.module.css';
import { chosenOf, IncidentNumber, UnreadDot, type LineProps, type ListProps } from './line-parts.tsx';
import { messages } from './messages.ts';
import { SeverityMark } from '../SeverityMark.tsx';
import { StatusMenu } from './StatusMenu.tsx';
import { Team } from './Team.tsx';
import { wordFor } from '../words.ts';

/** Far enough that nobody does it while scrolling. */
const TRIGGER_PX = 96;
const MOST_PX = 168;
/** What can't be done gives way only a little. */
const REFUSED_PX = 44;
/** The system's own back gesture begins here. */
const EDGE_PX = 20;

const stepOf = (deltaX: number): Step => (deltaX > 0 ? 'onwards' : 'resolve');

function clamp(deltaX: number, isAllowed: boolean): number {
  const most = isAllowed ? MOST_PX : REFUSED_PX;
  return Math.max(-most, Math.min(most, isAllowed ? deltaX : deltaX / 2));
}

/** What letting go would do. */
function Underlay({ row, deltaX }: { row: IncidentRow; deltaX: number }) {
  if (deltaX === 0) return null;
  const step = stepOf(deltaX);
  const to = statusAfter(row.status, step);
  const Mark = to === null ? IconBan : step === 'resolve' ? IconCheck : IconPlayerTrackNext;
  const isArmed = to !== null && Math.abs(deltaX) >= TRIGGER_PX;
  return (
    <div
      className={`${classes.underlay} ${classes[step]} ${isArmed ? classes.armed : ''}`}
      aria-hidden="true"
    >
      <Mark size={20} stroke={1.8} />
      {to !== null && <span>{wordFor('statuses', to)}</span>}
    </div>
  );
}

function useSwipe(row: IncidentRow, onStatus: ListProps['onStatus']) {
  const toasts = useToasts();
  const [deltaX, setDeltaX] = useState(0);
  // What was drawn last may be behind the finger when it lets go.
  const moved = useRef(0);
  const move = (to: number) => {
    moved.current = to;
    setDeltaX(to);
  };
  const handlers = useSwipeable({
    onSwiping: ({ deltaX: across, initial, dir }) => {
      const isAcross = dir === 'Left' || dir === 'Right';
      if (onStatus === null || initial[0] < EDGE_PX || (!isAcross && moved.current === 0)) return;
      move(clamp(across, statusAfter(row.status, stepOf(across)) !== null));
    },
    onSwiped: () => {
      const distance = moved.current;
      move(0);
      if (onStatus === null || distance === 0) return;
      const step = stepOf(distance);
      const to = statusAfter(row.status, step);
      if (to === null) {
        if (Math.abs(distance) >= REFUSED_PX)
          toasts.error(messages.forbiddenStep(step, wordFor('statuses', row.status)));
      } else if (Math.abs(distance) >= TRIGGER_PX) onStatus(row, to);
    },
    onTouchEndOrOnMouseUp: () => move(0),
    // The page still scrolls up and down; a card that moves across keeps it from doing both.
    preventScrollOnSwipe: true,
    delta: 16,
  });
  return { deltaX, handlers };
}

interface Choice {
  /** Null where none can be chosen. */
  isChosen: boolean | null;
  onChoose: KnownChoosing['choose'];
}

const Card = memo(function Card({
  found: { row, pending, team },
  unread,
  onStatus,
  tail,
  isCurrent,
  asked,
  isChosen,
  onChoose,
}: LineProps & Choice) {
  const { deltaX, handlers } = useSwipe(row, onStatus);
  return (
    <li className={classes.item} data-incident={row.id}>
      <Underlay row={row} deltaX={deltaX} />
      <article
        {...handlers}
        className={`${classes.card} ${deltaX === 0 ? classes.resting : ''}`}
        style={deltaX === 0 ? undefined : { transform: `translateX(${deltaX}px)` }}
      >
        <p className={classes.top}>
          {isChosen !== null && (
            <ChooseBox
              label={ui.choose(chosenOf(row).name)}
              state={isChosen ? 'all' : 'none'}
              onPress={(isRange) => onChoose(chosenOf(row), isRange)}
            />
          )}
          <SeverityMark severity={row.severity} />
          <span>
            <IncidentNumber row={row} />
          </span>
          <span>{wordFor('types', row.type)}</span>
          {pending !== 'none' && <PendingMark state={pending} />}
          {asked !== undefined && <PendingVerbMark pending={asked} isShort />}
          <span className={classes.age}>
            <Age at={row.created_at} />
          </span>
        </p>
        <h2 className={classes.title}>
          <UnreadDot count={unread} />
          <AppLink
            href={`${links.incident(row.id)}${tail}`}
            aria-current={isCurrent ? 'page' : undefined}
            className={classes.link}
            data-row-link
            draggable={false}
          >
            {row.title}
          </AppLink>
        </h2>
        <div className={classes.foot}>
          <StatusMenu row={row} onChange={onStatus} />
          <span className={classes.team}>
            <Team incidentId={row.id} team={team} />
          </span>
        </div>
      </article>
    </li>
  );
});

/** The first cards are drawn at once, the others a moment later. */
export function IncidentCards({ rows, unread, onStatus, tail, currentId, choosing, asked }: ListProps) {
  const shown = useHeadFirst(rows);
  return (
    <ul className={classes.cards} aria-label={messages.title}>
      {shown.map((found) => (
        <Card
          key={found.id}
          found={found}
          unread={unread.get(found.id)}
          onStatus={onStatus}
          tail={tail}
          isCurrent={found.id === currentId}
          asked={asked.get(found.id)}
          isChosen={choosing.mayChoose ? choosing.isChosen(found.id) : null}
          onChoose={choosing.choose}
        />
      ))}
    </ul>
  );
}
