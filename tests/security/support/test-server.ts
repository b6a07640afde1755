/**
 * For tests only: the HTTP server on a real database, listening on loopback, with a small client that keeps
 * cookies as a browser does. Time can be moved; checks are run by a stand-in that implements the port.
 */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { RunResult } from '../../../src/contract/http/canary.ts';
import type { DemoMail } from '../../../src/contract/http/identity/identity.ts';
import { readableCollections } from '../../../server/replication/change-log/collections.ts';
import { createEventStreams } from '../../../server/replication/change-log/event-streams.ts';
import { createChangeNotifier } from '../../../server/platform/jobs/change-notifier.ts';
import type { ChangeNotifier } from '../../../server/platform/jobs/change-notifier.ts';
import type { CheckService } from '../../../server/health/check-service.ts';
import { createSecretReader } from '../../../server/health/kind/secret-values.ts';
import { createCommandService } from '../../../server/replication/commands/command-service.ts';
import { keepSealed } from '../../../server/connections/keep-sealed.ts';
import { createDataApi } from '../../../server/replication/data-api/data-api.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { createServerGuard } from '../../../server/platform/egress/server-guard.ts';
import { createAccount } from '../../../server/access/identity/accounts/accounts.ts';
import { createHostedParts } from '../../../server/access/hosted/hosted-parts.ts';
import { createIdentityParts } from '../../../server/access/identity/identity-parts.ts';
import type { IdentitySettings } from '../../../server/access/identity/identity-parts.ts';
import type { Logger } from '../../../server/platform/logger.ts';
import { nodePlatform } from '../../../server/platform/platform.ts';
import type { Platform } from '../../../server/platform/platform.ts';
import { decideTableAccess } from '../../../server/access/policies/table-areas.ts';
import { createJobMetrics } from '../../../server/platform/jobs/job-metrics.ts';
import { createLeases } from '../../../server/platform/jobs/leases.ts';
import {
  createDirectMessages,
  type DirectMessages,
} from '../../../server/notifications/direct/direct-messages.ts';
import { createPushService } from '../../../server/notifications/push/push-service.ts';
import { createSealer } from '../../../server/platform/crypto/sealing.ts';
import { handlerNamed } from '../../../server/app/all-handlers.ts';
import { createApp } from '../../../server/app/create-app.ts';
import { createChartService } from '../../../server/integrations/chart-service.ts';
import { createLogService } from '../../../server/logs/log-service.ts';
import { createLogReader } from '../../../server/app/log-reader.ts';
import { createScrapeService } from '../../../server/catalog/scrapers/scrape-service.ts';
import type { AppDeps, Backend } from '../../../server/app/backend.ts';
import { createPlaybookService } from '../../../server/playbooks/running/playbook-service.ts';
import { createTriggerService } from '../../../server/playbooks/triggers/trigger-service.ts';
import {
  createTopologyService,
  type TopologyServiceDeps,
} from '../../../server/topology/topology-service.ts';

export const PASSWORD = 'a password for tests';

const KEY = Buffer.alloc(32, 7);
const silent = pino({ level: 'silent' });

export interface TestServer {
  url: string;
  db: Database;
  notifier: ChangeNotifier;
  backend: Backend;
  direct: DirectMessages;
  /** Moves the server's clock. */
  advance(ms: number): void;
  /** Makes an account with these roles; answers its e-mail and id. */
  account(...roles: string[]): Promise<{ email: string; id: string }>;
  /** Sends the mail that waits; answers what this address got, the newest first. */
  mails(to: string): Promise<DemoMail[]>;
  /** For requests that need no socket. */
  app: FastifyInstance;
  stop(): Promise<void>;
}

/** Runs nothing: knows one check and answers what a run would. */
function standInChecks(known: Map<string, RunResult | null>, onRun: (checkId: string) => void): CheckService {
  return {
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    runCheckNow: (id) => {
      onRun(id);
      const result = known.get(id);
      return Promise.resolve(result === undefined ? 'unknown' : result);
    },
    tryChecks: () => Promise.resolve([]),
    takePosted: () => Promise.resolve('unknown'),
    figuresText: () => '',
    stats: () => ({ scheduled: known.size, running: 0, completed: 0, failed: 0 }),
  };
}

export interface TestServerOptions {
  settings?: Partial<AppDeps['settings']>;
  localProperties?: AppDeps['localProperties'];
  identity?: Partial<IdentitySettings>;
  /** Scrapers are run when asked; none runs by itself. */
  scrapersDir?: string;
  /** Runs playbooks; without it they stay as they are written. */
  playbooks?: { isExecAllowed: boolean; folder?: string };
  /** Where log backends may read files, and how long each may take. */
  logs?: { folder?: string; backendLimitMs?: number };
  /** Where charts of integrations are read. */
  chartsUrl?: string;
  /** Places that tests of connections may call. */
  egressAllow?: string[];
  /** Certificate of a push service. */
  pushCa?: string;
  /** Mentions and calls for help come by mail, too. */
  mailsPeople?: boolean;
  runs?: Map<string, RunResult | null>;
  /** What lookups of topologies find; nothing unless given. */
  lookups?: TopologyServiceDeps['lookups'];
  /** Hears of every run that is asked for. */
  onRun?: (checkId: string) => void;
  heartbeatMs?: number;
  appDir?: string;
  /** Where the hosted mode keeps its signing key. */
  dataDir?: string;
  port?: number;
  /** Another clock than the machine's. */
  platform?: Platform;
  checks?: CheckService;
  /** How long a sender may take over a request. */
  requestTimeoutMs?: number;
  /** For tests that read what was logged. */
  logger?: Logger;
}

export async function startTestServer(db: Database, options: TestServerOptions = {}): Promise<TestServer> {
  let aheadMs = 0;
  const logger = options.logger ?? silent;
  const outside = options.platform ?? nodePlatform;
  const platform: Platform = { ...outside, now: () => outside.now() + aheadMs };
  const dataDir =
    options.dataDir ?? options.identity?.dataDir ?? join(tmpdir(), `holdfast-test-${platform.secret(8)}`);
  const hostedSettings = options.settings?.hosted ?? null;
  const hosted =
    hostedSettings === null
      ? null
      : await createHostedParts({ db, platform, dataDir, settings: hostedSettings });
  const notifier = createChangeNotifier(platform);
  const metrics = createJobMetrics();
  const leases = createLeases({ db, platform, logger, metrics, isAlone: true });
  let url = '';
  let front: string | null = null;
  const identity = createIdentityParts({
    isHosted: hosted !== null,
    ownOrganization: hostedSettings?.ownOrganization ?? null,
    db,
    platform,
    logger,
    leases,
    metrics,
    settings: {
      dataDir,
      isDemo: true,
      isAuthDemo: false,
      registration: 'invitation',
      smtpUrl: null,
      smtpFrom: 'holdfast@example.com',
      ...options.identity,
    },
    key: KEY,
    publicUrl: () => options.settings?.publicUrl ?? front ?? url,
  });
  const streams = createEventStreams({
    db,
    notifier,
    sessions: identity.sessions,
    platform,
    logger,
    readable: (roles) =>
      readableCollections(roles, { isChecksOnly: options.settings?.isChecksOnly ?? false }),
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  });
  const checks =
    options.checks ?? standInChecks(options.runs ?? new Map(), options.onRun ?? (() => undefined));
  const dataApi = createDataApi({
    db,
    logger,
    now: () => platform.now(),
    policy: decideTableAccess,
    onWrite: (table) => notifier.notify(table),
  });
  const services = {
    guard: createServerGuard({ egressAllow: options.egressAllow ?? [], egressDeny: [], databaseUrl: null }),
    secret: createSecretReader(dataDir),
    sealer: createSealer(KEY, platform),
  };
  const notify = (table: string) => notifier.notify(table);
  const scrapers = createScrapeService({
    db,
    settings: { scrapersDir: options.scrapersDir ?? null, isExecAllowed: false },
    platform,
    leases,
    logger,
    ...services,
    notify,
    readLogs: createLogReader({ logsDir: null }, () => platform.now()),
  });
  const topologies = createTopologyService({
    db,
    settings: { topologiesDir: null },
    platform,
    leases,
    logger,
    sealer: services.sealer,
    notifier,
    notify,
    lookups: options.lookups ?? { lookUp: () => Promise.resolve([]) },
  });
  const commands = createCommandService({
    db,
    notifier,
    platform,
    logger,
    leases,
    metrics,
    checks,
    things: { config_scrapers: scrapers, topologies },
    dataApi,
    handlerNamed,
  });
  const playbooks = createPlaybookService({
    db,
    platform,
    leases,
    metrics,
    logger,
    ...services,
    isExecAllowed: options.playbooks?.isExecAllowed ?? false,
    playbooksDir: options.playbooks?.folder ?? null,
    notifier,
    notify: (...tables) => notifier.notify(...tables),
  });
  if (options.playbooks !== undefined) await playbooks.start();
  const triggers = createTriggerService({
    db,
    platform,
    leases,
    logger,
    ...services,
    playbooks,
    notify: (...tables) => notifier.notify(...tables),
  });
  const logs = createLogService({
    db,
    platform,
    logger,
    ...services,
    settings: { logsDir: options.logs?.folder ?? null, dataDir },
    backendLimitMs: options.logs?.backendLimitMs,
  });
  const push = createPushService({
    db,
    platform,
    logger,
    notifier,
    sessions: identity.sessions,
    guard: services.guard,
    sealer: createSealer(KEY, platform),
    subject: () => 'mailto:holdfast@example.com',
    ...(options.pushCa === undefined ? {} : { tls: { ca: options.pushCa } }),
  });
  const direct = createDirectMessages({
    db,
    platform,
    logger,
    leases,
    metrics,
    notifier,
    push,
    courier: options.mailsPeople === true ? identity.courier : null,
    publicUrl: () => url,
  });
  const backend: Backend = {
    db,
    ...identity,
    push,
    hasMail: true,
    checks,
    scrapers,
    topologies,
    playbooks,
    triggers,
    logs,
    charts: createChartService({ db, platform, ...services, registry: options.chartsUrl ?? null }),
    commands,
    streams,
    dataApi,
    metrics,
    leases,
    hosted,
    outside: services,
    notify,
  };
  const app = await createApp({
    settings: { backendUrl: null, isChecksOnly: false, publicUrl: null, ...options.settings },
    localProperties: options.localProperties ?? new Map(),
    platform,
    logger,
    appDir: options.appDir ?? `${tmpdir()}/holdfast-no-app`,
    hostname: 'test-host',
    onFront: (address) => {
      front = address;
    },
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
    backend: () => backend,
  });
  await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://localhost:${address.port}`;
  const background = new AbortController();
  const sealing = { db, notifier, platform, logger, sealer: createSealer(KEY, platform) };
  const streaming = Promise.all([
    ...[leases, streams, commands, direct, triggers].map((part) => part.run(background.signal)),
    keepSealed(sealing, background.signal),
  ]);
  let accounts = 0;
  return {
    url,
    db,
    app,
    notifier,
    backend,
    direct,
    advance: (ms) => {
      aheadMs += ms;
    },
    async account(...roles) {
      accounts += 1;
      const email = `user-${accounts}-${platform.secret(4)}@example.com`;
      const request = { email, firstName: 'Test', lastName: `User ${accounts}`, password: PASSWORD, roles };
      return { email, id: await createAccount(db, platform, request) };
    },
    async mails(to) {
      await identity.courier.deliverDue();
      return (await identity.mailbox.list()).filter((mail) => mail.to === to);
    },
    async stop() {
      background.abort();
      streams.closeAll();
      await streaming;
      app.server.closeAllConnections();
      await app.close();
      await scrapers.stop(1000);
      await Promise.all([topologies.stop(1000), playbooks.stop(1000)]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
