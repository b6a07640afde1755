/** Whatever conditions an object reports, a health and a text come out; a text never praises what is ill. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectAt } from './health.ts';
import { kubernetesHealth } from './kubernetes-health.ts';
import { of, MOMENT } from './testing/objects.ts';

const KINDS = [
  'kustomize.toolkit.fluxcd.io/v1 Kustomization',
  'helm.toolkit.fluxcd.io/v2 HelmRelease',
  'source.toolkit.fluxcd.io/v1 GitRepository',
  'notification.toolkit.fluxcd.io/v1 Alert',
  'cert-manager.io/v1 Certificate',
  'cert-manager.io/v1 CertificateRequest',
  'cert-manager.io/v1 ClusterIssuer',
  'argoproj.io/v1alpha1 ApplicationSet',
  'pkg.crossplane.io/v1 Provider',
  'rds.aws.upbound.io/v1beta1 Instance',
  'sql.cnrm.cloud.google.com/v1beta1 SQLInstance',
  'external-secrets.io/v1 ExternalSecret',
  'serving.knative.dev/v1 Service',
  'postgresql.cnpg.io/v1 Cluster',
  'monitoring.coreos.com/v1 Prometheus',
  'apiextensions.k8s.io/v1 CustomResourceDefinition',
  'apiregistration.k8s.io/v1 APIService',
  'policy/v1 PodDisruptionBudget',
  'mission-control.flanksource.com/v1 Connection',
  'mission-control.flanksource.com/v1 Playbook',
  'canaries.flanksource.com/v1 Topology',
  'example.com/v1 Anything',
];
const TYPES = [
  'Ready',
  'Healthy',
  'Available',
  'Established',
  'Synced',
  'Reconciled',
  'Released',
  'Remediated',
  'TestSuccess',
  'Reconciling',
  'Stalled',
  'Issuing',
  'Approved',
  'Denied',
  'InvalidRequest',
  'ArtifactOutdated',
  'FetchFailed',
  'SourceVerified',
  'LastAsyncOperation',
  'AsyncOperation',
  'Installed',
  'LastBackupSucceeded',
  'ErrorOccurred',
  'ResourcesUpToDate',
  'DisruptionAllowed',
  'SomethingNew',
];
const REASONS = [
  '',
  'Succeeded',
  'Failed',
  'Progressing',
  'ProgressingWithRetry',
  'DependencyNotReady',
  'ReconcileError',
  'ReconcileSuccess',
  'UpToDate',
  'UpdateFailed',
  'Pending',
  'DoesNotExist',
  'Renewing',
  'ANewReason',
];

const STATUSES = ['True', 'False', 'Unknown'];
const condition = fc.record({
  type: fc.oneof(fc.constantFrom(...TYPES), fc.string({ minLength: 1 })),
  status: fc.constantFrom(...STATUSES),
  reason: fc.oneof(fc.constantFrom(...REASONS), fc.string()),
  message: fc.string(),
});
const HEALTHS = ['healthy', 'unhealthy', 'warning', 'unknown'];

const COMBINATIONS = TYPES.flatMap((type) =>
  STATUSES.flatMap((status) => REASONS.map((reason) => ({ type, status, reason, message: 'm' }))),
);

test.each(KINDS)('every type, status and reason of a condition of %s has a health and a text', (kind) => {
  for (const one of COMBINATIONS) {
    const found = kubernetesHealth(of(kind, { status: { conditions: [one] } }), MOMENT);
    const what = `${one.type}=${one.status} (${one.reason})`;
    expect(HEALTHS, what).toContain(found.health);
    expect(found.status, what).not.toBe('');
  }
});

test('so have any conditions together, and the same ones always give the same', () => {
  const objects = fc.record({
    kind: fc.constantFrom(...KINDS),
    conditions: fc.array(condition, { minLength: 1, maxLength: 5 }),
    generation: fc.integer({ min: 1, max: 3 }),
    observedGeneration: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(objects, ({ kind, conditions, generation, observedGeneration }) => {
      const object = of(kind, { status: { conditions, observedGeneration } }, { generation });
      const found = kubernetesHealth(object, MOMENT);
      expect(HEALTHS).toContain(found.health);
      expect(found.status.trim()).not.toBe('');
      expect(kubernetesHealth(structuredClone(object), MOMENT)).toEqual(found);
      const isBehind = (observedGeneration ?? generation) < generation;
      // What was said about an older specification is never good news.
      if (isBehind) expect([found.health === 'healthy', found.ready]).toEqual([false, false]);
      expect(objectAt(object, 'status')['conditions']).toEqual(conditions);
    }),
    { numRuns: 500 },
  );
});
