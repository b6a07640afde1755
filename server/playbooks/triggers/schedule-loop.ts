/**
 * Playbooks with a schedule, started when it comes round: once, however many servers there are, and never late. What is
 * left out (nobody looked when it came round; it cannot be read) is a failed run that says so, for people to see.
 */
import { createHash } from 'node:crypto';
import type { Schedule } from '../../../src/domain/check/schedule.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { recordOf } from '../../../src/lib/is-record.ts';
import type { Loop } from '../../platform/jobs/background-loop.ts';
import type { LeasedRole } from '../../platform/jobs/leased-role.ts';
import { nextRunMs, scheduleOf } from '../../platform/jobs/next-run.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { specOfPlaybook } from '../requests/runnable-playbooks.ts';
import {
  countUnstarted,
  LEFT_OUT,
  noteScheduleState,
  readScheduleStates,
  scheduledPlaybooks,
} from './cause-query.ts';
import type { ScheduledPlaybook, TriggeredPlaybook } from './cause-query.ts';
import { MOST_REASONS, noteFailure, startTriggered } from './start-triggered.ts';
import type { Triggered, TriggerDeps } from './start-triggered.ts';

const LOOK_EVERY_MS = 2000;
/** A restart takes less; what is later than this nobody waits for. */
const LATEST_MS = 120_000;

/** The last time within the span that the schedule came round; null for none. Times before `LATEST_MS` are skipped. */
export function lastDueMs(schedule: Schedule, sinceMs: number, nowMs: number): number | null {
  let last: number | null = null;
  for (let next = nextRunMs(schedule, sinceMs); next !== null && next <= nowMs;) {
    last = next;
    const fromMs = Math.max(next, nowMs - LATEST_MS);
    // An interval goes on in its own rhythm.
    const isFar = schedule.kind === 'every' && fromMs > next;
    next = nextRunMs(
      schedule,
      isFar ? next + Math.floor((fromMs - next) / schedule.everyMs) * schedule.everyMs : fromMs,
    );
  }
  return last;
}

interface Line {
  playbook: TriggeredPlaybook;
  line: string;
  schedule: Schedule;
  params: Record<string, string>;
}

interface Lines {
  lines: Line[];
  /** Why others are left out. */
  problems: { reason: string; schedule: string }[];
}

/** The texts of its schedules, however the rest of it is. */
function textsOf({ spec }: TriggeredPlaybook): string {
  const { schedule } = recordOf(spec['on']);
  const entries: readonly unknown[] = Array.isArray(schedule) ? schedule : [];
  const texts = entries.map((entry) => recordOf(entry)['schedule']);
  return texts.filter((text) => typeof text === 'string').join(', ');
}

function linesOf(playbook: TriggeredPlaybook): Lines {
  const found: Lines = { lines: [], problems: [] };
  try {
    const { on } = specOfPlaybook(playbook);
    for (const [at, { schedule: text, parameters = {} }] of (on?.schedule ?? []).entries()) {
      const schedule = scheduleOf(text);
      const given = Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      if (schedule !== null)
        found.lines.push({ playbook, line: `${at} ${text}`, schedule, params: Object.fromEntries(given) });
      else
        found.problems.push({
          reason: `Left out: spec.on.schedule[${at}].schedule: "${text}" is no schedule that comes round, such as 0 3 * * * or @every 5m`,
          schedule: text,
        });
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    found.problems.push({ reason: `Left out: ${error.message}`, schedule: textsOf(playbook) });
  }
  return found;
}

/** Said once, until the playbook is changed, however many look at the same time. */
async function noteLeftOut(
  playbook: ScheduledPlaybook,
  { reason, schedule }: Lines['problems'][number],
  deps: TriggerDeps,
): Promise<void> {
  const { db, logger } = deps;
  const said = await countUnstarted(db, { playbookId: playbook.id, error: reason, since: new Date(0) });
  if (said.same > 0 || said.all >= MOST_REASONS) return;
  const sourceKey = `${LEFT_OUT}${playbook.updated_at} ${createHash('sha256').update(reason).digest('hex')}`;
  const cause = { kind: 'schedule' as const, sourceKey, detail: schedule, parent: null };
  const asked = { playbook, target: null, params: {}, request: { schedule }, cause };
  const noted = await noteFailure(asked, reason, deps);
  if (noted !== null)
    logger.warn({ playbook: playbook.id, reason }, 'a schedule of a playbook cannot be followed');
}

function askedBy({ playbook, line, params }: Line, dueMs: number): Triggered {
  const at = new Date(dueMs).toISOString();
  const schedule = line.slice(line.indexOf(' ') + 1);
  return {
    playbook,
    target: null,
    params,
    request: { schedule, at },
    cause: { kind: 'schedule', sourceKey: `${line}@${at}`, detail: schedule, parent: null },
  };
}

async function start(asked: Triggered, deps: TriggerDeps): Promise<void> {
  try {
    await startTriggered(asked, deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    await noteFailure(asked, reasonOf(error), deps);
  }
}

/** Up to where all that is too late is left out together; an interval goes on in its own rhythm. */
function afterLateMs(schedule: Schedule, dueMs: number, nowMs: number): number {
  if (schedule.kind !== 'every') return nowMs;
  return dueMs + Math.floor((nowMs - dueMs) / schedule.everyMs) * schedule.everyMs;
}

/** What one line of a playbook has come to; answers whether a run was due. */
async function follow(one: Line, sinceMs: number | undefined, deps: TriggerDeps): Promise<boolean> {
  const { db, platform, logger } = deps;
  const nowMs = platform.now();
  const place = { playbookId: one.playbook.id, line: one.line };
  if (sinceMs === undefined) await noteScheduleState(db, { ...place, until: new Date(nowMs) });
  const dueMs = sinceMs === undefined ? null : lastDueMs(one.schedule, sinceMs, nowMs);
  if (dueMs === null) return false;
  const asked = askedBy(one, dueMs);
  const isLate = nowMs - dueMs > LATEST_MS;
  if (isLate) {
    const due = new Date(dueMs).toISOString();
    logger.warn({ ...place, due }, 'a scheduled run of a playbook was left out: no server ran');
    const reason = `Left out: due since ${due}, while no server followed this schedule. Run it by hand if it is still wanted.`;
    await noteFailure(asked, reason, deps);
  } else await start(asked, deps);
  const untilMs = isLate ? afterLateMs(one.schedule, dueMs, nowMs) : dueMs;
  await noteScheduleState(db, { ...place, until: new Date(untilMs) });
  return !isLate;
}

/** One look at all schedules; answers how many runs were due. */
export async function runSchedules(deps: TriggerDeps): Promise<number> {
  let started = 0;
  for (const playbook of await scheduledPlaybooks(deps.db)) {
    const { lines, problems } = linesOf(playbook);
    for (const problem of problems) await noteLeftOut(playbook, problem, deps);
    const states = await readScheduleStates(deps.db, playbook.id);
    for (const one of lines) if (await follow(one, states.get(one.line), deps)) started += 1;
  }
  return started;
}

/** For one of the servers. */
export function scheduleLoop(role: LeasedRole, deps: TriggerDeps): Loop {
  const run = () => runSchedules(deps);
  return { name: 'playbooks: schedules', everyMs: LOOK_EVERY_MS, role, run };
}
