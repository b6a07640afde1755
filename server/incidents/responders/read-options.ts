/** Reads every hour, and after a team was changed, what its outside systems offer to forms (schema §8.2). */
import { noteTeamJob } from './job-query.ts';
import { adapterOf, scopeOf } from './open-call.ts';
import { keepOptions, teamsWithOldOptions } from './options-query.ts';
import type { TeamWithOptions } from './options-query.ts';
import { asOutsideFailure } from './adapters/outside-failure.ts';
import type { ResponderDeps } from './responder-deps.ts';
import { clientOf, isReachable, resolveClient } from './adapters/team-client.ts';

const JOB = 'ResponderOptions';
const EVERY_MS = 3_600_000;
/** Types whose systems have lists. */
const TYPES = ['jira'] as const;

async function readOf(
  type: string,
  { id: teamId, clients, is_granted: isGranted }: TeamWithOptions,
  { signal, deps }: { signal: AbortSignal; deps: ResponderDeps },
): Promise<string | null> {
  const named = clientOf(clients, type);
  if (named === null || !isReachable(named.client)) return null;
  const { db, sealer, mail, now, notify, logger } = deps;
  const scope = scopeOf(isGranted, deps);
  try {
    const client = await resolveClient({ ...named, teamId }, { db, sealer, scope });
    const adapter = adapterOf(type, { client, guard: scope.guard, signal, now, mail });
    if (adapter.options === null) return null;
    const read = await adapter.options();
    const isNews = await db.transaction((tx) => keepOptions(tx, { teamId, type, options: read }));
    if (isNews) notify('config_items', 'teams');
    return null;
  } catch (error) {
    const { code, message } = asOutsideFailure(error);
    logger.warn({ teamId, type, code }, 'what an outside system offers could not be read');
    return message;
  }
}

/** Reads what is due; answers of how many teams. */
export async function readOptions(signal: AbortSignal, deps: ResponderDeps): Promise<number> {
  const { db, now } = deps;
  let count = 0;
  for (const type of TYPES) {
    const before = new Date(now() - EVERY_MS);
    for (const team of await teamsWithOldOptions(db, { job: JOB, client: type, before })) {
      const startedAt = new Date(now());
      const problem = await readOf(type, team, { signal, deps });
      if (signal.aborted) return count;
      const errors = problem === null ? [] : [problem];
      const job = { teamId: team.id, name: JOB, startedAt, endedAt: new Date(now()) };
      await noteTeamJob(db, { ...job, successCount: problem === null ? 1 : 0, errors });
      count += 1;
    }
  }
  return count;
}
