/**
 * Playbooks with a schedule, started when it comes round: once, however many servers there are, and never late. What
 * came round while no server ran is left out.
 */
import { parseSchedule } from '../../../src/domain/check/schedule.ts';
import type { Schedule } from '../../../src/domain/check/schedule.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Loop } from '../../platform/jobs/background-loop.ts';
import type { LeasedRole } from '../../platform/jobs/leased-role.ts';
import { nextRunMs } from '../../platform/jobs/next-run.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { specOfPlaybook } from '../requests/runnable-playbooks.ts';
import { noteScheduleState, readScheduleStates, scheduledPlaybooks } from './cause-query.ts';
import type { TriggeredPlaybook } from './cause-query.ts';
import { noteFailure, startTriggered } from './start-triggered.ts';
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

function linesOf(playbook: TriggeredPlaybook, { logger }: TriggerDeps): Line[] {
  try {
    const { on } = specOfPlaybook(playbook);
    return (on?.schedule ?? []).flatMap(({ schedule: text, parameters = {} }, at) => {
      const schedule = parseSchedule({ schedule: text });
      const given = Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      return schedule === null
        ? []
        : [{ playbook, line: `${at} ${text}`, schedule, params: Object.fromEntries(given) }];
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn(
      { playbook: playbook.id, reason: error.message },
      'a playbook with a schedule cannot be read',
    );
    return [];
  }
}

async function start({ playbook, line, params }: Line, dueMs: number, deps: TriggerDeps): Promise<void> {
  const at = new Date(dueMs).toISOString();
  const asked: Triggered = {
    playbook,
    target: null,
    params,
    request: { schedule: line.slice(line.indexOf(' ') + 1), at },
    cause: {
      kind: 'schedule',
      sourceKey: `${line}@${at}`,
      detail: line.slice(line.indexOf(' ') + 1),
      parent: null,
    },
  };
  try {
    await startTriggered(asked, deps);
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    await noteFailure(asked, reasonOf(error), deps);
  }
}

/** One look at all schedules; answers how many runs were due. */
export async function runSchedules(deps: TriggerDeps): Promise<number> {
  const { db, platform, logger } = deps;
  const nowMs = platform.now();
  let started = 0;
  for (const playbook of await scheduledPlaybooks(db)) {
    const lines = linesOf(playbook, deps);
    const states = await readScheduleStates(db, playbook.id);
    for (const one of lines) {
      const place = { playbookId: playbook.id, line: one.line };
      const sinceMs = states.get(one.line);
      if (sinceMs === undefined) await noteScheduleState(db, { ...place, until: new Date(nowMs) });
      const dueMs = sinceMs === undefined ? null : lastDueMs(one.schedule, sinceMs, nowMs);
      if (dueMs === null) continue;
      if (nowMs - dueMs > LATEST_MS)
        logger.warn(
          { ...place, due: new Date(dueMs) },
          'a scheduled run of a playbook was left out: no server ran',
        );
      else {
        await start(one, dueMs, deps);
        started += 1;
      }
      await noteScheduleState(db, { ...place, until: new Date(dueMs) });
    }
  }
  return started;
}

/** For one of the servers. */
export function scheduleLoop(role: LeasedRole, deps: TriggerDeps): Loop {
  const run = () => runSchedules(deps);
  return { name: 'playbooks: schedules', everyMs: LOOK_EVERY_MS, role, run };
}
