/**
 * Puts the program together and takes it apart. The door opens first and answers 503 until the database is
 * there: a proxy or a page that waits learns at once that somebody is home. Order of the end: no new work, open
 * streams told to come back, running checks finished or killed, database flushed and closed.
 */
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import { checkEpoch, keepMarker } from '../replication/change-log/epoch-marker.ts';
import { cleanUpAgents } from '../agents/clean-up.ts';
import { runAgent } from '../agents/program/run-agent.ts';
import { createJobMetrics } from '../platform/jobs/job-metrics.ts';
import { createLeases } from '../platform/jobs/leases.ts';
import { createChangeNotifier } from '../platform/jobs/change-notifier.ts';
import { keepLogSmall } from '../replication/change-log/upkeep.ts';
import { keepSealed } from '../connections/keep-sealed.ts';
import type { Database } from '../platform/db/database.ts';
import { removeLeftFolders } from '../platform/exec/work-folder.ts';
import { migrate } from '../platform/db/migrate.ts';
import { openDatabase } from '../platform/db/open-database.ts';
import { runVacuum } from '../platform/db/upkeep/vacuum.ts';
import { openDemo } from './demo/create-demo.ts';
import { ensureAdmin } from '../access/identity/accounts/accounts.ts';
import { createSealer, loadSealingKey } from '../platform/crypto/sealing.ts';
import { createHostedParts, type HostedParts } from '../access/hosted/hosted-parts.ts';
import type { Platform } from '../platform/platform.ts';
import { createApp } from './create-app.ts';
import type { Backend } from './backend.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { assemble } from './assemble.ts';
import type { StartDeps } from './assemble.ts';

/** Running checks and scrapes get this long to come to an end. */
const RUNS_GRACE_MS = 5000;
/** Requests that are being answered get this long before their connections are cut. */
const REQUESTS_GRACE_MS = 2000;

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** The built app lies beside the bundled server; from sources it lies in dist. */
function appDirectory(): string {
  const relative = import.meta.url.endsWith('.ts') ? '../../dist/app' : '../app';
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** The address as a person would type it. */
function addressOf(app: FastifyInstance, settings: Settings): string {
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : settings.port;
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(settings.host);
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return `http://${isLocal ? 'localhost' : host}:${port}`;
}

/** For people at the terminal, next to the structured log. */
function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function openMigrated({ settings, logger, platform }: StartDeps): Promise<Database> {
  const { databaseUrl, dataDir, adminEmail, adminPassword } = settings;
  const db = await openDatabase({ databaseUrl: databaseUrl ?? undefined, dataDir, logger });
  try {
    await migrate(db, logger);
    const made = await ensureAdmin(db, platform, { email: adminEmail, password: adminPassword });
    if (made !== null) {
      say('', `  First sign-in: ${adminEmail}`, `  Password:      ${made}`, '  (shown this once only)', '');
    }
    await checkEpoch({ db, dataDir, platform, logger });
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openBehind(app: FastifyInstance, deps: StartDeps): Promise<Database> {
  try {
    return await openMigrated(deps);
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function openPort(app: FastifyInstance, { port, host }: Settings): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new AppError(
      'conflict',
      `PORT ${port} on ${host} is in use. Stop what uses it, or set another PORT.`,
      {
        cause: error,
      },
    );
  }
}

/** Closes the door within its grace: idle connections at once, busy ones when answered, the rest cut. */
async function closePort(app: FastifyInstance, platform: Platform): Promise<void> {
  const done = new AbortController();
  const cut = platform.sleep(REQUESTS_GRACE_MS, done.signal).then(() => app.server.closeAllConnections());
  await app.close();
  done.abort();
  await cut;
}

async function openHosted(db: Database, { settings, platform }: StartDeps): Promise<HostedParts | null> {
  const { dataDir, hosted } = settings;
  return hosted === null ? null : createHostedParts({ db, platform, dataDir, settings: hosted });
}

/** Where links lead: as the operator says, else where administrators come through a front, else where we listen. */
function createLinkAddress({ publicUrl }: Settings) {
  let front: string | null = null;
  return {
    saw: (address: string) => {
      front = address;
    },
    from: (url: string) => () => publicUrl ?? front ?? url,
  };
}

function sayReady(url: string, { publicUrl }: Settings): void {
  say(`Holdfast is ready on ${url}`);
  if (publicUrl === null) say('Links in mails lead there; behind another front, set PUBLIC_URL.');
}

/** What background work shares. */
function openShared(db: Database, key: Buffer, { platform, logger }: StartDeps) {
  const metrics = createJobMetrics();
  const serverName = `${hostname()}/${process.pid}`;
  const leases = createLeases({ db, platform, logger, metrics, serverName });
  return {
    db,
    notifier: createChangeNotifier(platform),
    leases,
    metrics,
    sealer: createSealer(key, platform),
  };
}

/** What waits for work of its own, until the signal aborts. */
function runLoops(parts: ReturnType<typeof assemble>, signal: AbortSignal): Promise<void>[] {
  const { commands, courier, events, direct, triggers, notifications } = parts;
  return [commands, courier, events, direct, triggers, notifications].map((each) => each.run(signal));
}

/** What runs beside the areas, on their parts. */
const UPKEEP = [keepMarker, keepLogSmall, runVacuum, keepSealed, runAgent, cleanUpAgents, removeLeftFolders];

/** Starts everything; resolves when it is ready to answer. */
export async function startServer(deps: StartDeps): Promise<RunningServer> {
  const { settings, logger, platform } = deps;
  let backend: Backend | null = null;
  const links = createLinkAddress(settings);
  const app = await createApp({
    ...deps,
    appDir: appDirectory(),
    hostname: hostname(),
    onFront: links.saw,
    backend: () => backend,
  });
  await openPort(app, settings);
  const url = addressOf(app, settings);

  if (settings.backendUrl !== null) {
    say(`Holdfast serves the app on ${url} for the backend ${new URL(settings.backendUrl).origin}`);
    return { url, stop: () => closePort(app, platform) };
  }

  const background = new AbortController();
  const db = await openBehind(app, deps);
  // Each loop listens for the end; Node takes more than ten of them for a leak.
  setMaxListeners(0, background.signal);
  try {
    const key = await loadSealingKey(settings.dataDir, platform);
    const hosted = await openHosted(db, deps);
    const demo = await openDemo(settings.isDemo, platform);
    const shared = openShared(db, key, deps);
    const parts = assemble({ ...deps, ...shared, url, publicUrl: links.from(url), key, hosted, demo });
    backend = parts;
    await shared.leases.start();
    const running = [shared.leases, parts.streams].map((each) => each.run(background.signal));
    const { checks, scrapers, topologies, incidents, playbooks, logBackendFiles } = parts;
    const runs = [checks, scrapers, topologies, incidents, playbooks, logBackendFiles];
    for (const each of runs) await each.start();
    const upkeep = { ...deps, ...parts, ...shared, dataDir: settings.dataDir };
    const keeping = Promise.all([
      ...runLoops(parts, background.signal),
      ...UPKEEP.map((keep) => keep(upkeep, background.signal)),
      demo.run({ ...deps, ...parts }, background.signal),
    ]);
    sayReady(url, settings);
    logger.info({ url, database: db.kind }, 'ready');
    return {
      url,
      async stop() {
        parts.streams.closeAll();
        const ended = runs.map((each) => each.stop(RUNS_GRACE_MS));
        await Promise.all([closePort(app, platform), ...ended]);
        background.abort();
        await Promise.all([...running, keeping, demo.stop()]);
        await shared.leases.close();
        await db.close();
      },
    };
  } catch (error) {
    background.abort();
    await app.close();
    // A PostgreSQL that we run ourselves would go on without us.
    await db.close();
    throw error;
  }
}
