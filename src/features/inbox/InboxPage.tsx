/** What is new for the signed-in user, from this device: each leads to the place where it happened. */
import { IconAt, IconFlag, IconInbox, IconLifebuoy, IconMessage2 } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { sendCommand } from '../../data/commands/commands.ts';
import { useUnread } from '../../data/queries/incidents/use-unread.ts';
import type { News, NewsKind } from '../../domain/incident/unread.ts';
import { links } from '../../domain/links.ts';
import { Age } from '../../ui/marks/Age.tsx';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Button } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { moveBetweenRows } from '../../ui/tables/row-keys.ts';
import { Page } from '../../ui/page/Page.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { StateNote } from '../../ui/feedback/StateNote.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { Approvals } from './Approvals.tsx';
import classes from './inbox.module.css';
import { messages } from './messages.ts';
import { PushSwitch } from './PushSwitch.tsx';
import { useApprovals } from './use-approvals.ts';

const ICONS: Record<NewsKind, Icon> = {
  mention: IconAt,
  responder: IconLifebuoy,
  comment: IconMessage2,
  status: IconFlag,
};

function hrefOf({ kind, incidentId, id }: News): string {
  return kind === 'mention' || kind === 'comment'
    ? links.incidentComment(incidentId, id)
    : links.incident(incidentId);
}

function What({ news }: { news: News }) {
  if (news.kind === 'status') {
    return (
      <>
        {messages.statusChanged} <strong>{news.text}</strong>
      </>
    );
  }
  return (
    <>
      <strong>{news.byName ?? messages.somebody}</strong> {messages.did[news.kind]}
    </>
  );
}

function Item({ news }: { news: News }) {
  const Mark = ICONS[news.kind];
  const hasText = news.text !== '' && news.kind !== 'status';
  return (
    <li className={`${classes.item} ${news.isUnread ? '' : classes.read}`} data-unread={news.isUnread}>
      <AppLink href={hrefOf(news)} className={classes.link} data-row-link="">
        {news.isUnread ? (
          <span className={classes.dot} role="img" aria-label={messages.unread} />
        ) : (
          <span aria-hidden="true" />
        )}
        <Mark size={20} stroke={1.6} aria-hidden />
        <span className={classes.what}>
          <span>
            <What news={news} />
          </span>{' '}
          <span className={classes.where}>
            {news.number} {news.title}
          </span>
          {hasText && <span className={classes.text}>{news.text}</span>}
        </span>
        <span className={classes.age}>
          <Age at={news.at} suffix=" ago" />
        </span>
      </AppLink>
    </li>
  );
}

function useMarkAll(newest: ReadonlyMap<string, string>): () => void {
  const device = useDevice();
  const toasts = useToasts();
  return () => {
    const mark = async () => {
      const answers = await Promise.all(
        [...newest].map(([incidentId, readAt]) =>
          sendCommand({ name: 'mark_incident_read', args: { id: device.newId(), incidentId, readAt } }),
        ),
      );
      const failed = answers.find((answer) => !answer.ok);
      if (failed?.ok === false) toasts.error(messages.errorText(failed.error));
    };
    void mark();
  };
}

/** What is marked as read is so on all devices. */
export function InboxPage({ userId }: { userId: string }) {
  const { isLoaded, total, news, newest } = useUnread();
  const waiting = useApprovals(userId) ?? [];
  const markAll = useMarkAll(newest);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className={classes.bar}>
        <PushSwitch userId={userId} />
        {total > 0 && <Button onClick={markAll}>{messages.markAll}</Button>}
      </div>
      <Approvals waiting={waiting} />
      {!isLoaded && <SkeletonRows text={messages.loading} />}
      {isLoaded && news.length === 0 && waiting.length === 0 && (
        <StateNote title={messages.empty} icon={<IconInbox size={32} stroke={1.3} />}>
          <p>{messages.emptyHint}</p>
        </StateNote>
      )}
      <ul aria-label={messages.list} onKeyDown={moveBetweenRows}>
        {news.map((one) => (
          <Item key={one.id} news={one} />
        ))}
      </ul>
    </Page>
  );
}
