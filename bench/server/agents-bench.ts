/** How an agent with a thousand checks catches up after hours without a line: how soon, in which order, in what memory. */
import { performance } from 'node:perf_hooks';
import { pino } from 'pino';
import { z } from 'zod';
import { pushOut } from '../../server/agents/program/push-out.ts';
import { createPushPace } from '../../server/agents/push-pace.ts';
import { prepareOutgoing } from '../../server/agents/program/outgoing-query.ts';
import { createUpstreamClient } from '../../server/agents/program/upstream-client.ts';
import type { Database } from '../../server/platform/db/database.ts';
import { createServerGuard } from '../../server/platform/egress/server-guard.ts';
import { nodePlatform } from '../../server/platform/platform.ts';
import { openTestBrowser } from '../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer } from '../../tests/security/support/test-server.ts';
import type { Bench } from '../core/bench.ts';
import { countRuns, readArrived, readLeftBehind, seedHours } from './agents-query.ts';
import { withDatabase } from './bench-database.ts';

const CHECKS = 1000;
/** Of one batch, which may be stored there and not yet be marked here. */
const BATCH_MINUTES = Math.ceil(500 / CHECKS) + 1;
const LOOK_MS = 1000;
const MB = 1024 * 1024;
const rssMb = () => process.memoryUsage().rss / MB;

interface CatchingUp {
  upstream: Database;
  site: Database;
  hours: number;
}

async function connect(upstream: Database) {
  const server = await startTestServer(upstream);
  const admin = openTestBrowser(server.url);
  await admin.signIn((await server.account('admin')).email, PASSWORD);
  const answer = await admin.post('/api/agent/generate', { name: 'site' });
  const made = z.object({ id: z.string(), access_token: z.string() }).parse(await answer.json());
  const agentId = (await upstream.text('select id::text from agents where person_id = $1', [made.id])) ?? '';
  const settings = { url: server.url, user: 'token', password: made.access_token, agentName: 'site' };
  const guard = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });
  const client = createUpstreamClient({
    upstream: settings,
    guard,
    platform: nodePlatform,
    program: { id: 'site', host: 'site' },
  });
  return { server, agentId, client };
}

async function catchUp({ upstream, site, hours }: CatchingUp) {
  const { server, agentId, client } = await connect(upstream);
  try {
    await prepareOutgoing(site);
    const runs = await seedHours(site, CHECKS, hours);
    const stop = new AbortController();
    const logger = pino({ level: 'warn' });
    const startedMs = performance.now();
    let stateMs = Number.NaN;
    let mostMb = rssMb();
    let behind = 0;
    const watching = (async () => {
      while (!stop.signal.aborted) {
        const { checks, newest } = await readArrived(upstream, agentId);
        if (Number.isNaN(stateMs) && checks === CHECKS) stateMs = performance.now() - startedMs;
        if (newest !== null) behind += await readLeftBehind(site, newest, BATCH_MINUTES);
        mostMb = Math.max(mostMb, rssMb());
        await nodePlatform.sleep(LOOK_MS, stop.signal);
      }
    })();
    const pace = createPushPace(nodePlatform);
    const deps = {
      db: site,
      client,
      logger,
      platform: nodePlatform,
      sentFirst: new Map<string, number>(),
      pace,
    };
    while ((await pushOut(deps, stop.signal)) !== 'done');
    const allMs = performance.now() - startedMs;
    stop.abort();
    await watching;
    const arrived = await countRuns(upstream);
    if (arrived !== runs) throw new Error(`${arrived} of ${runs} runs arrived`);
    if (behind > 0) throw new Error(`${behind} runs came after newer ones`);
    return { stateMs, allMs, memoryMb: mostMb };
  } finally {
    await server.stop();
  }
}

/** On PostgreSQL at both ends; the memory is that of one process that is both of them. */
async function measureHours(hours: number): Promise<Awaited<ReturnType<typeof catchUp>>> {
  let found = { stateMs: Number.NaN, allMs: Number.NaN, memoryMb: Number.NaN };
  await withDatabase('postgres', (upstream) =>
    withDatabase('postgres', async (site) => {
      found = await catchUp({ upstream, site, hours });
    }),
  );
  return found;
}

/** A day: 1.44 million runs. */
export async function measureAgents(bench: Bench): Promise<void> {
  await bench.measure(['agents state', 'agents catch-up', 'agents memory'], 1, async () => {
    const { stateMs, allMs, memoryMb } = await measureHours(24);
    return { 'agents state': stateMs, 'agents catch-up': allMs, 'agents memory': memoryMb };
  });
}

/** Two hours: a twelfth of that, for a look that ends within five minutes. */
export async function measureAgentHours(bench: Bench): Promise<void> {
  await bench.measure(['agent-hours state', 'agent-hours catch-up', 'agent-hours memory'], 1, async () => {
    const { stateMs, allMs, memoryMb } = await measureHours(2);
    return { 'agent-hours state': stateMs, 'agent-hours catch-up': allMs, 'agent-hours memory': memoryMb };
  });
}
