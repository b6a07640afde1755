/** The way to what is new, with its number; also the app's badge, and a word about a mention that just came. */
import { IconInbox } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { showBadge } from '../../data/device/platform-push.ts';
import { renewPush } from '../../data/device/push.ts';
import { useReachable } from '../../data/device/use-reachable.ts';
import { useUnread } from '../../data/queries/incidents/use-unread.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import classes from './inbox.module.css';
import { messages } from './messages.ts';
import { memoryOf } from './push-memory.ts';
import { useApprovals } from './use-approvals.ts';
import { useTellApprovals } from './use-tell-approvals.ts';
import { useTellNews } from './use-tell-news.ts';

const MOST_SHOWN = 99;

function useAppBadge(isLoaded: boolean, total: number): void {
  useEffect(() => {
    if (isLoaded) showBadge(total);
  }, [isLoaded, total]);
  // Signed out: nothing of anybody is shown.
  useEffect(() => () => showBadge(0), []);
}

/** The server has to know this browser under the present session. */
function useRenewedPush(userId: string): void {
  const device = useDevice();
  const isReachable = useReachable();
  const memory = useMemo(() => memoryOf(device), [device]);
  useEffect(() => {
    if (isReachable) void renewPush(userId, memory);
  }, [userId, memory, isReachable]);
}

export interface InboxBellProps {
  userId: string;
  /** Runs that wait for the user's approval count: once the first screen is there, for who may approve any. */
  countsApprovals: boolean;
}

/** In the top bar; only there, since it also sets the app's badge. */
export function InboxBell({ userId, countsApprovals }: InboxBellProps) {
  const { isLoaded, total: unread, news } = useUnread();
  const waiting = useApprovals(countsApprovals ? userId : null);
  const total = unread + (waiting?.length ?? 0);
  useTellApprovals(waiting);
  useAppBadge(isLoaded, total);
  useRenewedPush(userId);
  useTellNews(isLoaded, news);
  const text = messages.bell(total);
  return (
    <AppLink
      href={links.inbox()}
      aria-label={text}
      title={text}
      className={`${buttonClass('quiet', 'icon')} ${classes.bell}`}
    >
      <IconInbox size={19} stroke={1.6} aria-hidden />
      {total > 0 && (
        <span className={classes.count} aria-hidden="true" data-testid="inbox-count">
          {total > MOST_SHOWN ? `${MOST_SHOWN}+` : total}
        </span>
      )}
    </AppLink>
  );
}
