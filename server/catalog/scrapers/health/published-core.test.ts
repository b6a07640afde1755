/** What the published rules of a cluster's own kinds say of objects that are not among the recorded ones (docs/health-rules.md). */
import { describe } from 'vitest';
import type { Json } from './health.ts';
import { ago, check, of } from './testing/objects.ts';

const running = { state: { running: { startedAt: ago(1) } } };
const podOf = (status: Json, ageMinutes = 60, spec: Json = {}) =>
  of('v1 Pod', { spec, status }, { creationTimestamp: ago(ageMinutes) });
const died = (reason: string, minutes: number, exitCode = 1) => ({
  lastState: { terminated: { reason, exitCode, finishedAt: ago(minutes) } },
});
const looping = { state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }, restartCount: 4 };

describe('pods', () => {
  check([
    [
      'one whose init container can not be pulled is ill at once',
      podOf(
        {
          phase: 'Pending',
          initContainerStatuses: [
            { state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } } },
          ],
          containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
        },
        2,
      ),
      'unhealthy',
      'ErrImagePull',
      'no such image',
    ],
    [
      'one that can not be configured',
      podOf(
        {
          phase: 'Pending',
          containerStatuses: [
            { state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } } },
          ],
        },
        1,
      ),
      'unhealthy',
      'CreateContainerConfigError',
    ],
    [
      'one that was evicted',
      podOf({ phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
      'warning',
      'Evicted',
      'low on memory',
    ],
    [
      'one that no node takes',
      podOf(
        {
          phase: 'Pending',
          conditions: [
            { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
          ],
        },
        1,
      ),
      'unhealthy',
      'Unschedulable',
      '0/3 nodes',
    ],
    [
      'a loop is named after what it dies of',
      podOf({ phase: 'Running', containerStatuses: [{ ...looping, ...died('OOMKilled', 5) }] }),
      'unhealthy',
      'OOMKilled',
    ],
    [
      'a loop that ends well',
      podOf({ phase: 'Running', containerStatuses: [{ ...looping, ...died('Completed', 5, 0) }] }),
      'unhealthy',
      'RestartLoopBackOff',
    ],
    [
      'a failed one says which container',
      podOf({
        phase: 'Failed',
        containerStatuses: [{ name: 'main', state: { terminated: { exitCode: 3 } } }],
      }),
      'unhealthy',
      'Failed',
      'container "main" failed with exit code 3',
    ],
    [
      'one that passed keeps its message',
      podOf({ phase: 'Succeeded', message: 'done' }),
      'healthy',
      'Completed',
      'done',
    ],
    [
      'ready, restarted an hour ago',
      podOf({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ ...running, restartCount: 1, ...died('Error', 61) }],
      }),
      'warning',
      'Running',
      'restarted 1 time',
    ],
    [
      'ready, restarted two days ago',
      podOf({
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ ...running, restartCount: 1, ...died('Error', 2 * 24 * 60) }],
      }),
      'healthy',
      'Running',
    ],
    [
      'a slow readiness probe is waited for',
      podOf(
        { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [running] },
        20,
        {
          containers: [
            {
              readinessProbe: {
                initialDelaySeconds: 1800,
                periodSeconds: 10,
                failureThreshold: 3,
                timeoutSeconds: 1,
              },
            },
          ],
        },
      ),
      'unknown',
      'Starting',
    ],
  ]);
});

const counts = (replicas: number, readyReplicas: number, updatedReplicas = replicas) => ({
  replicas,
  readyReplicas,
  updatedReplicas,
});

describe('workloads', () => {
  check([
    [
      'replicas that can not be made',
      of('apps/v1 Deployment', {
        spec: { replicas: 2 },
        status: {
          conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'quota' }],
        },
      }),
      'unhealthy',
      'Failed Create',
      'quota',
    ],
    [
      'no replica yet',
      of('apps/v1 Deployment', { spec: { replicas: 2 }, status: {} }),
      'unknown',
      'Rolling Out',
    ],
    [
      'scaled to zero',
      of('apps/v1 StatefulSet', { spec: { replicas: 0 }, status: {} }),
      'unknown',
      'Scaled to Zero',
    ],
    [
      'scaling down to zero',
      of('apps/v1 StatefulSet', { spec: { replicas: 0 }, status: counts(2, 2) }),
      'healthy',
      'Scaling Down',
      '2/0 ready, 2 terminating',
    ],
    [
      'none ready after the start',
      of('apps/v1 StatefulSet', { spec: { replicas: 1 }, status: counts(1, 0) }),
      'unhealthy',
      'CrashLoopBackOff',
      '0/1 ready',
    ],
    [
      'a status about an older specification',
      of(
        'apps/v1 ReplicaSet',
        {
          spec: { replicas: 1 },
          status: { replicas: 1, readyReplicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 },
        },
        { generation: 2 },
      ),
      'healthy',
      'Updating',
    ],
    ['a daemon set without nodes', of('apps/v1 DaemonSet', { status: {} }), 'unknown', 'Running'],
    [
      'a daemon set with a pod too few',
      of('apps/v1 DaemonSet', {
        status: {
          desiredNumberScheduled: 3,
          updatedNumberScheduled: 3,
          numberAvailable: 2,
          numberReady: 2,
          numberUnavailable: 1,
        },
      }),
      'warning',
      'Partially Available',
      'DaemonSet not fully available: 1 unavailable replica (2/3 available, 2/3 ready)',
    ],
    [
      'a daemon set that rolls out',
      of('apps/v1 DaemonSet', {
        status: { desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3, numberReady: 3 },
      }),
      'healthy',
      'Rolling Out',
      '1 of 3 pods updated',
    ],
    ['a job that runs', of('batch/v1 Job', { status: { active: 1, failed: 1 } }), 'healthy', 'Running'],
    [
      'a job that does not hold the condition',
      of('batch/v1 Job', { status: { conditions: [{ type: 'Failed', status: 'False' }] } }),
      'healthy',
      'Running',
    ],
    ['a cron job that never ran', of('batch/v1 CronJob', { status: {} }), 'unknown', '', 'Not scheduled yet'],
    [
      'a cron job that never passed',
      of('batch/v1 CronJob', { status: { lastScheduleTime: ago(5) } }),
      'unhealthy',
      'Error',
      'No successful run yet',
    ],
    [
      'a cron job whose last run failed',
      of('batch/v1 CronJob', { status: { lastScheduleTime: ago(5), lastSuccessfulTime: ago(65) } }),
      'unhealthy',
      'Error',
    ],
    [
      'a cron job whose last run passed',
      of('batch/v1 CronJob', { status: { lastScheduleTime: ago(5), lastSuccessfulTime: ago(4) } }),
      'healthy',
      'Completed',
      'Last run at 2026-08-21 06:25:00 +0000 in 1m0s',
    ],
  ]);
});

describe('network, storage, nodes', () => {
  const node = (type: string, status: string, spec: Json = {}) =>
    of('v1 Node', {
      spec,
      status: {
        conditions: [
          { type, status, message: 'm' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
  check([
    [
      'an ingress without a status',
      of('networking.k8s.io/v1 Ingress', {}),
      'healthy',
      'Pending',
      'ingress loadbalancer status not found',
    ],
    [
      'an ingress without an address',
      of('networking.k8s.io/v1 Ingress', { status: { loadBalancer: { ingress: [] } } }),
      'unknown',
      'Pending',
    ],
    [
      'a balancer that is half an hour old',
      of('v1 Service', { spec: { type: 'LoadBalancer' }, status: {} }, { creationTimestamp: ago(30) }),
      'unknown',
      'Creating',
    ],
    [
      'a balancer that is an hour old',
      of('v1 Service', { spec: { type: 'LoadBalancer' }, status: {} }, { creationTimestamp: ago(60) }),
      'unhealthy',
      'Creating',
    ],
    ['a lost claim', of('v1 PersistentVolumeClaim', { status: { phase: 'Lost' } }), 'unhealthy', 'Degraded'],
    [
      'a failed volume',
      of('v1 PersistentVolume', { status: { phase: 'Failed', message: 'm' } }),
      'unhealthy',
      'Failed',
      'm',
    ],
    ['a node without network', node('NetworkUnavailable', 'True'), 'unhealthy', 'Network Unavailable', 'm'],
    ['a node with a problem', node('KernelDeadlock', 'True'), 'warning', 'Kernel Deadlock', 'm'],
    ['a node with a deprecated setting', node('DeprecatedUsingV1Alpha2Cri', 'True'), 'healthy', 'Running'],
    [
      'a node that takes no pods',
      node('DiskPressure', 'False', {
        taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
      }),
      'warning',
      'Unschedulable',
    ],
    ['a node that tells nothing', of('v1 Node', { status: {} }), 'unknown', ''],
    [
      'an autoscaler whose metric fails first',
      of('autoscaling/v2 HorizontalPodAutoscaler', {
        status: {
          conditions: [{ type: 'ScalingActive', status: 'False', reason: 'InvalidSelector', message: 'm' }],
        },
      }),
      'unhealthy',
      'Degraded',
      'm',
    ],
  ]);
});
