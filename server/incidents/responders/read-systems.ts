/** Reads the tickets of delivered responders every five minutes (schema §8.2), and notes for each team how it went. */
import { findCall } from './adapters/call-query.ts';
import type { CallRow } from './adapters/call-query.ts';
import { takeReading } from './delivery-query.ts';
import { noteTeamJob } from './job-query.ts';
import { openCall } from './open-call.ts';
import { asOutsideFailure } from './adapters/outside-failure.ts';
import { READ_EVERY_MS } from './responder-deps.ts';
import type { ResponderDeps } from './responder-deps.ts';
import { takeIn } from './take-in.ts';

/** As the job history shows it. */
const JOB = 'ResponderSync';

interface TeamRead {
  startedAt: Date;
  successCount: number;
  errors: Set<string>;
  /** Its system doesn't answer: the rest of its tickets wait for the next round, instead of for it. */
  isAway: boolean;
}

interface Problem {
  text: string;
  isAway: boolean;
}

/** Reads one ticket; answers what went wrong, or null. */
async function readOne(row: CallRow, signal: AbortSignal, deps: ResponderDeps): Promise<Problem | null> {
  try {
    const { call, adapter } = await openCall(row, signal, deps);
    if (adapter.read !== null) await takeIn(row.id, await adapter.read(call, row.remote_key ?? ''), deps);
    return null;
  } catch (error) {
    const { code, message } = asOutsideFailure(error);
    deps.logger.warn({ responderId: row.id, code }, 'an outside system could not be read');
    return { text: `${row.incident_number}: ${message}`, isAway: code === 'timeout' || code === 'network' };
  }
}

/** Reads what is due; answers how many tickets that were. */
export async function readSystems(signal: AbortSignal, deps: ResponderDeps): Promise<number> {
  const { db, now, notify } = deps;
  const teams = new Map<string, TeamRead>();
  let count = 0;
  for (; !signal.aborted; count += 1) {
    const at = { now: new Date(now()), next: new Date(now() + READ_EVERY_MS) };
    const taken = await takeReading(db, at);
    if (taken === null) break;
    const row = await findCall(db, taken.responder_id);
    if (row?.team_id === null || row?.team_id === undefined) continue;
    const round = teams.get(row.team_id) ?? {
      startedAt: new Date(now()),
      successCount: 0,
      errors: new Set<string>(),
      isAway: false,
    };
    teams.set(row.team_id, round);
    if (round.isAway) continue;
    const problem = await readOne(row, signal, deps);
    if (problem === null) round.successCount += 1;
    else if (!signal.aborted) round.errors.add(problem.text);
    round.isAway = problem?.isAway === true;
  }
  for (const [teamId, { startedAt, successCount, errors }] of teams) {
    const job = { teamId, name: JOB, startedAt, endedAt: new Date(now()) };
    await noteTeamJob(db, { ...job, successCount, errors: [...errors] });
  }
  if (teams.size > 0) notify('job_history');
  return count;
}
