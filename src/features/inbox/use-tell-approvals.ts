import { useEffect, useRef } from 'react';
import { isPageHidden } from '../../data/device/platform-push.ts';
import { links } from '../../domain/links.ts';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';
import type { WaitingRun } from './use-approvals.ts';

/** Says that a run just began to wait for the user; while nobody looks at the page, the server's push does. */
export function useTellApprovals(waiting: readonly WaitingRun[] | null): void {
  const toasts = useToasts();
  const known = useRef<ReadonlySet<string> | null>(null);
  const ids = waiting?.map(({ id }) => id).join(',') ?? null;
  useEffect(() => {
    if (ids === null) return;
    const now = ids === '' ? [] : ids.split(',');
    const before = known.current;
    known.current = new Set([...(before ?? []), ...now]);
    // What was there when the page opened isn't news.
    if (before === null || isPageHidden()) return;
    for (const id of now.filter((one) => !before.has(one)))
      toasts.success(messages.approvals.title, { text: messages.open, href: links.approvePlaybookRun(id) });
  }, [ids, toasts]);
}
