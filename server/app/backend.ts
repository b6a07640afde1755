/**
 * Everything that the running program is made of. Only the composition root sees all of it: the routes of an area name
 * the parts that they use.
 */
import type { IdentityOptions } from '../../src/contract/http/identity/identity.ts';
import type { EventStreams } from '../replication/change-log/event-streams.ts';
import type { ChartService } from '../integrations/chart-service.ts';
import type { CheckService } from '../health/check-service.ts';
import type { CommandService } from '../replication/commands/command-service.ts';
import type { SecretReader } from '../connections/connection-values.ts';
import type { Sealer } from '../platform/crypto/sealing.ts';
import type { DataApi } from '../replication/data-api/data-api.ts';
import type { Database } from '../platform/db/database.ts';
import type { JobMetrics } from '../platform/jobs/job-metrics.ts';
import type { Leases } from '../platform/jobs/leases.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import type { AccessTokens } from '../access/identity/sessions/access-tokens.ts';
import type { Administration } from '../access/identity/accounts/administration.ts';
import type { BasicSignIn } from '../access/identity/sessions/basic-sign-in.ts';
import type { FlowService } from '../access/identity/flows/flow-service.ts';
import type { PageErrors } from '../access/identity/accounts/page-errors.ts';
import type { MailTransport } from '../platform/mail/mail-transport.ts';
import type { HostedParts } from '../access/hosted/hosted-parts.ts';
import type { RouteContext } from '../access/request/route-context.ts';
import type { Sessions } from '../access/identity/sessions/sessions.ts';
import type { LogService } from '../logs/log-service.ts';
import type { Logger } from '../platform/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { PushService } from '../notifications/push/push-service.ts';
import type { PlaybookService } from '../playbooks/running/playbook-service.ts';
import type { TriggerService } from '../playbooks/triggers/trigger-service.ts';
import type { ScrapeService } from '../catalog/scrapers/scrape-service.ts';
import type { Settings } from '../platform/settings/settings.ts';
import type { TopologyService } from '../topology/topology-service.ts';

/** What answers need; there once the database is open and migrated. */
export interface Backend {
  db: Database;
  sessions: Sessions;
  flows: FlowService;
  mailbox: Pick<MailTransport, 'list'>;
  identityOptions: IdentityOptions;
  basic: BasicSignIn;
  accessTokens: AccessTokens;
  pageErrors: PageErrors;
  administration: Administration;
  checks: CheckService;
  scrapers: ScrapeService;
  topologies: TopologyService;
  playbooks: PlaybookService;
  logs: LogService;
  charts: ChartService;
  triggers: TriggerService;
  commands: CommandService;
  streams: EventStreams;
  push: PushService;
  /** Mail reaches people: there is a mail server, or the demo's page. */
  hasMail: boolean;
  dataApi: DataApi;
  metrics: JobMetrics;
  leases: Pick<Leases, 'take'>;
  /** The hosted mode's parts; null with the built-in sign-in. */
  hosted: HostedParts | null;
  /** What calls to other people's services pass, and the values that they sign in with. */
  outside: { guard: EgressGuard; secret: SecretReader; sealer: Sealer };
  /** Tells open pages of a table that was written outside the data API. */
  notify: (table: string) => void;
}

export interface AppDeps {
  settings: Pick<Settings, 'backendUrl' | 'isChecksOnly' | 'publicUrl'> &
    Partial<Pick<Settings, 'hosted' | 'corsOrigins' | 'trustedProxies' | 'advertiseUrl'>>;
  /** Properties set outside the database, which win over it and can't be edited (schema §3.6). */
  localProperties: ReadonlyMap<string, string>;
  platform: Platform;
  logger: Logger;
  /** Folder of the built app. */
  appDir: string;
  hostname: string;
  /** Hears under which address administrators reach this server through a trusted front. */
  onFront?: (address: string) => void;
  /** How long a sender may take over a request; 30 s unless given (tests). */
  requestTimeoutMs?: number;
  /** null while the server is still starting: the door is open, the answer is 503. */
  backend: () => Backend | null;
}

/** What the composition root hands to the routes; each area's routes ask for less. */
export interface AppContext extends Omit<AppDeps, 'backend' | 'onFront'>, RouteContext<Backend> {}
