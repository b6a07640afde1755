import { useEffect, useRef } from 'react';
import { isPageHidden, notifyHere } from '../../data/device/platform-push.ts';
import type { News } from '../../domain/incident/unread.ts';
import { links } from '../../domain/links.ts';
import { useDevice } from '../../ui/Device.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { messages } from './messages.ts';

/** What came while this device was away is counted, not called out. */
const FRESH_MS = 10 * 60_000;

function isCall({ kind, isUnread }: News): boolean {
  return isUnread && (kind === 'mention' || kind === 'responder');
}

/** Says that somebody just mentioned the user or asked for help: in the page, or beside it while nobody looks at it. */
export function useTellNews(isLoaded: boolean, news: readonly News[]): void {
  const device = useDevice();
  const toasts = useToasts();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!isLoaded) return;
    const calls = news.filter(isCall);
    const before = known.current;
    known.current = new Set([...(before ?? []), ...calls.map(({ id }) => id)]);
    // What was there when the page opened isn't news.
    if (before === null) return;
    for (const one of calls) {
      const isFresh = device.now() - Date.parse(one.at) < FRESH_MS;
      if (before.has(one.id) || !isFresh) continue;
      const text = messages.toast(one.byName ?? messages.somebody, one.number || one.title, one.kind);
      const { incidentId, id, kind } = one;
      const url = kind === 'mention' ? links.incidentComment(incidentId, id) : links.incident(incidentId);
      if (!isPageHidden()) {
        toasts.success(text, { text: messages.open, href: url });
        continue;
      }
      void notifyHere({ title: text, body: one.text, url, tag: `incident-${incidentId}` });
    }
  }, [device, toasts, isLoaded, news]);
}
