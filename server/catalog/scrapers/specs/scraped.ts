/**
 * What a scrape brings, on its way from a kind (what was read), through extraction (what it is), to ingestion
 * (what is stored). Plain data; nothing here knows a database or a network.
 */
import type { SpecAuthor } from '../../../connections/secret-scope.ts';
import type { EgressGuard, EgressTrust } from '../../../platform/egress/egress-guard.ts';
import type { Expressions } from '../../../platform/expressions/expression-thread.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Platform } from '../../../platform/platform.ts';

/** Names an item by its type (any, where it is empty) and one of its external ids. */
export interface ExternalRef {
  type: string;
  externalId: string;
}

/** What a change or a finding is about: an item of the own scraper, or of any where that is said. */
export interface SubjectRef extends ExternalRef {
  scope?: 'any';
}

/** How an item of the catalog is looked for (schema §5.2, `transform.relationship`); every given part must hold. */
export interface ItemLookup {
  id?: string;
  externalId?: string;
  type?: string;
  name?: string;
  namespace?: string;
  agent?: string;
  /** A scraper's id, or `all`; without it, the own scraper. */
  scope?: string;
  labels?: Record<string, string>;
}

export interface ScrapedRelationship {
  to: ItemLookup;
  /** A soft label such as `DeploymentPod`; `hard` makes the found item the parent. */
  relation: string;
  /** `out`: the item is the source (`config_id`); `in`: it is the target (`related_id`). */
  direction: 'out' | 'in';
}

/** An event about an item that its source tells (schema §5.3 External changes). */
export interface ScrapedChange {
  /** The item; null means the one that it came with. */
  about: SubjectRef | null;
  /** Stable at the source; a repeat updates nothing. */
  externalChangeId: string | null;
  changeType: string;
  /** `delete` also deletes the item, `ignore` is counted and not stored (change mapping). */
  action: 'delete' | 'ignore' | null;
  severity: string | null;
  source: string | null;
  summary: string | null;
  details: unknown;
  patches: unknown;
  diff: string | null;
  createdBy: string | null;
  createdAt: Date | null;
}

/** A finding of an analyzer. */
export interface ScrapedAnalysis {
  about: SubjectRef | null;
  analyzer: string;
  analysisType: string | null;
  severity: string | null;
  summary: string | null;
  message: string | null;
  status: string | null;
  source: string | null;
  analysis: unknown;
  firstObserved: Date | null;
  lastObserved: Date | null;
}

export type ItemHealth = 'healthy' | 'unhealthy' | 'warning' | 'unknown';

/** An item as its kind or the extraction knows it; ready to be stored. */
export interface ScrapedItem {
  /** Never empty; the first is the item's own. */
  externalIds: [string, ...string[]];
  type: string;
  /** config_class; null means the type's part before `::`. */
  configClass: string | null;
  name: string;
  status: string | null;
  health: ItemHealth | null;
  ready: boolean | null;
  description: string | null;
  icon: string | null;
  /** The document after transform, exclusions and masks: JSON, or `{ format, content }` for other formats. */
  config: unknown;
  labels: Record<string, string>;
  /** At most five are expected. */
  tags: Record<string, string>;
  /** Properties as the item page shows them. */
  properties: readonly Record<string, unknown>[];
  /** Where it came from, as a person would name it (a path, a URL, a cluster). */
  source: string | null;
  createdAt: Date | null;
  deletedAt: Date | null;
  deleteReason: 'FROM_ATTRIBUTE' | 'FROM_DELETE_FIELD' | null;
  /** Candidates for the parent, best first; the first that exists counts. */
  parents: readonly ExternalRef[];
  /** Items whose parent this is. */
  children: readonly ExternalRef[];
  relationships: readonly ScrapedRelationship[];
  changes: readonly ScrapedChange[];
  analyses: readonly ScrapedAnalysis[];
  costs: {
    perMinute: number | null;
    total1d: number | null;
    total7d: number | null;
    total30d: number | null;
  } | null;
}

/**
 * Something that was read and is still to be extracted: one document (or, with `items`, many in one) with what the
 * kind already knows. The specification's own fields (id, type, name …) win over `known`.
 */
export interface RawDocument {
  /** Parsed JSON for json, yaml and properties; the text for every other format. */
  content: unknown;
  format: string;
  /** See ScrapedItem.source. */
  source: string;
  known: Partial<Omit<ScrapedItem, 'config' | 'externalIds'>> & { externalIds?: readonly string[] };
}

/** What one entry of a specification brought. */
export interface ScrapeOutput {
  documents: readonly RawDocument[];
  /** Changes and findings about items that may come from elsewhere. */
  changes: readonly ScrapedChange[];
  analyses: readonly ScrapedAnalysis[];
  /** What could not be read, in a sentence each; the rest counts (job history WARNING). */
  errors: readonly string[];
  /** What is worth knowing and lost nothing. */
  warnings?: readonly string[];
  /** False when it saw only a part (a watch, a page): what is missing is not gone. */
  isComplete: boolean;
}

/** What is asked of a place where logs are. */
export interface LogQuestion {
  startMs: number;
  endMs: number;
  /** The newest so many. */
  limit: number;
}

/** Reads logs with the secrets and through the guard that it is given. */
export type LogReader = (
  backend: Readonly<Record<string, unknown>>,
  question: LogQuestion,
  access: Pick<ScrapeContext, 'signal' | 'guard' | 'trust' | 'author' | 'secret' | 'connection'>,
) => Promise<{
  lines: readonly { atMs: number; message: string; labels: Readonly<Record<string, string>> }[];
  isCut: boolean;
  /** What could not be read: a sentence each. */
  notes?: readonly string[];
}>;

/** A commit of a repository. */
export interface WantedCommit {
  /** http or https, without credentials. */
  url: string;
  /** A folder that is not there yet; the files come there. */
  dir: string;
  /** A branch, a tag or the id of a commit; null for the branch that the repository calls its default. */
  ref: string | null;
  /** The header that signs in; null for none. */
  authorization: string | null;
  isInsecureTls: boolean;
}

/** Fetches a commit with its files through the guard that it is given; throws one sentence. */
export type CheckOut = (
  commit: WantedCommit,
  access: Pick<ScrapeContext, 'signal' | 'guard' | 'trust' | 'sleep'>,
) => Promise<void>;

/** What a kind may use. Values of references to secrets are read through `secret`, never logged. */
export interface ScrapeContext {
  scraper: { id: string; name: string; namespace: string | null };
  /** Who wrote the specification: decides where it may call (design §6). */
  trust: EgressTrust;
  /** The same, as far as secrets are concerned (server/connections/secret-scope.ts). */
  author: SpecAuthor;
  /** Of the entry: lets calls go only where every secret that was read may go. */
  guard: EgressGuard;
  /** Throws when a secret was read that is granted to certain hosts only. */
  refuseScripts: () => void;
  /** Commands run only with ALLOW_EXEC=true. */
  mayExec: boolean;
  /** The folder that relative paths of file scrapers of operators start from. */
  baseFolder: string;
  /** A secret-or-value object, a literal, or `connection://namespace/name`'s field; throws with a clear reason. */
  secret: (value: unknown) => Promise<string>;
  /** The values of a connection by name, id or URL; null when there is none. */
  connection: (reference: string) => Promise<ScrapeConnection | null>;
  /** Items by what is said of them, of any scraper; an empty list for none. */
  findItems: (to: ItemLookup) => Promise<readonly SubjectRef[]>;
  /** Asks a place where logs are (docs/logs.md); throws one sentence. */
  readLogs: LogReader;
  /** Fetches repositories. */
  checkOut: CheckOut;
  /** Where a kind's own expressions run: never on the server's main thread. */
  expressions: Expressions;
  /** When the last successful run of this scraper began; null at the first. */
  lastRun: Date | null;
  now: () => Date;
  /** Ends with the run. */
  sleep: (ms: number) => Promise<void>;
  logger: Logger;
  signal: AbortSignal;
}

/** A connection's values with references resolved. */
export interface ScrapeConnection {
  type: string;
  url: string;
  username: string;
  password: string;
  certificate: string;
  insecureTls: boolean;
  properties: Record<string, string>;
}

/** An item that is stored and not deleted, as whoever watches its source has to know it. */
export interface LiveItem {
  externalId: string;
  /** As its document says, where it does. */
  apiVersion: string | null;
  tags: Readonly<Record<string, string>>;
}

/** How following a source goes. */
export interface LiveState {
  /** How many lists are followed. */
  followed: number;
  /** All of them were read once and are followed since. */
  isFollowing: boolean;
  problems: readonly string[];
}

/** Where what a kind sees between scrapes goes. */
export interface LiveSink {
  platform: Pick<Platform, 'now' | 'sleep' | 'random'>;
  /** False while a whole scrape runs: then it has to come again. */
  store: (output: ScrapeOutput) => Promise<boolean>;
  knownItems: (type: string) => Promise<readonly LiveItem[]>;
  /** May be told often. */
  tell: (state: LiveState) => void;
}

/**
 * A kind of scraper. `scrape` gets one entry of the specification's list of that kind, already validated by
 * `src/contract/specs/scraper-spec.ts`, and throws AppError with one sentence that names the field and the fix.
 */
export interface ScraperKind<Spec = Record<string, unknown>> {
  /** The key in the specification: `file`, `kubernetes` … */
  kind: string;
  scrape: (spec: Spec, context: ScrapeContext) => Promise<ScrapeOutput>;
  /** Follows the source until the context's signal aborts; null where the entry doesn't want it. */
  watch?: (spec: Spec, context: ScrapeContext, live: LiveSink) => Promise<void> | null;
}

/** Of one run, by type of item (schema §5.3, `scrape_summary`). */
export interface TypeSummary {
  added: number;
  updated: number;
  unchanged: number;
  deleted: number;
  changes: { saved: number; deduplicated: number; orphaned: number; ignored: number };
  warnings: string[];
}
export type ScrapeSummary = Record<string, TypeSummary>;
