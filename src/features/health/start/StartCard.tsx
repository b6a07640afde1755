/** The first minute of an empty server: what to add first, and what is there already. */
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { may, type Area } from '../../../domain/access/matrix.ts';
import type { ResourceKind } from '../../../domain/settings/resource-kinds.ts';
import { links } from '../../../domain/links.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { buttonClass } from '../../../ui/actions/Button.tsx';
import { messages as words } from './messages.ts';
import classes from './start-card.module.css';

/** The namespace in which a server that nobody told anything watches itself. */
const OWN_NAMESPACE = 'holdfast';
const NO_ROWS = { start: 0, end: 1 };

/** How many of these resources are on the device; null until that is known. */
function useCount(kind: 'scraper' | 'team'): number | null {
  const { isLoaded, total } = useLiveQuery({
    collection: 'resources',
    where: [{ field: 'kind', op: 'eq', value: kind }],
    search: '',
    sort: [],
    groupBy: null,
    window: NO_ROWS,
  });
  return isLoaded ? total : null;
}

function useOwnChecks(): number | null {
  const { isLoaded, total } = useLiveQuery({
    collection: 'checks',
    where: [{ field: 'namespace', op: 'not', value: OWN_NAMESPACE }],
    search: '',
    sort: [],
    groupBy: null,
    window: NO_ROWS,
  });
  return isLoaded ? total : null;
}

interface StepProps {
  kind: ResourceKind;
  area: Area;
  count: number;
  roles: readonly string[];
}

function Step({ kind, area, count, roles }: StepProps) {
  const isDone = count > 0;
  const { title, hint, add } = words.steps[kind as keyof typeof words.steps];
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      {isDone ? (
        <IconCircleCheck size={22} stroke={1.6} aria-hidden />
      ) : (
        <IconCircleDashed size={22} stroke={1.6} aria-hidden />
      )}
      <div>
        <h3>
          {title}
          {isDone && <span className={classes.done}> {words.added(count)}</span>}
        </h3>
        <p>{hint}</p>
      </div>
      {!isDone && may(roles, area, 'write') && (
        <AppLink
          href={kind === 'canaries' ? links.addCheck() : links.addResource(kind)}
          className={buttonClass(kind === 'canaries' ? 'primary' : 'outline')}
        >
          {add}
        </AppLink>
      )}
    </li>
  );
}

/** Shown until there is a check of somebody's own; nothing before that is known. */
export function StartCard({ roles }: { roles: readonly string[] }) {
  const checks = useOwnChecks();
  const scrapers = useCount('scraper');
  const teams = useCount('team');
  if (checks === null || scrapers === null || teams === null || checks > 0) return null;
  return (
    <section className={classes.card} aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>{words.lead}</p>
      <ol className={classes.steps}>
        <Step kind="canaries" area="canaries" count={checks} roles={roles} />
        <Step kind="config_scrapers" area="config_scrapers" count={scrapers} roles={roles} />
        <Step kind="teams" area="database" count={teams} roles={roles} />
      </ol>
      <p className={classes.demo}>{words.demo}</p>
    </section>
  );
}
