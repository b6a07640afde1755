/** The fields of pod and namespace checks (schema §4.1): a pod that comes up, may be asked by HTTP, and goes. Times in ms. */
import { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { readYaml } from '../../../../src/lib/read-yaml.ts';
import { listOf, objectAt } from '../../../catalog/scrapers/health/health.ts';
import { common, count, port, text } from '../../kind/spec-fields.ts';
import { clusterFields } from './cluster-place.ts';

function readManifest(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return readYaml(value);
  } catch {
    // What is no YAML is no manifest, which is said of the field.
    return null;
  }
}

/** A whole manifest, written as YAML or in place. */
export const podManifestText = z.preprocess(
  readManifest,
  z
    .custom<Record<string, unknown>>(isRecord, 'must be the manifest of a pod, in YAML')
    .refine(
      (value) => listOf(objectAt(value, 'spec')['containers']).length > 0,
      'spec.containers: name at least one container',
    ),
);

const waitMs = count.max(10 * 60_000);

export const podFields = {
  ...common,
  ...clusterFields,
  thresholdMillis: count.optional(),
  scheduleTimeout: waitMs.optional(),
  readyTimeout: waitMs.optional(),
  httpTimeout: waitMs.optional(),
  deleteTimeout: waitMs.optional(),
  ingressTimeout: waitMs.optional(),
  httpRetryInterval: waitMs.optional(),
  /** For all of it. */
  deadline: waitMs.optional(),
  port: port.optional(),
  path: text.optional(),
  ingressName: text.optional(),
  ingressHost: text.optional(),
  ingressClass: text.optional(),
  expectedContent: z.string().optional(),
  expectedHttpStatuses: z.array(z.number().int().min(100).max(599)).optional(),
  priorityClass: text.optional(),
};
const podSchema = z.object(podFields);
export type PodSpec = z.output<typeof podSchema>;
