/**
 * A prepared run in the outbox: what it would do, what changed since it was prepared, and the way to run it, which asks
 * once more (design §4 law 9).
 */
import { useReachable } from '../../../data/device/use-reachable.ts';
import { useSyncStatus } from '../../../data/device/use-sync-status.ts';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { links } from '../../../domain/links.ts';
import {
  differencesSince,
  preparedRunSchema,
  reviewOf,
  type PreparedRun as Prepared,
  type Review,
} from '../../../domain/playbook/prepared-run.ts';
import { AppLink } from '../../../ui/actions/AppLink.tsx';
import { Button } from '../../../ui/actions/Button.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import { Facts } from '../../../ui/page/Page.tsx';
import { usePlaybooks, type PreparedProps } from '../../../ui/page/Playbooks.tsx';
import { resourceHref } from '../resource.ts';
import { useHealthOf } from '../start/use-health-of.ts';
import { messages } from './messages.ts';
import classes from './prepared.module.css';

/** Runs of the playbook since then, on the same thing where it is about one. */
function useRunsSince({ playbookId, resource }: Prepared, sinceMs: number): number | null {
  const { total, isLoaded } = useLiveQuery({
    collection: 'playbook_runs',
    where: [
      { field: 'playbook_id', op: 'eq', value: playbookId },
      ...(resource === null ? [] : [{ field: `${resource.kind}_id`, op: 'eq' as const, value: resource.id }]),
      { field: 'created_at', op: 'gte', value: new Date(sinceMs).toISOString() },
    ],
    search: '',
    sort: [],
    groupBy: null,
    window: { start: 0, end: 1 },
  });
  return isLoaded ? total : null;
}

function useDifferences(run: Prepared, atMs: number) {
  const playbook = useLiveRow('playbooks', run.playbookId);
  const resource = useHealthOf(run.resource);
  const runsSince = useRunsSince(run, atMs);
  const isKnown = playbook !== undefined && (run.resource === null || resource !== undefined);
  if (!isKnown || runsSince === null) return null;
  return differencesSince(run, {
    playbook: playbook === null ? null : { updatedAt: playbook.row.updated_at },
    resource: run.resource === null ? undefined : resource,
    runsSince,
  });
}

function Changes({ run, review }: { run: Prepared; review: Review }) {
  if (review.kind === 'checking') return <p role="status">{messages.checking}</p>;
  const { differences } = review;
  if (differences.length === 0) return <p className={classes.same}>{messages.same}</p>;
  return (
    <div className={classes.changes} role="status">
      <strong>{messages.changed}</strong>
      <ul>
        {differences.map((difference) => (
          <li key={difference.kind}>
            {messages.difference(difference)}{' '}
            {difference.kind === 'runs' && (
              <AppLink href={links.playbookRuns(run.playbookId)}>{messages.seeRuns}</AppLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Readable({ run, commandId, atMs }: { run: Prepared; commandId: string; atMs: number }) {
  const { run: open } = usePlaybooks();
  const isReachable = useReachable();
  const { connection } = useSyncStatus();
  const review = reviewOf(connection, useDifferences(run, atMs));
  const isCurrent = review.kind === 'known' && review.isCurrent;
  const { resource, params, agentId } = run;
  const facts = Object.entries(params).map(([name, value]) => ({ name, value }));
  return (
    <div className={classes.root}>
      <p className={classes.what}>
        <AppLink href={links.playbook(run.playbookId)}>{run.playbook}</AppLink>{' '}
        {resource !== null && <AppLink href={resourceHref(resource)}>{messages.on(resource.name)}</AppLink>}
      </p>
      {facts.length > 0 && <Facts facts={facts} />}
      <Changes run={run} review={review} />
      {open === null ? (
        <p>{messages.mayNot}</p>
      ) : (
        <div>
          <Button
            look="primary"
            disabled={!isCurrent}
            title={isReachable ? undefined : ui.needsServer}
            onClick={() =>
              open({
                playbookId: run.playbookId,
                resource: resource ?? undefined,
                params,
                agentId,
                preparedId: commandId,
              })
            }
          >
            {messages.run}
          </Button>{' '}
          {!isReachable && <span className={classes.same}>{ui.needsServer}</span>}
        </div>
      )}
    </div>
  );
}

/** See the head of this file. */
export function PreparedRun({ commandId, args, atMs }: PreparedProps) {
  const parsed = preparedRunSchema.safeParse(args);
  if (!parsed.success) return <p role="alert">{messages.unreadable}</p>;
  return <Readable run={parsed.data} commandId={commandId} atMs={atMs} />;
}
