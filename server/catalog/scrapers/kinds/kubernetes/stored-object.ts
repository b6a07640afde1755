/**
 * An object as it is stored: without what changes on its own (it would be a change at every scrape) and without
 * what nobody may read back. The values of Secrets never leave this file.
 */
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { listOf, objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';

const NOISY_METADATA = new Set(['managedFields', 'resourceVersion', 'selfLink']);
const NOISY_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'control-plane.alpha.kubernetes.io/leader',
  'endpoints.kubernetes.io/last-change-trigger-time',
]);
const NOISY_CONDITION = new Set(['lastHeartbeatTime', 'lastProbeTime']);
const MASK = '******';

const without = (object: Json, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !names.has(key)));

const masked = (values: unknown): Record<string, string> =>
  Object.fromEntries(Object.keys(objectAt(values)).map((key) => [key, MASK]));

function quietStatus(status: Json): Json {
  if (!Array.isArray(status['conditions'])) return status;
  return {
    ...status,
    conditions: listOf(status['conditions']).map((entry) => without(entry, NOISY_CONDITION)),
  };
}

/** The document to keep. */
export function storedObject(object: Json): Json {
  const metadata = without(objectAt(object, 'metadata'), NOISY_METADATA);
  if (isRecord(metadata['annotations']))
    metadata['annotations'] = without(metadata['annotations'], NOISY_ANNOTATIONS);
  const kept: Record<string, unknown> = { ...object, metadata };
  if (isRecord(object['status'])) kept['status'] = quietStatus(object['status']);
  if (object['kind'] === 'Secret') {
    if (object['data'] !== undefined) kept['data'] = masked(object['data']);
    if (object['stringData'] !== undefined) kept['stringData'] = masked(object['stringData']);
  }
  return kept;
}
