import { memo, useState } from 'react';
import type { LiveRow } from '../../../../contract/live-query.ts';
import { formatClock, formatDay, formatInstant } from '../../../../domain/time/format.ts';
import { AppLink } from '../../../../ui/actions/AppLink.tsx';
import { Pager } from '../../../../ui/tables/Pager.tsx';
import { ArrivedLate } from '../../ArrivedLate.tsx';
import { useIncident } from '../../incident-context.tsx';
import pageClasses from '../../page.module.css';
import { PAGE_ROWS } from '../../page-rows.ts';
import { useRecords, type RecordOf } from '../../use-records.ts';
import { messages as words } from './changelog-messages.ts';
import classes from './changelog.module.css';
import { eventAuthor, eventSubject, eventText, type SubjectSources } from './event-text.ts';
import { useEventSources } from './use-event-sources.ts';

type Event = LiveRow<RecordOf<'history'>>;

interface EventLineProps {
  row: RecordOf<'history'>;
  author: string | null;
  /** What the event is about; null for the incident itself. */
  about: string | null;
  href: string | null;
}

/** A new event draws none of the others again. */
const EventLine = memo(function EventLine({ row, author, about, href }: EventLineProps) {
  const atMs = Date.parse(row.created_at);
  return (
    <li className={classes.event} data-event={row.type ?? ''}>
      <time className={classes.time} dateTime={row.created_at} title={formatInstant(atMs)}>
        {formatClock(atMs, atMs)}
      </time>
      <span className={classes.what}>
        {eventText(row)}
        {about !== null && ': '}
        {href === null ? about : <AppLink href={href}>{about}</AppLink>}{' '}
        <span className={classes.by}>
          {words.by} {author ?? words.somebody} <ArrivedLate row={row} />
        </span>
      </span>
    </li>
  );
});

interface DayProps {
  day: string;
  events: readonly Event[];
  sources: SubjectSources;
}

function Day({ day, events, sources }: DayProps) {
  return (
    <section className={classes.day} aria-label={day}>
      <h3>{day}</h3>
      <ol>
        {events.map(({ id, row }) => {
          const subject = eventSubject(row, sources);
          return (
            <EventLine
              key={id}
              row={row}
              author={eventAuthor(row, sources)}
              about={subject?.text ?? null}
              href={subject?.href ?? null}
            />
          );
        })}
      </ol>
    </section>
  );
}

/** Neighbours of one day together, in the order in which they come. */
function byDay(events: readonly Event[]): { day: string; events: Event[] }[] {
  const days: { day: string; events: Event[] }[] = [];
  for (const event of events) {
    const day = formatDay(Date.parse(event.row.created_at));
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}

/** What happened to the incident, newest first; written by the server. */
export function Changelog() {
  const { incidentId } = useIncident();
  const [start, setStart] = useState(0);
  const history = useRecords(incidentId, 'history', { isNewestFirst: true, start });
  const sources = useEventSources(history.rows);
  if (!history.isLoaded) return <p role="status">{words.loading}</p>;
  if (history.total === 0) return <p className={pageClasses.none}>{words.none}</p>;
  return (
    <>
      {byDay(history.rows).map(({ day, events }) => (
        <Day key={day} day={day} events={events} sources={sources} />
      ))}
      <Pager
        start={history.start}
        count={history.rows.length}
        total={history.total}
        pageSize={PAGE_ROWS}
        onStart={setStart}
      />
    </>
  );
}
