/** Which cluster a check calls: by a connection, a kubeconfig, or, in canary files, the cluster that this server runs in. */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { kubernetesHealth } from '../../../catalog/scrapers/health/kubernetes-health.ts';
import { objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import { nextRunOf } from '../../../catalog/scrapers/kinds/kubernetes/next-run-of.ts';
import { openCluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { Probe } from '../../kind/probe.ts';
import { readValue } from '../../kind/secret-values.ts';
import { valueSchema } from '../../kind/spec-fields.ts';

/** Of every kind that calls a cluster. */
export const clusterFields = {
  connection: z.string().optional(),
  kubeconfig: valueSchema.optional(),
};
const clusterSchema = z.object(clusterFields);

/** For every kind's table of needs. */
export const CLUSTER_NEEDS =
  'a kubeconfig, a connection, or, in a canary file, the cluster that this server runs in';

/** Throws `invalid` for what names no cluster. */
export async function clusterOf(spec: z.output<typeof clusterSchema>, at: Probe): Promise<Cluster> {
  if (spec.connection === undefined)
    return openCluster(spec.kubeconfig, {
      ...at,
      secret: (value) => readValue(valueSchema.parse(value), at),
    });
  const found = await at.connection(spec.connection);
  if (found === null) throw new AppError('invalid', `connection ${spec.connection} was not found`);
  return openCluster(found.certificate, { ...at, secret: async () => found.certificate });
}

/** An object of a cluster with what it says about itself, as scripts see it. */
export type JudgedObject = ReturnType<typeof judgedObject>;

const HIDDEN = '***';
const hidden = (values: unknown): Json =>
  Object.fromEntries(Object.keys(objectAt({ values }, 'values')).map((key) => [key, HIDDEN]));

/** What a Secret of a cluster holds is nobody's to read by a check. */
function withoutSecrets(object: Json): Json {
  if (object['kind'] !== 'Secret') return object;
  const { data, stringData, ...rest } = object;
  return {
    ...rest,
    ...(data === undefined ? {} : { data: hidden(data) }),
    ...(stringData === undefined ? {} : { stringData: hidden(stringData) }),
  };
}

/** Judges it as the catalog does. */
export function judgedObject(object: Json, nowMs: number) {
  const { name, namespace } = objectAt(object, 'metadata');
  const health = kubernetesHealth(object, { now: new Date(nowMs), nextRun: nextRunOf });
  return { name: textOf(name), namespace: textOf(namespace), Object: withoutSecrets(object), ...health };
}
