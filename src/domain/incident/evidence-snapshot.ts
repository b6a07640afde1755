/**
 * What evidence remembers of its subject: drafts made of what a screen shows, and reading the memory back. The
 * subject itself moves on, is resolved, or is deleted; the memory says how it was when it was attached.
 */
import type { EvidenceDraft } from './evidence-draft.ts';

const FIELDS = [
  'name',
  'type',
  'health',
  'status',
  'severity',
  'summary',
  'message',
  'source',
  'analyzer',
  'analysis_type',
  'created_at',
  'first_observed',
  'last_observed',
  'last_runtime',
  'config_name',
  'config_type',
  'diff',
] as const;
export type SnapshotField = (typeof FIELDS)[number] | 'latency_ms' | 'count';

/** What was known, by field; what wasn't is absent. */
export type Snapshot = Partial<Record<(typeof FIELDS)[number], string>> & {
  latency_ms?: number;
  count?: number;
};

type Maybe<Value> = Value | null | undefined;

/** A diff travels along only as far as a command has room for it. */
const MAX_DIFF_CHARS = 100_000;
const MAX_TEXT_CHARS = 5000;

function known(facts: Readonly<Record<string, Maybe<string | number>>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '') return [];
      const limit = name === 'diff' ? MAX_DIFF_CHARS : MAX_TEXT_CHARS;
      return [[name, typeof value === 'string' ? value.slice(0, limit) : value]];
    }),
  );
}

/** What the memory of an evidence says, whoever wrote it; a field of another form is as good as absent. */
export function readSnapshot(evidence: unknown): Snapshot {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return {};
  const fields: Readonly<Record<string, unknown>> = { ...evidence };
  const texts = FIELDS.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  const { latency_ms: latencyMs, count } = fields;
  return {
    ...Object.fromEntries(texts),
    ...(typeof latencyMs === 'number' && Number.isFinite(latencyMs) ? { latency_ms: latencyMs } : {}),
    ...(typeof count === 'number' && Number.isFinite(count) ? { count } : {}),
  };
}

/** The fields that were otherwise when it was attached, of those that both know. */
export function changedSince<Field extends SnapshotField>(
  then: Snapshot,
  now: Readonly<Partial<Record<Field, Maybe<string | number>>>>,
  fields: readonly Field[],
): Field[] {
  return fields.filter((field) => {
    const [before, after] = [then[field], now[field]];
    return before !== undefined && after !== undefined && after !== null && after !== '' && before !== after;
  });
}

interface Thing {
  id: string;
  name: Maybe<string>;
  type: Maybe<string>;
  health: Maybe<string>;
  status: Maybe<string>;
}

/** A config item as evidence. */
export function draftOfConfig({ id, name, type, health, status }: Thing): EvidenceDraft {
  return {
    type: 'config',
    description: name ?? id,
    config_id: id,
    evidence: known({ name, type, health, status }),
  };
}

/** A component of the topology as evidence. */
export function draftOfComponent({ id, name, type, health, status }: Thing): EvidenceDraft {
  return {
    type: 'topology',
    description: name ?? id,
    component_id: id,
    evidence: known({ name, type, health, status }),
  };
}

export interface CheckFacts {
  id: string;
  name: string;
  type: string;
  /** The word of its mark now. */
  health: string;
  last_runtime: string | null;
  latencyMs: Maybe<number>;
  /** What its last run said. */
  message?: Maybe<string>;
}

/** A health check as evidence. */
export function draftOfCheck({
  id,
  name,
  type,
  health,
  last_runtime,
  latencyMs,
  message,
}: CheckFacts): EvidenceDraft {
  return {
    type: 'check',
    description: name,
    check_id: id,
    evidence: known({ name, type, health, last_runtime, latency_ms: latencyMs, message }),
  };
}

export interface ChangeFacts {
  id: string;
  config_id: string;
  change_type: Maybe<string>;
  severity: Maybe<string>;
  source: Maybe<string>;
  summary: Maybe<string>;
  created_at: Maybe<string>;
  count?: Maybe<number>;
  diff?: Maybe<string>;
}

interface OfConfig {
  name: Maybe<string>;
  type: Maybe<string>;
}

/** A change of a config item as evidence; with its diff where that is at hand. */
export function draftOfChange(change: ChangeFacts, config: OfConfig): EvidenceDraft {
  const { id, config_id, change_type: type, severity, source, summary, created_at, count, diff } = change;
  const subject = [type, config.name].filter((part) => part !== null && part !== undefined && part !== '');
  return {
    type: 'config_change',
    description: subject.length === 0 ? id : subject.join(' · '),
    config_id,
    config_change_id: id,
    evidence: known({
      type,
      severity,
      source,
      summary,
      created_at,
      count,
      diff,
      config_name: config.name,
      config_type: config.type,
    }),
  };
}

export interface InsightFacts {
  id: string;
  config_id?: Maybe<string>;
  analyzer?: Maybe<string>;
  analysis_type?: Maybe<string>;
  severity?: Maybe<string>;
  status?: Maybe<string>;
  summary?: Maybe<string>;
  message?: Maybe<string>;
  source?: Maybe<string>;
  first_observed?: Maybe<string>;
  last_observed?: Maybe<string>;
}

/** What an analyzer found, as evidence. */
export function draftOfInsight(insight: InsightFacts, config: OfConfig): EvidenceDraft {
  const { id, config_id: configId, ...facts } = insight;
  const { analyzer, analysis_type, severity, status, summary, message, source } = facts;
  const { first_observed, last_observed } = facts;
  const subject = [analyzer, config.name].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return {
    type: 'config_analysis',
    description: subject.length === 0 ? id : subject.join(' · '),
    ...(configId === null || configId === undefined ? {} : { config_id: configId }),
    config_analysis_id: id,
    evidence: known({
      analyzer,
      analysis_type,
      severity,
      status,
      summary,
      message,
      source,
      first_observed,
      last_observed,
      config_name: config.name,
      config_type: config.type,
    }),
  };
}
