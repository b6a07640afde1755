/** What every kind of check takes and gives. A kind probes once; schedules, scripts and storing are not its business. */
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import type { OpenConnection, SpecAuthor } from '../../connections/secret-scope.ts';
import type { EgressGuard, EgressTrust } from '../../platform/egress/egress-guard.ts';
import type { FailureKind } from '../../platform/egress/failure-kind.ts';
import type { LeftFile } from '../../platform/exec/collect-files.ts';
import type { Platform } from '../../platform/platform.ts';

export interface KindResult {
  pass: boolean;
  /** The specification itself is wrong: scripts don't run on it. */
  invalid: boolean;
  message: string | null;
  error: string | null;
  durationMs: number;
  /** What scripts see by name. */
  data: Record<string, unknown>;
  /** What is kept of it, where that is not `data.results`. */
  detail?: unknown;
  /** What it left for people to look at. */
  files?: readonly LeftFile[];
  /** Why nothing was run at all: the check is then unknown and this is no result. */
  notRun?: string;
  /** What kind of failure a call ended with. */
  failure?: FailureKind;
}

export interface KindContext {
  platform: Platform;
  guard: EgressGuard;
  trust: EgressTrust;
  author: SpecAuthor;
  signal: AbortSignal;
  isExecAllowed: boolean;
  /** The folder of the programs that kinds start; the system's own unless given. */
  programs?: string;
  /** Of an answer or output, where it is read for what it says; each kind has a limit of its own for checks. */
  maxOutputBytes?: number;
  /** Reads a mounted value; throws `invalid` naming what is missing. */
  secret: (kind: 'secret' | 'configmap', name: string, key: string) => Promise<string>;
  /** A connection by name, id or address; null when there is none. */
  connection: (reference: string) => Promise<OpenConnection | null>;
  /** Throws when a secret was read that is granted to certain hosts only. */
  refuseScripts: () => void;
  /** Fills a template (http bodies, folder filters) with the check's variables. */
  template: (text: string, variables: Record<string, unknown>) => Promise<string>;
  /** Those of the names that a pattern of the specification finds; bounded in time, whatever the pattern. */
  matching: (pattern: string, names: readonly string[]) => Promise<Set<string>>;
  /** Whether an expression of the specification (CEL) holds; throws for one that gives neither true nor false. */
  holds: (expr: string, variables: Record<string, unknown>) => Promise<boolean>;
  /** Runs checks that stand within this one, one level deep, under its guard and rights; nothing is stored. */
  checks: (spec: Record<string, unknown>) => Promise<readonly InnerCheck[]>;
  /** Items of the catalog that any of the selectors means; at most as many as a check can look through. */
  catalog: (selectors: readonly ResourceSelector[]) => Promise<readonly unknown[]>;
  /** Variables of the check and its canary, for templates. */
  variables: Record<string, unknown>;
}

/** How a check within another one came out. */
export interface InnerCheck {
  type: string;
  name: string;
  pass: boolean;
  message: string;
  /** Empty where it passed. */
  error: string;
  /** Why it was not run at all, or null. */
  notRun: string | null;
  /** Its specification is wrong. */
  invalid: boolean;
}

/** Nothing waits longer than this for a service, whatever the specification says. */
export const MAX_TIMEOUT_MS = 60_000;
export const DEFAULT_TIMEOUT_MS = 10_000;

/** `data` is what scripts and templates of the check see. */
export function passed(
  durationMs: number,
  data: Record<string, unknown>,
  message: string | null = null,
): KindResult {
  return { pass: true, invalid: false, message, error: null, durationMs, data };
}

/** The service answered wrongly or not at all; `error` is shown to people. */
export function failed(error: string, durationMs: number, data: Record<string, unknown> = {}): KindResult {
  return { pass: false, invalid: false, message: null, error, durationMs, data };
}

/** The specification can't be run as it is. */
export function invalid(error: string): KindResult {
  return { pass: false, invalid: true, message: null, error, durationMs: 0, data: {} };
}

/** This server can't run it, which says nothing about what would have been checked. */
export function notRun(reason: string): KindResult {
  return { ...invalid(reason), notRun: reason };
}

/** `host:port`, `[v6]:port`; null for anything else. */
export function splitHostPort(endpoint: string): { host: string; port: number } | null {
  const match = /^(?:tcp:\/\/)?(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(endpoint.trim());
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
}
