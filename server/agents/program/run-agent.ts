/**
 * What makes a server an agent: it says that it is there, pulls what it is to run, and pushes what it found. Cut off, it
 * goes on checking and keeps everything in its own database until upstream is back.
 */
import { hostname } from 'node:os';
import { errorFacts } from '../../../src/contract/errors.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import type { Database } from '../../platform/db/database.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { onTables, runLoop, type LoopDeps, type WakeSource } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { LeasedRole } from '../../platform/jobs/leased-role.ts';
import type { Leases } from '../../platform/jobs/leases.ts';
import type { Platform } from '../../platform/platform.ts';
import type { UpstreamSettings } from '../../platform/settings/upstream-settings.ts';
import type { AgentProgram } from '../programs/agent-program.ts';
import { offerCluster } from './offer-cluster.ts';
import { createActionTaker, type ActionRunner } from './take-actions.ts';
import { prepareOutgoing } from './outgoing-query.ts';
import { createHello, type Hello } from './say-hello.ts';
import { pullIn } from './pull-in.ts';
import { forgetGone } from './set-aside-query.ts';
import { pushOut } from './push-out.ts';
import { createPushPace } from '../push-pace.ts';
import { MOST_WAITING_RUNS, thinOut } from './thin-out.ts';
import { createUpstreamClient } from './upstream-client.ts';

/** Upstream calls an agent online for 61 s after it was heard: two pings may get lost. */
const PING_MS = 20_000;
const PULL_MS = 30_000;
const PUSH_MS = 5000;
const SLOWEST_RETRY_MS = 20_000;
/** Between two pulls that were answered at once with nothing. */
const ACTIONS_MS = 5000;
/** What actions write is told, and whether they were cancelled is asked, this often while some run. */
const OUTPUT_MS = 500;
/** Looks whether too much waits. */
const THIN_MS = 60_000;

interface AgentDeps extends LoopDeps {
  platform: Pick<Platform, 'now' | 'sleep' | 'newId'>;
  db: Database;
  leases: Pick<Leases, 'role'>;
  settings: { upstream: UpstreamSettings | null };
  outside: { guard: EgressGuard; sealer: Opener };
  notify: (table: string) => void;
  notifier: Pick<ChangeNotifier, 'subscribe'>;
  playbooks: ActionRunner;
}

/** Opens the line to the cluster again; somebody who calls meanwhile is told that the agent is away. */
const CLUSTER_MS = 2000;

/** Does it once for all callers; again for the next one where it failed. */
function untilDone<T>(work: (stop: AbortSignal) => Promise<T>) {
  let doing: Promise<T> | null = null;
  return (stop: AbortSignal): Promise<T> => {
    doing ??= work(stop).catch((error: unknown) => {
      doing = null;
      throw error;
    });
    return doing;
  };
}

interface ClusterLoop extends AgentDeps {
  upstream: UpstreamSettings;
  role: LeasedRole;
  program: AgentProgram;
  hello: Hello;
  /** Answers the agent's name upstream; nothing while it stands back. */
  connected: (stop: AbortSignal) => Promise<string | null | undefined>;
}

/** Without the role: the lease could not be given back while the line is open, which is for as long as it goes. */
function loopOfCluster(deps: ClusterLoop, signal: AbortSignal): Promise<void> {
  const { upstream, role, program, hello, connected, outside, platform, logger } = deps;
  const isAgent = () => role.leaseFor('') !== null && !hello.standsBack();
  const run = async (stop: AbortSignal) => {
    if (upstream.ownCluster === undefined || !isAgent()) return;
    const agentName = await connected(stop);
    if (typeof agentName !== 'string') return;
    const offer = { upstream, guard: outside.guard, platform, logger, isAgent, program };
    await offerCluster(offer, agentName, stop);
  };
  const loop = { slowestRetryMs: SLOWEST_RETRY_MS, name: 'agent cluster', everyMs: CLUSTER_MS, run };
  return runLoop(deps, loop, signal);
}

/** Until the signal aborts, on one of the servers of the database; nothing where the server is nobody's agent. */
export async function runAgent(deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const { upstream } = deps.settings;
  if (upstream === null) return;
  const { db, leases, notify, outside, platform, logger } = deps;
  const program = { id: platform.newId(), host: hostname() };
  const client = createUpstreamClient({ upstream, ...outside, platform, program });
  const role = leases.role('agent');
  const hello = createHello({ db, client, agentName: upstream.agentName, logger });
  const prepared = untilDone(() => prepareOutgoing(db));
  const connect = async (stop: AbortSignal) => {
    const name = await hello.say(stop);
    logger.info({ upstream: upstream.url, agent: name }, 'connected to the upstream server');
    return name;
  };
  const connected = untilDone(connect);
  /** Nothing while it stands back: whether that is over, the ping asks. */
  const once =
    <T>(work: (stop: AbortSignal) => Promise<T>, isPing = false) =>
    async (stop: AbortSignal) => {
      try {
        await prepared(stop);
        await connected(stop);
        return hello.standsBack() && !isPing ? undefined : await work(stop);
      } catch (error) {
        // Was told when it began.
        if (errorFacts(error).code === 'conflict' && hello.standsBack()) return undefined;
        throw error;
      }
    };
  // Cut off or not, and before the upstream server was ever reached.
  const thin = async (stop: AbortSignal) => {
    await prepared(stop);
    await forgetGone(db, new Date(platform.now()));
    return thinOut({ db, logger, most: MOST_WAITING_RUNS });
  };
  const loop = (
    name: string,
    everyMs: number,
    { run, wakes = [] }: { run: (stop: AbortSignal) => Promise<unknown>; wakes?: readonly WakeSource[] },
  ) => runLoop(deps, { role, slowestRetryMs: SLOWEST_RETRY_MS, name, everyMs, run, wakes }, signal);
  const pull = once((stop) => pullIn({ db, client, sealer: outside.sealer, notify }, stop));
  const sentFirst = new Map<string, number>();
  const pace = createPushPace(platform);
  const push = once((stop) => pushOut({ db, client, logger, platform, sentFirst, pace }, stop));
  const actions = createActionTaker({ ...deps, client, role });
  // Somebody waits for how an action ended.
  const wakes = [onTables(deps.notifier, ['playbook_run_actions'])];
  await Promise.all([
    loop('agent ping', PING_MS, { run: once(hello.say, true) }),
    loop('agent pull', PULL_MS, { run: pull }),
    loop('agent bound', THIN_MS, { run: thin }),
    loop('agent push', PUSH_MS, { run: push, wakes }),
    loop('agent actions', ACTIONS_MS, { run: once((stop) => actions.takeNext(stop)) }),
    loopOfCluster({ ...deps, upstream, role, program, hello, connected: once(connected) }, signal),
    loop('agent output', OUTPUT_MS, { run: once((stop) => actions.tell(stop)) }),
  ]);
  await actions.end();
}
