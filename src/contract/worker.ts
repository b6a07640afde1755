/**
 * What crosses between the UI and its workers. Queries are parsed where they arrive; answers are windows
 * shaped for the screen, never result sets (design §4, §5).
 */
import type { output } from 'zod/v4/core';
import type { Check, Uptime } from '../domain/check/check.ts';
import type { GroupRuns } from '../domain/check/group-runs.ts';
import type { CheckHealth, HealthCounts, HealthState } from '../domain/check/health.ts';
import type { TimeRange } from '../domain/time/ranges.ts';
import type { ErrorFacts } from './errors.ts';
import type { ShellFacts } from './http/shell.ts';
import type { healthQuerySchema, windowSchema } from './queries/live-arguments.ts';
import type { SessionUser } from './session-user.ts';

/** No answer of the compute worker holds more rows than this. */
export const MAX_WINDOW_ROWS = 100;

export const SORT_COLUMNS = ['name', 'health', 'uptime', 'latency', 'transition'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export const PIVOT_CELLS = ['checkStatus', 'uptime', 'latency'] as const;
export type PivotCell = (typeof PIVOT_CELLS)[number];

/** A question about the health board. Same names as in the URL where the spec gives them (spec 1 §2). */
export type HealthQuery = output<typeof healthQuerySchema>;

/** Which rows are on screen: `start` inclusive, `end` exclusive, at most MAX_WINDOW_ROWS. */
export type RowWindow = output<typeof windowSchema>;

/** One cell of a pivoted row: what the group's checks with that value add up to. */
export interface PivotSummary {
  health: HealthState;
  uptime: Uptime;
  /** p95, ms */
  latencyMs: number | null;
  total: number;
}

export interface CheckRow {
  kind: 'check';
  key: string;
  check: Check;
  health: CheckHealth;
  /** True under an expanded group. */
  isNested: boolean;
  pivot: Record<string, PivotSummary> | null;
}

export interface GroupRow {
  kind: 'group';
  /** The group's value; also its id in `expanded`. */
  key: string;
  name: string;
  icon: string | null;
  health: HealthState;
  /** Of all checks of the group that search, labels and tab leave, hidden as passing or not. */
  counts: HealthCounts;
  total: number;
  /** As many were in the group without search and labels. */
  memberCount: number;
  /** Children whose every run in the window passed, of `total` (spec 1 §2, the group row's Uptime cell). */
  fullyPassing: number;
  /** Children without any run in the window, of `total`. */
  notRun: number;
  /** Highest p95 of the children, ms. */
  latencyMs: number | null;
  lastTransition: string | null;
  isExpanded: boolean;
  /** The newest runs of its checks, laid on each other; none where none of them ran. */
  runs?: GroupRuns | undefined;
  /** The types and namespaces found in the group, sorted, at most three each. */
  types: string[];
  namespaces: string[];
  pivot: Record<string, PivotSummary> | null;
}

export type HealthRow = CheckRow | GroupRow;

export interface HealthTab {
  key: string;
  total: number;
  unhealthy: number;
  unknown: number;
}

/** A label key with its values and how many checks carry each. */
export interface LabelFacet {
  key: string;
  values: { value: string; total: number }[];
}

/** Everything around the rows. `counts` are of all live checks, whatever is filtered; `shown` of what passes. */
export interface HealthFrame {
  /** False until the store was read: "empty" and "not loaded yet" look different. */
  isLoaded: boolean;
  rowCount: number;
  checkCount: number;
  counts: HealthCounts;
  shown: HealthCounts;
  /** Checks hidden by Hide Passing alone. */
  hiddenPassing: number;
  tabs: HealthTab[];
  facets: LabelFacet[];
  pivotColumns: string[];
  /** Window of the uptime and latency that the rows show; falls back to 1h where the range isn't on this device. */
  summaryRange: TimeRange;
}

/** A difference to what was sent before: only the parts that changed. */
export interface HealthPatch {
  /** How often the question had been set anew when this was answered: 0 is the one it was opened with. */
  generation: number;
  frame?: HealthFrame;
  /** Replaces the rows from `start` on; `count` tells how far. */
  rows?: { start: number; rows: HealthRow[] };
}

export type SessionState =
  | { kind: 'unknown' }
  /** `isSecondFactorDue` when the server knows who it is, but wants the second factor. */
  | { kind: 'signed-out'; isSecondFactorDue?: true }
  /** Signed in at a hosted provider, and works in no organisation yet (spec 1 §2). */
  | { kind: 'no-organization' }
  /** The organisation that this session works in is being changed. */
  | { kind: 'switching' }
  /** whoami answered 5xx or 404 and nothing is kept here to show (spec 1 §2). */
  | { kind: 'provisioning' }
  | { kind: 'failed'; error: ErrorFacts }
  /** `isConfirmed` is false while the server has not answered in this visit. */
  | { kind: 'signed-in'; user: SessionUser; isConfirmed: boolean };

export type Freshness = 'fresh' | 'ageing' | 'stale';

/** What the connectivity chip says. Times are ms on the server's clock. */
export interface SyncStatus {
  connection: 'connecting' | 'live' | 'polling' | 'offline' | 'server-unreachable';
  /** Since when the connection is down; null while it is up. */
  downSinceMs: number | null;
  /** The newest moment at which everything kept here was known to be complete; null before the first. */
  asOfMs: number | null;
  freshness: Freshness;
  /** How long silence was normal when the server was heard last, ms. */
  expectMs: number;
  /** server clock − device clock, ms. */
  offsetMs: number;
  isPulling: boolean;
  /** Progress of a first load, 0 to 1; null when none runs. */
  firstLoad: number | null;
  lastError: ErrorFacts | null;
  versions: { app: string; server: string | null };
}

/** An answer that may come from what is kept here: `asOfMs` is when it was true. */
export interface Cached<T> {
  value: T;
  asOfMs: number;
  source: 'server' | 'device';
  /** True when only part of the question could be answered from this device. */
  isPartial: boolean;
}

/** The check that the drawer shows, live from the index; null when it isn't (or no longer) there. */
export interface CheckView {
  check: Check;
  health: CheckHealth;
}

/** A canary that couldn't be loaded, for the health page. */
export interface FailedCanary {
  id: string;
  name: string;
  namespace: string;
  source: string | null;
  error: string;
}

/** What the sync worker tells every page without being asked for it. */
export type StatusMessage =
  | { kind: 'session'; session: SessionState }
  | { kind: 'connection'; status: SyncStatus }
  /** Feature flags and the kind of deployment of whoever is signed in. */
  | { kind: 'shell'; facts: ShellFacts }
  | { kind: 'failed-canaries'; canaries: FailedCanary[] };

/** A message from the sync worker to the readers of a store: rows that were made durable. */
export interface StoreChange {
  storeName: string;
  collection: string;
  /** Rises by one with each message of one sender; a gap makes the reader load again. */
  sequence: number;
  sender: string;
  upserts: unknown[];
  deletedIds: string[];
  /** True when everything was replaced: load again. */
  isReset: boolean;
}

/** What happened while this device was away, from its own before and after (users.md 6). */
export interface CatchUpCard {
  /** ms, server clock. */
  fromMs: number;
  toMs: number;
  newlyUnhealthy: { id: string; name: string }[];
  recovered: { id: string; name: string }[];
  incidents: {
    id: string;
    incidentId: string;
    title: string;
    change: 'opened' | 'mitigated' | 'resolved' | 'closed' | 'reopened';
  }[];
  /** Comments of others that mention the user or are on incidents that the user made or commands. */
  comments: { id: string; incidentId: string; by: string | null; text: string }[];
}

/** Texts that somebody began to write, by what they are for; of one user. */
export interface DraftTexts {
  storeName: string;
  texts: Readonly<Record<string, string>>;
}

/** What this device keeps, for the storage page. Bytes are the browser's estimate. */
export interface StorageFacts {
  usedBytes: number | null;
  quotaBytes: number | null;
  collections: { name: string; rows: number; cap: number | null }[];
  outbox: number;
  /** How the store was found at this start; anything but 'fine' tells what was done. */
  condition: 'fine' | 'rebuilt' | 'broken';
}
