/** When the server is back, asks about the runs that were prepared meanwhile; nothing is run by that. */
import { useEffect, useRef } from 'react';
import { useOutbox } from '../../../data/commands/use-outbox.ts';
import { useReachable } from '../../../data/device/use-reachable.ts';
import { links } from '../../../domain/links.ts';
import { heapOf } from '../../../domain/sync/outbox-counts.ts';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import { reminderOf } from './reminder.ts';

/** Shows nothing itself. */
export function PreparedReminder() {
  const outbox = useOutbox();
  const isReachable = useReachable();
  const toasts = useToasts();
  const count = (outbox?.items ?? []).filter((item) => heapOf(item) === 'prepared').length;
  const wasAway = useRef(true);
  const isKnown = outbox !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    const next = reminderOf({ wasAway: wasAway.current }, { isReachable, count });
    wasAway.current = next.wasAway;
    if (next.asks)
      toasts.success(messages.waiting(count), { text: messages.openOutbox, href: links.outbox() });
  }, [isKnown, isReachable, count, toasts]);
  return null;
}
