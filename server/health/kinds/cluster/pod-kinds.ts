/** pod and namespace: whether a cluster brings a pod up, in a namespace that is there or in one that is made for it (schema §4.1). */
import { z } from 'zod';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Found } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { text } from '../../kind/spec-fields.ts';
import { markOf } from './check-mark.ts';
import { CLUSTER_NEEDS, clusterOf } from './cluster-place.ts';
import { openObjects } from './cluster-objects.ts';
import type { Place } from './cluster-objects.ts';
import { budgetOf, podLife, takeAway } from './pod-life.ts';
import { podFields, podManifestText } from './pod-spec.ts';
import type { PodSpec } from './pod-spec.ts';

const podSchema = z.strictObject({ ...podFields, spec: podManifestText });
const namespaceSchema = z.strictObject({
  ...podFields,
  namespaceNamePrefix: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, 'must be at most 50 small letters, digits and hyphens'),
  namespaceLabels: z.record(z.string(), text).optional(),
  namespaceAnnotations: z.record(z.string(), text).optional(),
  podSpec: podManifestText,
});
type NamespaceSpec = z.output<typeof namespaceSchema>;

interface Wanted {
  spec: PodSpec;
  manifest: Json;
  /** A namespace that is made for it and goes with it. */
  namespaceOf?: (suffix: string) => Json & { metadata: { name: string } };
}

function life({ spec, manifest, namespaceOf }: Wanted, context: KindContext): Promise<KindResult> {
  const { thresholdMillis } = spec;
  return probe({ thresholdMillis, budgetMs: budgetOf(spec) }, context, async (at) => {
    const cluster = await clusterOf(spec, at);
    const mark = markOf(at, spec.namespace);
    const objects = openObjects(cluster, at, mark);
    const suffix = at.platform.newId().replaceAll('-', '').slice(-8).toLowerCase();
    const own = namespaceOf?.(suffix);
    const place = { spec, cluster, objects, namespace: own?.metadata.name ?? mark.namespace, suffix, at };
    const made: Place[] = [];
    let left: string | null = null;
    let found: Found;
    try {
      await objects.removeLeft([
        own ?? { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'any', namespace: mark.namespace } },
      ]);
      if (own !== undefined) made.push(await objects.create(own));
      found = await podLife(manifest, place, made);
    } finally {
      left = await takeAway(made, place);
    }
    return { ...found, error: found.error ?? left };
  });
}

const EXAMPLE_POD = `apiVersion: v1
kind: Pod
metadata:
  name: hello
spec:
  containers:
    - name: web
      image: docker.io/library/nginx:1.27
`;
const EXAMPLE = {
  kubeconfig: { valueFrom: { secretKeyRef: { name: 'cluster', key: 'kubeconfig' } } },
  port: 80,
  path: '/',
  expectedHttpStatuses: [200],
  readyTimeout: 60_000,
};

/** A pod. */
export const podKind = registeredKind({
  key: 'pod',
  title: 'Pod',
  needs: `${CLUSTER_NEEDS}; an account that may make pods and call their proxy`,
  testedAgainst: 'stand-in',
  example: { name: 'pods come up', namespace: 'default', spec: EXAMPLE_POD, ...EXAMPLE },
  schema: podSchema,
  run: ({ spec: manifest, ...spec }, context) => life({ spec, manifest }, context),
});

const namespaceOf =
  ({ namespaceNamePrefix, namespaceLabels, namespaceAnnotations }: NamespaceSpec) =>
  (suffix: string) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: `${namespaceNamePrefix.replace(/-$/, '')}-${suffix}`,
      labels: { ...namespaceLabels },
      annotations: { ...namespaceAnnotations },
    },
  });

/** A namespace with a pod in it. */
export const namespaceKind = registeredKind({
  key: 'namespace',
  title: 'Namespace',
  needs: `${CLUSTER_NEEDS}; an account that may make and delete namespaces`,
  testedAgainst: 'stand-in',
  example: { name: 'namespaces come up', namespaceNamePrefix: 'check-', podSpec: EXAMPLE_POD, ...EXAMPLE },
  schema: namespaceSchema,
  run(spec, context) {
    const {
      podSpec: manifest,
      namespaceNamePrefix: _p,
      namespaceLabels: _l,
      namespaceAnnotations: _a,
      ...rest
    } = spec;
    return life({ spec: rest, manifest, namespaceOf: namespaceOf(spec) }, context);
  },
});
