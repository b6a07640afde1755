/** Runs of playbooks that wait for this person: each leads to the confirmation of what would run against what. */
import { IconPlayerPlay } from '@tabler/icons-react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { links } from '../../domain/links.ts';
import { AppLink } from '../../ui/actions/AppLink.tsx';
import { Age } from '../../ui/marks/Age.tsx';
import classes from './inbox.module.css';
import { messages } from './messages.ts';

const words = messages.approvals;
const MOST = 100;

/** Nothing where nobody waits. */
export function Approvals({ userId }: { userId: string }) {
  const { rows } = useLiveQuery({
    collection: 'playbook_runs',
    where: [{ field: 'status', op: 'in', values: ['pending_approval'] }],
    search: '',
    sort: [{ field: 'created_at', isDescending: true }],
    groupBy: null,
    window: { start: 0, end: MOST },
  });
  const playbookIds = [...new Set(rows.map(({ row }) => row.playbook_id))];
  const playbooks = useLiveQuery({
    collection: 'playbooks',
    where: [{ field: 'id', op: 'in', values: playbookIds }],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: MOST },
  });
  const names = new Map(playbooks.rows.map(({ id, row }) => [id, row.title || row.name]));
  const own = rows.filter(({ row: { approval } }) => {
    const { approvers, approved_by: given } = approval ?? {};
    const has = (list: unknown) => Array.isArray(list) && list.includes(userId);
    return has(approvers) && !has(given);
  });
  if (own.length === 0) return null;
  return (
    <section aria-label={words.title}>
      <h2 className={classes.heading}>{words.title}</h2>
      <ul>
        {own.map(({ id, row }) => (
          <li key={id} className={classes.item}>
            <AppLink href={links.approvePlaybookRun(id)} className={classes.link}>
              <span className={classes.dot} role="img" aria-label={messages.unread} />
              <IconPlayerPlay size={20} stroke={1.6} aria-hidden />
              <span className={classes.what}>
                {words.approve(names.get(row.playbook_id) ?? words.aPlaybook)}
              </span>
              <span className={classes.age}>
                <Age at={row.created_at ?? ''} suffix=" ago" />
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
