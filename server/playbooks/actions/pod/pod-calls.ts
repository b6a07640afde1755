/** What a pod action asks of its cluster. */
import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { AppError } from '../../../../src/contract/errors.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { openKubeClient } from '../../../catalog/scrapers/kinds/kubernetes/kube-client.ts';
import type { Refusal } from '../../../catalog/scrapers/kinds/kubernetes/kube-client.ts';
import { refusalOf } from '../../../catalog/scrapers/kinds/services/service-call.ts';
import { requestThroughGuard } from '../../../platform/egress/egress-http.ts';
import type { ActionContext } from '../action-kind.ts';
import type { Json } from './pod-manifest.ts';
import { jsonOrNull } from '../../../../src/lib/json-or-null.ts';

const GRACE_SECONDS = 5;
const REMOVE_LIMIT_MS = 10_000;

/** A pod that runs once, by what its cluster says. */
export interface PodState {
  /** By name; with those that come first. */
  containers: readonly V1ContainerStatus[];
  /** Why it can't run or was ended from outside; null while it goes on. */
  problem: string | null;
  /** Nothing more begins in it. */
  isOver: boolean;
}

export interface PodCalls {
  create: (manifest: V1Pod) => Promise<void>;
  state: () => Promise<PodState>;
  /** Ends the pod, whatever became of the action; a pod that is gone is no failure. */
  remove: () => Promise<void>;
  /** Follows a container's log to its end. */
  follow: (container: string, onData: (part: Buffer) => void) => Promise<void>;
}

/** Waits that end by themselves only where somebody mends what is wrong. */
const STUCK = new Set([
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** The cluster's reason: quotas and rules of admission are for whoever wrote the pod. */
const refusal: Refusal = (path, { statusCode, body }) => {
  // Without a word of the cluster itself the status has to do.
  const told = jsonOrNull(body.toString('utf8'));
  const message = isRecord(told) && typeof told['message'] === 'string' ? told['message'] : '';
  return refusalOf(path, statusCode, message);
};

function stateOf({ status }: V1Pod): PodState {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const stuck = containers.find(({ state }) => STUCK.has(state?.waiting?.reason ?? ''));
  const waiting = stuck?.state?.waiting;
  const isOver = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  if (waiting !== undefined)
    return { containers, isOver, problem: `${stuck?.name}: ${waiting.reason}: ${waiting.message ?? ''}` };
  const isEnded = status?.phase === 'Failed' && status.reason !== undefined;
  return { containers, isOver, problem: isEnded ? `${status.reason}: ${status.message ?? ''}` : null };
}

/** For the one pod of that name. */
export async function openPodCalls(
  cluster: Cluster,
  { namespace, name }: { namespace: string; name: string },
  context: ActionContext,
): Promise<PodCalls> {
  const { kube, configuration } = await openKubeClient(cluster, context, refusal);
  const core = new kube.CoreV1Api(configuration);
  const place = { namespace, name };
  return {
    async create(manifest: V1Pod) {
      await core.createNamespacedPod({ namespace, body: manifest });
    },
    state: async () => stateOf(await core.readNamespacedPod(place)),
    async remove() {
      // The action's own time may be over.
      const signal = AbortSignal.timeout(REMOVE_LIMIT_MS);
      const { kube: library, configuration: own } = await openKubeClient(
        cluster,
        { ...context, signal },
        refusal,
      );
      try {
        await new library.CoreV1Api(own).deleteNamespacedPod({ ...place, gracePeriodSeconds: GRACE_SECONDS });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      }
    },
    async follow(container, onData) {
      const [space, pod] = [namespace, name].map(encodeURIComponent);
      const url = new URL(`${cluster.server}/api/v1/namespaces/${space ?? ''}/pods/${pod ?? ''}/log`);
      url.searchParams.set('container', container);
      url.searchParams.set('follow', 'true');
      const request = {
        method: 'GET',
        url,
        headers: { ...cluster.headers, accept: '*/*' },
        body: null,
        timeoutMs: context.timeoutMs,
        maxRedirects: 0,
        maxBodyBytes: context.maxOutputBytes,
        tls: cluster.tls,
        // What the cluster answers instead of a log is no log.
        onData,
      };
      const { guard, trust, signal } = context;
      const answer = await requestThroughGuard(guard, trust, { request, signal });
      if (answer.statusCode > 299) throw refusal(url.pathname, answer);
      if (answer.isBodyCut)
        throw new AppError('bad_payload', `wrote more than ${context.maxOutputBytes} bytes and was stopped`);
    },
  };
}

/** The pod's manifest. */
export function podManifest(
  spec: Json,
  names: { namespace: string; name: string; runId: string; deadlineSeconds: number },
): V1Pod {
  const { namespace, name, runId, deadlineSeconds } = names;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace,
      name,
      labels: { 'app.kubernetes.io/managed-by': 'holdfast', 'holdfast/run': runId },
    },
    // Ends by itself where this server is killed and can't end it.
    spec: { activeDeadlineSeconds: deadlineSeconds, ...spec } as unknown as NonNullable<V1Pod['spec']>,
  };
}
