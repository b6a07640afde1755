/** The running program's parts, joined: who needs whom is decided here and nowhere else. */
import { readableCollections } from '../replication/change-log/collections.ts';
import { createEventStreams } from '../replication/change-log/event-streams.ts';
import type { JobMetrics } from '../platform/jobs/job-metrics.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import type { ChangeNotifier } from '../platform/jobs/change-notifier.ts';
import { createSecretReader } from '../health/kind/secret-values.ts';
import { createCheckService } from '../health/create-check-service.ts';
import { createCommandService } from '../replication/commands/command-service.ts';
import { createDataApi } from '../replication/data-api/data-api.ts';
import type { Database } from '../platform/db/database.ts';
import type { Demo } from './demo/create-demo.ts';
import { createServerGuard } from '../platform/egress/server-guard.ts';
import { createEventParts, type EventParts } from './event-parts.ts';
import { createIdentityParts } from '../access/identity/identity-parts.ts';
import type { Courier } from '../platform/mail/courier.ts';
import type { MailTransport } from '../platform/mail/mail-transport.ts';
import { createIncidentService, type IncidentService } from '../incidents/rules/incident-service.ts';
import { type Sealer } from '../platform/crypto/sealing.ts';
import { type HostedParts } from '../access/hosted/hosted-parts.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import { decideTableAccess } from '../access/policies/table-areas.ts';
import { createDirectMessages, type DirectMessages } from '../notifications/direct/direct-messages.ts';
import { pushSubject } from '../notifications/push/push-subject.ts';
import {
  createNotificationService,
  type NotificationService,
} from '../notifications/notification-service.ts';
import { createPushService, type PushService } from '../notifications/push/push-service.ts';
import { handlerNamed } from './all-handlers.ts';
import { createLogBackendFiles } from '../logs/documents/log-backend-files.ts';
import { createChartService } from '../integrations/chart-service.ts';
import { createLogService } from '../logs/log-service.ts';
import { checkOut } from './check-out.ts';
import { createLogReader } from './log-reader.ts';
import { createScrapeService } from '../catalog/scrapers/scrape-service.ts';
import { createPlaybookService } from '../playbooks/running/playbook-service.ts';
import { createTriggerService } from '../playbooks/triggers/trigger-service.ts';
import type { Backend } from './backend.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { createTopologyService } from '../topology/topology-service.ts';

export interface StartDeps {
  settings: Settings;
  /** Properties set outside the database. */
  localProperties: ReadonlyMap<string, string>;
  logger: Logger;
  platform: Platform;
}

interface AssembleDeps extends StartDeps {
  db: Database;
  notifier: ChangeNotifier;
  leases: Leases;
  metrics: JobMetrics;
  url: string;
  publicUrl: () => string;
  key: Buffer;
  sealer: Sealer;
  hosted: HostedParts | null;
  demo: Demo;
}

function assemblePlaybooks(deps: AssembleDeps, outside: Backend['outside']) {
  const { notifier, settings } = deps;
  const notify = (...tables: string[]) => notifier.notify(...tables);
  const { isExecAllowed, playbooksDir } = settings;
  const playbooks = createPlaybookService({ ...deps, ...outside, isExecAllowed, playbooksDir, notify });
  return { playbooks, triggers: createTriggerService({ ...deps, ...outside, playbooks, notify }) };
}

interface TellingDeps extends AssembleDeps {
  outside: Backend['outside'];
  sessions: Backend['sessions'];
  mailbox: MailTransport;
  courier: Courier;
}

interface Telling {
  push: PushService;
  direct: DirectMessages;
  notifications: NotificationService;
}

const sendsMail = ({ smtpUrl, isDemo }: Settings): boolean => smtpUrl !== null || isDemo;

/** How people are told: their browsers, and what rules send. */
function openNotifications(deps: TellingDeps): Telling {
  const { settings, outside, mailbox, publicUrl } = deps;
  const push = createPushService({
    ...deps,
    guard: outside.guard,
    subject: () => pushSubject(publicUrl(), settings.smtpFrom),
  });
  const notifications = createNotificationService({
    ...deps,
    ...outside,
    // Without a mail server nobody would get it; the demo shows its mails on a page.
    mail: sendsMail(settings) ? mailbox : null,
    push: (asked) => push.sendToPerson(asked),
  });
  const direct = createDirectMessages({ ...deps, push, courier: sendsMail(settings) ? deps.courier : null });
  return { push, direct, notifications };
}

function assembleLogs(
  deps: Parameters<typeof createLogService>[0] & Parameters<typeof createLogBackendFiles>[0],
) {
  return { logs: createLogService(deps), logBackendFiles: createLogBackendFiles(deps) };
}

/** The backend, and what runs beside it. */
type Assembled = Backend &
  Telling &
  ReturnType<typeof assembleLogs> & { courier: Courier; events: EventParts; incidents: IncidentService };

/** Makes every service, over one database and one way to tell of changes; starts none. */
export function assemble(deps: AssembleDeps): Assembled {
  const { db, notifier, settings, logger, platform, hosted, demo } = deps;
  const identity = createIdentityParts({
    ...deps,
    isHosted: settings.hosted !== null,
    ownOrganization: settings.hosted?.ownOrganization ?? null,
  });
  const streams = createEventStreams({
    db,
    notifier,
    sessions: identity.sessions,
    platform,
    logger,
    readable: (roles) => readableCollections(roles, settings),
  });
  const checks = createCheckService({ ...deps, ownDocuments: demo.canaries });
  const notify = (table: string) => notifier.notify(table);
  const now = () => platform.now();
  const dataApi = createDataApi({ db, logger, now, policy: decideTableAccess, onWrite: notify });
  const secret = createSecretReader(settings.dataDir);
  const outside = { guard: createServerGuard(settings), secret, sealer: deps.sealer };
  const scrapers = createScrapeService({
    ...deps,
    ...outside,
    notify,
    readLogs: createLogReader(settings, now),
    checkOut,
    ownDocuments: demo.scrapers,
  });
  const topologies = createTopologyService({ ...deps, notify, lookups: checks });
  const { playbooks, triggers } = assemblePlaybooks(deps, outside);
  const things = { config_scrapers: scrapers, topologies };
  const commands = createCommandService({ ...deps, checks, things, dataApi, handlerNamed });
  const { mailbox } = identity;
  const events = createEventParts({ ...deps, outside, mailbox, onDemand: triggers.handlers });
  const telling = openNotifications({ ...deps, ...identity, outside });
  return {
    db,
    ...identity,
    hosted,
    checks,
    scrapers,
    topologies,
    playbooks,
    triggers,
    ...assembleLogs({ ...deps, ...outside, notify }),
    charts: createChartService({ ...deps, ...outside, registry: settings.chartsUrl }),
    incidents: createIncidentService({ ...deps, notify }),
    commands,
    streams,
    ...telling,
    hasMail: sendsMail(settings),
    dataApi,
    metrics: deps.metrics,
    leases: deps.leases,
    outside,
    notify,
    events,
  };
}
