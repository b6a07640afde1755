import { IconBell } from '@tabler/icons-react';
import { useTransitions } from '../../data/queries/use-transitions.ts';
import { links } from '../../domain/links.ts';
import { formatClock, formatInstant } from '../../domain/time/format.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { HealthMark } from '../../ui/marks/HealthMark.tsx';
import { moveBetweenRows } from '../../ui/tables/row-keys.ts';
import { Page } from '../../ui/page/Page.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { groupByHour } from './group-by-hour.ts';
import type { HourOfTransitions, Transition } from './group-by-hour.ts';
import { messages } from './messages.ts';
import classes from './notifications.module.css';

const HOUR_MS = 3_600_000;
/** Enough to see a bad day; the list isn't windowed. */
const LAST_DAY = { sinceMs: 24 * HOUR_MS, limit: 300 };

function Item({ transition, nowMs }: { transition: Transition; nowMs: number }) {
  const atMs = Date.parse(transition.at);
  const isHealthy = transition.state === 'healthy';
  return (
    <li className={classes.item}>
      <time className={classes.time} dateTime={transition.at} title={formatInstant(atMs)}>
        {formatClock(atMs, nowMs)}
      </time>
      <span className={classes.what}>
        <HealthMark state={transition.state} />
        <AppLink href={links.check(transition.checkId)} data-row-link="">
          {transition.name}
        </AppLink>
        <span className={classes.canary}>{transition.canaryName}</span>
        <span className={classes.verb}>{isHealthy ? messages.becameHealthy : messages.becameUnhealthy}</span>
      </span>
    </li>
  );
}

function Hour({ hour, nowMs }: { hour: HourOfTransitions; nowMs: number }) {
  return (
    <section className={classes.hour}>
      <div className={classes.hourHead}>
        <h2>{messages.hour(formatClock(hour.startMs, nowMs), formatClock(hour.startMs + HOUR_MS, nowMs))}</h2>
        <span>{messages.count(hour.unhealthy, hour.healthy)}</span>
      </div>
      <ul>
        {hour.transitions.map((transition) => (
          <Item key={`${transition.checkId} ${transition.at}`} transition={transition} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

/** What changed lately, from the device: the same list with and without a network. */
export function NotificationsPage() {
  const device = useDevice();
  const hours = groupByHour(useTransitions(LAST_DAY));
  const nowMs = device.now();
  return (
    <Page title={messages.title} lead={messages.lead}>
      {hours.length === 0 ? (
        <StateNote title={messages.empty} icon={<IconBell size={32} stroke={1.3} />}>
          <p>{messages.emptyHint}</p>
        </StateNote>
      ) : (
        <div onKeyDown={moveBetweenRows}>
          {hours.map((hour) => (
            <Hour key={hour.startMs} hour={hour} nowMs={nowMs} />
          ))}
        </div>
      )}
    </Page>
  );
}
