/** The pods that a selector of the specification means: one of each workload, as its files are the same in all. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { Cluster } from '../kubernetes/kube-config.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

export interface PodSelector {
  namespace?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
}

export interface FoundPod {
  /** What was selected: a workload, or the pod itself. */
  owner: Json;
  ownerKind: string;
  namespace: string;
  pod: string;
}

const WORKLOADS = lookupTable<{ kind: string; path: string }>({
  deployment: { kind: 'Deployment', path: '/apis/apps/v1' },
  statefulset: { kind: 'StatefulSet', path: '/apis/apps/v1' },
  daemonset: { kind: 'DaemonSet', path: '/apis/apps/v1' },
  replicaset: { kind: 'ReplicaSet', path: '/apis/apps/v1' },
  pod: { kind: 'Pod', path: '/api/v1' },
});
/** Workloads of one entry; a selector that means more is a mistake. */
const MAX_OWNERS = 100;

async function list(cluster: Cluster, path: string, selectors: Record<string, string>): Promise<Json[]> {
  const query = Object.fromEntries(Object.entries(selectors).filter(([, value]) => value !== ''));
  return [...listOf(objectAt(await cluster.get(path, { ...query, limit: '500' }))['items'])];
}

const isRunning = (pod: Json): boolean => objectAt(pod, 'status')['phase'] === 'Running';

async function podOf(cluster: Cluster, owner: Json): Promise<Json | null> {
  const labels = Object.entries(objectAt(owner, 'spec', 'selector', 'matchLabels'));
  if (labels.length === 0) return null;
  const labelSelector = labels.map(([key, value]) => `${key}=${String(value)}`).join(',');
  const namespace = encodeURIComponent(textOf(objectAt(owner, 'metadata')['namespace']));
  const pods = await list(cluster, `/api/v1/namespaces/${namespace}/pods`, { labelSelector });
  return pods.find(isRunning) ?? null;
}

/** Throws when the selector means nothing; a workload without a running pod is told in `errors`. */
export async function findPods(
  cluster: Cluster,
  selector: PodSelector,
): Promise<{ pods: FoundPod[]; errors: string[] }> {
  const workload = WORKLOADS[(selector.kind ?? 'pod').toLowerCase()];
  if (workload === undefined)
    throw new AppError(
      'invalid',
      `selector.kind: "${selector.kind}" has no pods; use Pod, Deployment, StatefulSet, DaemonSet or ReplicaSet`,
    );
  const { kind, path } = workload;
  const space =
    selector.namespace === undefined ? '' : `/namespaces/${encodeURIComponent(selector.namespace)}`;
  const found = await list(cluster, `${path}${space}/${kind.toLowerCase()}s`, {
    labelSelector: selector.labelSelector ?? '',
    fieldSelector: selector.fieldSelector ?? '',
  });
  const named = found.filter(
    (owner) => selector.name === undefined || objectAt(owner, 'metadata')['name'] === selector.name,
  );
  if (named.length === 0) throw new AppError('not_found', `selector: no ${kind} is meant by it`);
  if (named.length > MAX_OWNERS)
    throw new AppError(
      'invalid',
      `selector: ${named.length} of ${kind} are meant by it; ${MAX_OWNERS} may be`,
    );
  const pods: FoundPod[] = [];
  const errors: string[] = [];
  for (const owner of named) {
    const pod = kind === 'Pod' ? (isRunning(owner) ? owner : null) : await podOf(cluster, owner);
    const metadata = objectAt(owner, 'metadata');
    const namespace = textOf(metadata['namespace']);
    if (pod === null) errors.push(`${kind} ${textOf(metadata['name'])}: none of its pods is running`);
    else pods.push({ owner, ownerKind: kind, namespace, pod: textOf(objectAt(pod, 'metadata')['name']) });
  }
  return { pods, errors };
}
