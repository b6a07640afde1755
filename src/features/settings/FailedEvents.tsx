/** The events of one queue that failed: why, how often, and trying them again. */
import type { FailedEvent } from '../../contract/http/server-rows.ts';
import { useAdminister } from '../../data/session/use-administer.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { useTable } from '../../data/queries/use-table.ts';
import { formatInstant } from '../../domain/time/format.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { messages as ui } from '../../ui/messages.ts';
import { SafeText } from '../../ui/marks/SafeText.tsx';
import { messages } from './messages.ts';
import classes from './settings.module.css';

const words = messages.queue;
const MOST_SHOWN = 200;
/** After so many attempts an event is not tried again by itself (schema §7.3). */
const MOST_ATTEMPTS = 4;
const MAX_TEXT_CHARS = 2000;

function Event({ event, children }: { event: FailedEvent; children: React.ReactNode }) {
  const attempts = event.attempts ?? 0;
  const lastMs = event.last_attempt == null ? null : Date.parse(event.last_attempt);
  return (
    <li className={classes.event}>
      <span className={classes.eventFacts}>
        {lastMs !== null && <time dateTime={event.last_attempt ?? ''}>{formatInstant(lastMs)}</time>}
        <span>{words.attempts(attempts)}</span>
        {attempts >= MOST_ATTEMPTS && <strong>{words.givenUp}</strong>}
      </span>
      <SafeText text={event.error ?? ''} maxChars={MAX_TEXT_CHARS} />
      <code>
        <SafeText text={JSON.stringify(event.properties ?? {})} maxChars={MAX_TEXT_CHARS} />
      </code>
      {children}
    </li>
  );
}

/** `mayRetry` is what this user's roles allow; `onRetried` follows a retry. */
export function FailedEvents({ queue, mayRetry }: { queue: string; mayRetry: boolean }) {
  const toasts = useToasts();
  const isReachable = useReachable();
  const { isBusy, run } = useAdminister();
  const { kept, error } = useTable({
    view: 'failed_events',
    where: [
      { op: 'eq', column: 'name', value: queue },
      // Those that were never tried have not failed.
      { op: 'gte', column: 'attempts', value: '1' },
    ],
    order: [{ column: 'last_attempt', isDescending: true }],
    limit: MOST_SHOWN,
  });
  if (kept === null)
    return error === null ? (
      <SkeletonRows text={words.loading} />
    ) : (
      <p role="alert">{messages.errorText(error)}</p>
    );
  const events = kept.value.rows.filter((event) => (event.error ?? '') !== '');
  if (events.length === 0) return <p role="status">{words.noEvents}</p>;
  const retry = async (ids: string[]) => {
    const answer = await run({ name: 'retry_events', ids });
    if (answer.ok) toasts.success(words.retried(ids.length));
    else toasts.error(messages.errorText(answer.error));
  };
  return (
    <section className={classes.panel} aria-label={words.events}>
      <h3>{words.events}</h3>
      {mayRetry && (
        <Button
          look="primary"
          disabled={isBusy || !isReachable}
          onClick={() => void retry(events.map(({ id }) => id))}
        >
          {isBusy ? words.retrying : words.retryAll}
        </Button>
      )}
      {kept.value.total > kept.value.rows.length && (
        <p role="status">{ui.firstOf(kept.value.rows.length, kept.value.total)}</p>
      )}
      <ol className={classes.events}>
        {events.map((event, at) => (
          <Event key={event.id} event={event}>
            {mayRetry && (
              <span>
                <Button
                  aria-label={words.retryOne(at + 1)}
                  disabled={isBusy || !isReachable}
                  onClick={() => void retry([event.id])}
                >
                  {words.retry}
                </Button>
              </span>
            )}
          </Event>
        ))}
      </ol>
    </section>
  );
}
