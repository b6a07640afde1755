/** The jobs over all components (schema §6.2), each on its schedule and soon after what it depends on was written. */
import type { Database } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { onTables, type Loop } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { endJob, startJob, trimJobs } from '../../platform/jobs/job-history-query.ts';
import type { LeasedRole } from '../../platform/jobs/leased-role.ts';
import { withLease } from '../../platform/jobs/leased-database.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import { hasCheckLinks, hasComponents } from './links-query.ts';
import { linkChecks, linkComponents, linkConfigs, linkTeams, sumCosts, type JobTally } from './link-jobs.ts';
import { rollUpComponents } from './roll-up-job.ts';
import { componentMark } from './roll-up-query.ts';

const MINUTE_MS = 60_000;
/** Looking whether anything changed is one cheap statement. */
const LOOK_EVERY_MS = 1000;
const MAX_TOLD = 50;

export interface LoopsDeps {
  db: Database;
  expressions: Expressions;
  hostname: string;
  leases: Pick<Leases, 'role'>;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
  notify: (table: string) => void;
}

interface ComponentJob {
  /** As the job history names it. */
  name: string;
  everyMs: number;
  /** Tables that it is run soon after. */
  after: readonly string[];
  /** Tables that it writes. */
  writes: readonly string[];
  /** Nothing is done, and no history written, where there is none. */
  hasWork?: (db: Database) => Promise<boolean>;
  work: (db: Database, expressions: Expressions) => Promise<JobTally>;
}

const JOBS: readonly ComponentJob[] = [
  {
    name: 'ComponentRelationships',
    everyMs: 5 * MINUTE_MS,
    after: ['topologies'],
    writes: ['component_relationships'],
    work: linkComponents,
  },
  {
    name: 'ComponentChecks',
    everyMs: 2 * MINUTE_MS,
    after: ['topologies', 'canaries'],
    hasWork: hasCheckLinks,
    writes: ['check_component_relationships', 'check_config_relationships', 'canaries'],
    work: linkChecks,
  },
  {
    name: 'ComponentConfigs',
    everyMs: 2 * MINUTE_MS,
    after: ['topologies'],
    writes: ['config_component_relationships'],
    work: linkConfigs,
  },
  {
    name: 'TeamComponents',
    everyMs: 15 * MINUTE_MS,
    after: ['topologies', 'teams'],
    writes: ['team_components'],
    work: linkTeams,
  },
  { name: 'ComponentCosts', everyMs: 60 * MINUTE_MS, after: [], writes: ['components'], work: sumCosts },
];

/** Runs a job and writes its history; what it changed is told. */
async function record(
  { db, expressions, hostname, notify }: LoopsDeps,
  job: Pick<ComponentJob, 'name' | 'writes' | 'work'>,
  role: LeasedRole,
): Promise<JobTally> {
  const leased = withLease(db, role.leaseFor(''));
  const place = { name: job.name, resourceType: 'components', resourceId: null };
  const jobId = await startJob(leased, place, hostname);
  let tally: JobTally;
  try {
    tally = await job.work(leased, expressions);
  } catch (error) {
    const errors = [error instanceof Error ? error.message : String(error)];
    await endJob(db, jobId, { status: 'FAILED', details: { errors }, successCount: 0, errorCount: 1 });
    throw error;
  }
  const { count, changed, errors } = tally;
  await leased.transaction(async (tx) => {
    await endJob(tx, jobId, {
      status: errors.length === 0 ? 'SUCCESS' : 'WARNING',
      details: {
        summary: { changed },
        ...(errors.length === 0 ? {} : { errors: errors.slice(0, MAX_TOLD) }),
      },
      successCount: count,
      errorCount: errors.length,
    });
    await trimJobs(tx, place);
  });
  if (changed > 0) for (const table of job.writes) notify(table);
  notify('job_history');
  return tally;
}

/** Rolls up when something that components show has changed, and at no other time. */
function rollUpLoop(deps: LoopsDeps): Loop {
  const role = deps.leases.role('component-roll-up');
  let mark = '';
  return {
    name: 'component roll-up',
    everyMs: LOOK_EVERY_MS,
    wakes: [
      onTables(deps.notifier, ['topologies', 'component_relationships', 'check_component_relationships']),
    ],
    role,
    async run() {
      const before = await componentMark(deps.db);
      if (before === mark) return;
      if (!(await hasComponents(deps.db))) {
        mark = before;
        return;
      }
      const work = async (db: Database) => {
        const { changed, errors } = await rollUpComponents(db, deps.expressions);
        return { count: changed, changed, errors };
      };
      await record(deps, { name: 'ComponentStatus', writes: ['components'], work }, role);
      // What it wrote itself is nothing new; what came meanwhile is seen, because its number is another.
      mark = before;
    },
  };
}

/** All of them; a server without components has nothing to do. */
export function componentLoops(deps: LoopsDeps): Loop[] {
  const loops = JOBS.map((job): Loop => {
    const role = deps.leases.role(`component-job/${job.name}`);
    return {
      name: `components: ${job.name}`,
      everyMs: job.everyMs,
      wakes: [onTables(deps.notifier, job.after)],
      role,
      async run() {
        const { hasWork = hasComponents } = job;
        if (await hasWork(deps.db)) await record(deps, job, role);
      },
    };
  });
  return [...loops, rollUpLoop(deps)];
}
