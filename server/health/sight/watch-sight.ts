/**
 * Looks whether this server and its agents can see, notes when they can't, and has rules asked: once when it began, once
 * when it is over, however many checks are unknown for it.
 */
import {
  AGENT_FORGOTTEN_MS,
  AGENT_SILENT_MS,
  TELL_AFTER_MS,
  type ClockJump,
} from '../../../src/domain/notification/sight.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import { MESSAGES } from './messages.ts';
import type { Sight } from './sight.ts';
import {
  blindAgentChecks,
  blindChecksOfDeleted,
  endAgentOutages,
  endOutages,
  openOutage,
  silentAgents,
  tellOutages,
} from './sight-query.ts';

export interface WatchDeps {
  db: Database;
  sight: Sight;
  notifier: Pick<ChangeNotifier, 'notify'>;
  /** Of this server among those on the database. */
  serverName: string;
  now: () => number;
}

const iso = (ms: number) => new Date(ms).toISOString();

async function noteJump({ db, serverName, now }: WatchDeps, jump: ClockJump): Promise<void> {
  const isGap = jump.kind === 'gap';
  await openOutage(db, {
    kind: 'clock',
    name: serverName,
    reason: isGap
      ? MESSAGES.gap(iso(jump.sinceMs), iso(jump.untilMs))
      : MESSAGES.setBack(Math.round(jump.byMs / 1000)),
    since: new Date(isGap ? jump.sinceMs : jump.atMs),
    endedAt: new Date(now()),
  });
}

async function watchAgents({ db, notifier, now }: WatchDeps): Promise<void> {
  const nowMs = now();
  const silent = new Date(nowMs - AGENT_SILENT_MS);
  const isBack = await db.transaction((tx) => endAgentOutages(tx, silent, new Date(nowMs)));
  const gone = await silentAgents(db, { silent, forgotten: new Date(nowMs - AGENT_FORGOTTEN_MS) });
  for (const { id, name, last_seen: seen, is_old: isOld } of gone) {
    const reason = MESSAGES.agentSilent(name, new Date(seen).toISOString());
    const since = new Date(seen);
    await db.transaction(async (tx) => {
      if ((await openOutage(tx, { kind: 'agent', name: id, agentId: id, reason, since, isOld })) > 0)
        await blindAgentChecks(tx, { id, reason, since });
    });
  }
  if (isBack > 0 || gone.length > 0) notifier.notify('checks');
}

/** Silence is measured by the clock: after it jumped, agents have time to speak. */
const AFTER_JUMP_MS = 2 * AGENT_SILENT_MS;

/** Answers a function that looks once. */
export function createWatch(deps: WatchDeps): () => Promise<void> {
  const { db, sight, notifier, serverName, now } = deps;
  let agentsFromMs = now() + AGENT_SILENT_MS;
  return async () => {
    sight.tick();
    for (const jump of sight.takeJumps()) {
      await noteJump(deps, jump);
      agentsFromMs = now() + AFTER_JUMP_MS;
    }
    const blind = await sight.see();
    if (blind === null) await endOutages(db, serverName, new Date(now()));
    else
      await openOutage(db, {
        kind: 'network',
        name: serverName,
        reason: blind.reason,
        since: new Date(blind.sinceMs),
      });
    if ((await blindChecksOfDeleted(db)) > 0) notifier.notify('checks');
    if (now() >= agentsFromMs) await watchAgents(deps);
    await db.transaction((tx) => tellOutages(tx, new Date(now() - TELL_AFTER_MS), new Date(now())));
  };
}
