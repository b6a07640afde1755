/** Reads topology documents: `kind: Topology` of YAML files, or a stored row (schema §6.1). */
import { z } from 'zod';
import { topologySpecSchema, type TopologySpec } from '../../../src/contract/specs/topology-spec.ts';
import { parseSchedule, type Schedule } from '../../../src/domain/check/schedule.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import type { RefusedDocument } from '../../platform/yaml/yaml-file.ts';
import { topologyProblems } from './topology-problems.ts';

export interface Topology {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  /** As written. */
  written: Record<string, unknown>;
  spec: TopologySpec;
  scheduleText: string;
  schedule: Schedule;
}

export type ReadTopology = { ok: true; topology: Topology } | RefusedDocument;

const DEFAULT_SCHEDULE = '@every 10m';
/** Runs are never closer than this. */
const MIN_INTERVAL_MS = 10_000;
const API_GROUP = /^canaries\.flanksource\.com\//;

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const metadataSchema = z.object({
  name: z.string().trim().min(1).max(253),
  namespace: z.string().trim().max(253).nullish(),
  labels: z.record(z.string(), scalar).nullish(),
});

/** Where a topology is, and what it is called. */
export interface TopologyPlace {
  name: string;
  namespace: string;
  labels: Record<string, string>;
  /** Of its row, where the specification has none. */
  schedule?: string | null;
}

/** The specification of a row, or of a document with its metadata. */
export function readTopologySpec(place: TopologyPlace, spec: unknown): ReadTopology {
  const { name, namespace, labels } = place;
  const problems = topologyProblems({ spec });
  const parsed = topologySpecSchema.safeParse(spec);
  if (problems.length > 0 || !parsed.success || !isRecord(spec))
    return { ok: false, name, namespace, problems };
  const scheduleText = parsed.data.schedule || place.schedule || DEFAULT_SCHEDULE;
  const read = parseSchedule({ schedule: scheduleText }) ?? parseSchedule({ schedule: DEFAULT_SCHEDULE });
  const schedule: Schedule =
    read?.kind === 'every'
      ? { kind: 'every', everyMs: Math.max(MIN_INTERVAL_MS, read.everyMs) }
      : (read ?? { kind: 'never' });
  return {
    ok: true,
    topology: { name, namespace, labels, written: spec, spec: parsed.data, scheduleText, schedule },
  };
}

function isOtherKind(document: unknown): boolean {
  if (!isRecord(document) || document['kind'] === 'Topology') return false;
  const group = document['apiVersion'];
  return typeof group === 'string' && (!API_GROUP.test(group) || document['kind'] !== undefined);
}

/** One document; null for one that is no topology. */
export function readTopology(document: unknown, fallbackName: string): ReadTopology | null {
  if (isOtherKind(document)) return null;
  const fallback = { name: fallbackName, namespace: 'default' };
  const metadata = metadataSchema.safeParse(isRecord(document) ? document['metadata'] : undefined);
  if (!isRecord(document) || !metadata.success) {
    const root = isRecord(document) ? document['metadata'] : document;
    const found = metadata.success ? [] : problemsOf(metadata.error, ['metadata'], root);
    return { ok: false, ...fallback, problems: found };
  }
  const { name, namespace, labels } = metadata.data;
  const place = { name, namespace: namespace || 'default', labels: labels ?? {} };
  if (document['kind'] !== 'Topology')
    return { ok: false, ...place, problems: [{ field: 'kind', message: 'must be Topology' }] };
  return readTopologySpec(place, document['spec']);
}
