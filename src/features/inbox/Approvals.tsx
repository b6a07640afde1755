/** Runs of playbooks that wait for this person: each leads to the confirmation of what would run against what. */
import { IconPlayerPlay } from '@tabler/icons-react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Age } from '../../ui/marks/Age.tsx';
import classes from './inbox.module.css';
import { messages } from './messages.ts';
import type { WaitingRun } from './use-approvals.ts';

const words = messages.approvals;
const MOST = 100;

/** Nothing where nobody waits. */
export function Approvals({ waiting }: { waiting: readonly WaitingRun[] }) {
  const playbooks = useLiveQuery({
    collection: 'playbooks',
    where: [{ field: 'id', op: 'in', values: [...new Set(waiting.map(({ playbookId }) => playbookId))] }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: MOST },
  });
  const names = new Map(playbooks.rows.map(({ id, row }) => [id, row.title || row.name]));
  if (waiting.length === 0) return null;
  return (
    <section aria-label={words.title}>
      <h2 className={classes.heading}>{words.title}</h2>
      <ul>
        {waiting.map(({ id, playbookId, at }) => (
          <li key={id} className={classes.item}>
            <AppLink href={links.approvePlaybookRun(id)} className={classes.link}>
              <span className={classes.dot} role="img" aria-label={messages.unread} />
              <IconPlayerPlay size={20} stroke={1.6} aria-hidden />
              <span className={classes.what}>{words.approve(names.get(playbookId) ?? words.aPlaybook)}</span>
              <span className={classes.age}>
                <Age at={at} suffix=" ago" />
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
