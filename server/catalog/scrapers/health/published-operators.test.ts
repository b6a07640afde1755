/** What the published rules of operators and of our own kinds say of objects that are not among the recorded ones (docs/health-rules.md). */
import { describe } from 'vitest';
import type { Json } from './health.ts';
import { ago, check, of, ready } from './testing/objects.ts';

const flux = (kind: string, group = 'kustomize') => `${group}.toolkit.fluxcd.io/v1 ${kind}`;

describe('GitOps and certificates', () => {
  const certificate = (status: Json) => of('cert-manager.io/v1 Certificate', { status });
  const issuing = (reason: string, minutes: number) =>
    certificate({
      conditions: [
        { type: 'Issuing', status: 'True', reason, message: 'm', lastTransitionTime: ago(minutes) },
      ],
    });
  check([
    [
      'a kustomization that could not fetch',
      of(flux('Kustomization'), ready('False', 'FetchFailed', 'm')),
      'warning',
      'FetchFailed',
      'm',
    ],
    [
      'a kustomization that waits',
      of(flux('Kustomization'), ready('False', 'DependencyNotReady', 'm')),
      'unknown',
      'DependencyNotReady',
      'm',
    ],
    [
      'a kustomization whose objects are ill',
      of(flux('Kustomization'), ready('False', 'HealthCheckFailed', 'm')),
      'unhealthy',
      'HealthCheckFailed',
      'm',
    ],
    [
      'a release being reconciled',
      of(flux('HelmRelease', 'helm'), ready('Unknown', 'Progressing', 'm')),
      'unknown',
      'Reconciling',
      'm',
    ],
    [
      'a release that was rolled back',
      of(flux('HelmRelease', 'helm'), {
        status: {
          conditions: [{ type: 'Remediated', status: 'True', reason: 'RollbackSucceeded', message: 'm' }],
        },
      }),
      'warning',
      'RollbackSucceeded',
      'm',
    ],
    [
      'a source that is stalled',
      of(flux('GitRepository', 'source'), {
        status: { conditions: [{ type: 'Stalled', status: 'True', reason: 'URLInvalid', message: 'm' }] },
      }),
      'unhealthy',
      'URLInvalid',
      'm',
    ],
    [
      'an OCI repository of charts',
      of(flux('HelmRepository', 'source'), { spec: { type: 'oci' } }),
      'unknown',
      '',
    ],
    [
      'good news about an older specification',
      of(
        flux('GitRepository', 'source'),
        {
          status: {
            observedGeneration: 1,
            conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded' }],
          },
        },
        { generation: 2 },
      ),
      'unknown',
      'Progressing',
      'observed generation 1 is behind metadata generation 2',
    ],
    [
      'an application that misses',
      of('argoproj.io/v1alpha1 Application', { status: { health: { status: 'Missing' } } }),
      'unknown',
      'Missing',
    ],
    [
      'an application that rests',
      of('argoproj.io/v1alpha1 Application', { status: { health: { status: 'Suspended' } } }),
      'unknown',
      'Suspended',
    ],
    [
      'a workflow that runs',
      of('argoproj.io/v1alpha1 Workflow', { status: { phase: 'Running', message: 'm' } }),
      'healthy',
      'Progressing',
      'm',
    ],
    [
      'a workflow that failed',
      of('argoproj.io/v1alpha1 Workflow', { status: { phase: 'Error', message: 'm' } }),
      'unhealthy',
      'Degraded',
      'm',
    ],
    [
      'an order of a certificate that is valid',
      of('acme.cert-manager.io/v1 Order', { status: { state: 'valid', reason: '' } }),
      'healthy',
      'valid',
      '',
    ],
    [
      'a challenge that was not met',
      of('acme.cert-manager.io/v1 Challenge', { status: { state: 'invalid', reason: 'no such record' } }),
      'unhealthy',
      'invalid',
      'no such record',
    ],
    [
      'a set of applications with an error',
      of('argoproj.io/v1alpha1 ApplicationSet', {
        status: {
          conditions: [{ type: 'ErrorOccurred', status: 'True', reason: 'RenderError', message: 'm' }],
        },
      }),
      'unhealthy',
      'RenderError',
      'm',
    ],
    [
      'a set of applications that is up to date',
      of('argoproj.io/v1alpha1 ApplicationSet', {
        status: { conditions: [{ type: 'ResourcesUpToDate', status: 'True', reason: 'Done', message: 'm' }] },
      }),
      'healthy',
      'Done',
      'm',
    ],
    [
      'an analysis that failed',
      of('argoproj.io/v1alpha1 AnalysisRun', { status: { phase: 'Failed', message: 'm' } }),
      'unhealthy',
      'Degraded',
      'm',
    ],
    [
      'an experiment that runs',
      of('argoproj.io/v1alpha1 Experiment', { status: { phase: 'Running', message: 'm' } }),
      'healthy',
      'Progressing',
      'm',
    ],
    [
      'a rollout that is paused',
      of('argoproj.io/v1alpha1 Rollout', { status: { phase: 'Paused', message: 'CanaryPauseStep' } }),
      'unknown',
      'Suspended',
      'CanaryPauseStep',
    ],
    [
      'a rollout that failed',
      of('argoproj.io/v1alpha1 Rollout', { status: { phase: 'Degraded', message: 'm' } }),
      'unhealthy',
      'Degraded',
      'm',
    ],
    [
      'a certificate that runs out tomorrow',
      certificate({ notAfter: ago(-24 * 60), conditions: [{ type: 'Ready', status: 'True' }] }),
      'warning',
      'Warning',
    ],
    [
      'a certificate that was due',
      certificate({
        notAfter: ago(-100 * 24 * 60),
        renewalTime: ago(40),
        conditions: [{ type: 'Ready', status: 'True' }],
      }),
      'warning',
      'Warning',
    ],
    [
      'a certificate that is well',
      certificate({ conditions: [{ type: 'Ready', status: 'True', reason: 'Ready' }] }),
      'healthy',
      'Issued',
    ],
    ['the first certificate', issuing('DoesNotExist', 10), 'unknown', 'Issuing', 'm'],
    ['a first certificate that does not come', issuing('DoesNotExist', 40), 'unhealthy', 'DoesNotExist', 'm'],
    [
      'a renewal that takes long',
      issuing('Renewing', 40),
      'warning',
      'Renewing',
      'Certificate has been in renewal state for > 40m0s',
    ],
    [
      'a secret of another issuer',
      issuing('IncorrectIssuer', 1),
      'unhealthy',
      'IncorrectIssuer',
      'Certificate has been issued by incorrect Issuer',
    ],
    [
      'a request that was denied',
      of('cert-manager.io/v1 CertificateRequest', {
        status: { conditions: [{ type: 'Denied', status: 'True', message: 'm' }] },
      }),
      'unhealthy',
      'Denied',
      'm',
    ],
    [
      'a request that waits since yesterday',
      of('cert-manager.io/v1 CertificateRequest', ready('False', 'Pending', 'm')),
      'unhealthy',
      'Pending',
      'm',
    ],
  ]);
});

describe('resources of clouds in a cluster', () => {
  const crossplane = (...conditions: Json[]) =>
    of('rds.aws.upbound.io/v1beta1 Instance', { status: { conditions } });
  const synced = (status: string, reason: string) => ({ type: 'Synced', status, reason, message: 's' });
  check([
    [
      'a package that is well',
      of('pkg.crossplane.io/v1 ProviderRevision', {
        status: { conditions: [{ type: 'Healthy', status: 'True', reason: 'HealthyPackageRevision' }] },
      }),
      'healthy',
      'HealthyPackageRevision',
    ],
    [
      'a resource that is there',
      crossplane(synced('True', 'ReconcileSuccess'), { type: 'Ready', status: 'True', reason: 'Available' }),
      'healthy',
      'ReconcileSuccess',
    ],
    [
      'a resource that is not reconciled',
      crossplane(synced('False', 'ReconcileError'), { type: 'Ready', status: 'True', reason: 'Available' }),
      'unhealthy',
      'ReconcileError',
      's',
    ],
    [
      'an operation that failed',
      crossplane(
        { type: 'LastAsyncOperation', status: 'False', reason: 'ApplyFailure', message: 'm' },
        { type: 'Ready', status: 'True', reason: 'Available' },
        synced('True', 'ReconcileSuccess'),
      ),
      'warning',
      'ApplyFailure',
      'm',
    ],
    [
      'a topic whose project is missing',
      of('pubsub.cnrm.cloud.google.com/v1beta1 PubSubTopic', ready('False', 'DependencyNotFound', 'm')),
      'unhealthy',
      'DependencyNotFound',
      'm',
    ],
    [
      'a topic that waits',
      of('pubsub.cnrm.cloud.google.com/v1beta1 PubSubTopic', ready('False', 'DependencyNotReady', 'm')),
      'unknown',
      'DependencyNotReady',
      'm',
    ],
    [
      'a topic that is well',
      of('pubsub.cnrm.cloud.google.com/v1beta1 PubSubTopic', ready('True', 'UpToDate', 'm')),
      'healthy',
      'UpToDate',
      'm',
    ],
    [
      'a secret that is synced',
      of('external-secrets.io/v1 ExternalSecret', ready('True', 'SecretSynced')),
      'healthy',
      'SecretSynced',
    ],
    [
      'a secret that is not',
      of('external-secrets.io/v1 ExternalSecret', ready('False', 'SecretSyncedError', 'm')),
      'unhealthy',
      'SecretSyncedError',
      'm',
    ],
    [
      'a revision that failed',
      of('serving.knative.dev/v1 Service', ready('False', 'RevisionFailed', 'm')),
      'unhealthy',
      'RevisionFailed',
      'm',
    ],
    [
      'a database whose backup failed',
      of('postgresql.cnpg.io/v1 Cluster', {
        status: {
          conditions: [
            { type: 'Ready', status: 'True', reason: 'ClusterIsReady', message: 'Cluster is Ready' },
            { type: 'LastBackupSucceeded', status: 'False', reason: 'LastBackupFailed', message: 'm' },
          ],
        },
      }),
      'warning',
      'LastBackupFailed',
      'm',
    ],
    [
      'a backup of a database that failed',
      of('postgresql.cnpg.io/v1 Backup', { status: { phase: 'failed', error: 'no space' } }),
      'unhealthy',
      'Degraded',
      'no space',
    ],
    [
      'a backup of a database that is there',
      of('postgresql.cnpg.io/v1 Backup', { status: { phase: 'completed' } }),
      'healthy',
      'Healthy',
      'Backup completed',
    ],
    [
      'a database that fails over',
      of('postgresql.cnpg.io/v1 Cluster', {
        status: { phase: 'Failing over', phaseReason: 'm', conditions: [{ type: 'Ready', status: 'False' }] },
      }),
      'unhealthy',
      'Degraded',
      'm',
    ],
  ]);
});

describe('our own kinds', () => {
  const canary = (status: Json) => of('canaries.flanksource.com/v1 Canary', { status });
  const scraper = (status: Json, spec: Json = {}) =>
    of('configs.flanksource.com/v1 ScrapeConfig', { spec, status });
  const notification = (status: Json) => of('mission-control.flanksource.com/v1 Notification', { status });
  check([
    [
      'a check that passed and has a message',
      canary({ status: 'Passed', message: 'all checks passed' }),
      'healthy',
      'Passed',
      'all checks passed',
    ],
    [
      'a check that passes now and then',
      canary({ status: 'Passed', uptime1h: '7/10 (70.0%)' }),
      'warning',
      'Passed',
      'uptime: 7/10 (70.0%)',
    ],
    ['a check that can not run', canary({ status: 'Invalid', message: 'm' }), 'unhealthy', 'Invalid', 'm'],
    [
      'a check whose specification was not read yet',
      of(
        'canaries.flanksource.com/v1 Canary',
        { status: { status: 'Passed', message: 'm', observedGeneration: 1 } },
        { generation: 2 },
      ),
      'warning',
      'Degraded',
      'observed generation 1 is behind metadata generation 2, m',
    ],
    [
      'a topology whose specification was not read yet',
      of('canaries.flanksource.com/v1 Topology', { status: { observedGeneration: 3 } }, { generation: 7 }),
      'warning',
      'Degraded',
    ],
    [
      'a playbook that was stored',
      of('mission-control.flanksource.com/v1 Playbook', ready('True', 'Synced')),
      'healthy',
      'Synced',
    ],
    [
      'a playbook that was not',
      of('mission-control.flanksource.com/v1 Playbook', ready('False', 'PersistFailed', 'm')),
      'unhealthy',
      'PersistFailed',
      'm',
    ],
    ['a notification with some failures', notification({ sent: 3, failed: 1 }), 'warning', ''],
    ['a notification that never came through', notification({ failed: 1 }), 'unhealthy', ''],
    ['a notification that waits', notification({ pending: 1 }), 'warning', ''],
    [
      'a notification that failed yesterday',
      notification({ sent: 1, lastFailed: ago(13 * 60) }),
      'healthy',
      '',
    ],
    [
      'a notification that failed at noon',
      notification({ sent: 1, lastFailed: ago(3 * 60 + 5) }),
      'warning',
      '',
      'Failed 3h5m ago',
    ],
    ['a scraper that never ran', scraper({}), 'unknown', ''],
    [
      'a scraper without a schedule runs each hour',
      scraper({ lastRun: { success: 1, timestamp: ago(75) } }),
      'warning',
      'Stale',
      "scraper hasn't run for 75m",
    ],
    [
      'a scraper with a schedule that is none',
      scraper({ lastRun: { success: 1, timestamp: ago(1) } }, { schedule: 'soon' }),
      'unhealthy',
      '',
      'Bad schedule: soon',
    ],
    [
      'a scraper that watches is not late',
      scraper({ incremental: { success: 1 }, lastRun: { success: 1, timestamp: ago(9000) } }),
      'healthy',
      '',
    ],
    [
      'all errors of a scraper',
      scraper({ lastRun: { error: 2, timestamp: ago(1), errors: ['a', 'b'] } }),
      'unhealthy',
      '',
      'a,b',
    ],
  ]);
});
