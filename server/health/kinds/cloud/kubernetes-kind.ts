/** kubernetes: objects of a kind, each with its health by the rules of the catalog (schema §4.1). */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import { discover } from '../../../catalog/scrapers/kinds/kubernetes/api-resources.ts';
import type { ApiResource } from '../../../catalog/scrapers/kinds/kubernetes/api-resources.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { listObjects } from '../../../catalog/scrapers/kinds/kubernetes/list-objects.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, limits, required, text } from '../../kind/spec-fields.ts';
import { CLUSTER_NEEDS, clusterFields, clusterOf, judgedObject } from '../cluster/cluster-place.ts';

const selector = z.strictObject({
  name: text.optional(),
  search: text.optional(),
  labelSelector: text.optional(),
  fieldSelector: text.optional(),
});
const kubernetesSchema = z.strictObject({
  ...common,
  ...limits,
  ...clusterFields,
  kind: required,
  namespaceSelector: selector.optional(),
  resource: selector.optional(),
  ignore: z.array(text).nullish(),
  healthy: z.boolean().optional(),
  ready: z.boolean().optional(),
});
type KubernetesSpec = z.output<typeof kubernetesSchema>;

/** Patterns of names: `a*,!*b`; those with a `!` take away. Nothing at all is every name. */
export function nameMatcher(patterns: string): (name: string) => boolean {
  const all = patterns
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const reads = (one: string) => {
    const parts = one.split('*');
    return (name: string) => matches(name, parts);
  };
  const given = all.filter((one) => !one.startsWith('!')).map(reads);
  const taken = all.filter((one) => one.startsWith('!')).map((one) => reads(one.slice(1)));
  return (name) => (given.length === 0 || given.some((has) => has(name))) && !taken.some((has) => has(name));
}

/** The parts between stars, in order; the first begins the name and the last ends it. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return name === first;
  const last = rest.at(-1) ?? '';
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** Whether a namespace is one of those that are meant, by its name and by what it says of itself. */
async function namespaceMatcher(
  { namespaceSelector = {} }: KubernetesSpec,
  { cluster, resources }: { cluster: Cluster; resources: readonly ApiResource[] },
): Promise<(name: string) => boolean> {
  const { labelSelector = '', fieldSelector = '', name = '' } = namespaceSelector;
  const isNamed = nameMatcher(name);
  if (labelSelector === '' && fieldSelector === '') return isNamed;
  const places = resourceOf('Namespace', resources);
  const found = await listObjects(cluster, places, { namespaces: [], labelSelector, fieldSelector });
  const names = new Set(found.map((object) => textOf(objectAt(object, 'metadata')['name'])));
  return (one) => names.has(one) && isNamed(one);
}

function resourceOf(kind: string, resources: readonly ApiResource[]): ApiResource {
  const found = resources.find((one) => one.kind.toLowerCase() === kind.toLowerCase());
  if (found === undefined) throw new AppError('network', `the cluster serves no kind ${kind}`);
  return found;
}

async function objectsOf(spec: KubernetesSpec, at: Probe): Promise<Json[]> {
  const cluster = await clusterOf(spec, at);
  const { resources } = await discover(cluster, at);
  const resource = resourceOf(spec.kind, resources);
  const { labelSelector = '', fieldSelector = '', name = '' } = spec.resource ?? {};
  const isPlace = resource.isNamespaced ? await namespaceMatcher(spec, { cluster, resources }) : () => true;
  const found = await listObjects(cluster, resource, { namespaces: [], labelSelector, fieldSelector });
  const isWanted = nameMatcher(name);
  const isIgnored = (spec.ignore ?? []).map(nameMatcher);
  return found.filter((object) => {
    const metadata = objectAt(object, 'metadata');
    const own = textOf(metadata['name']);
    if (!isPlace(textOf(metadata['namespace']))) return false;
    return isWanted(own) && !isIgnored.some((has) => has(own));
  });
}

function run(spec: KubernetesSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const results = (await objectsOf(spec, at)).map((object) => judgedObject(object, at.platform.now()));
    const bad = results.filter(
      ({ health, ready }) =>
        (spec.healthy === true && health === 'unhealthy') || (spec.ready === true && !ready),
    );
    const said = bad.map(({ namespace, name, status }) => `${namespace}/${name} is ${status || 'not ready'}`);
    return { data: { results }, error: bad.length === 0 ? null : said.slice(0, 10).join('; ') };
  });
}

/** Objects of a cluster and how they are. */
export const kubernetesKind = registeredKind({
  key: 'kubernetes',
  title: 'Kubernetes',
  needs: CLUSTER_NEEDS,
  testedAgainst: 'real client over a local server',
  example: {
    name: 'system pods',
    kind: 'Pod',
    namespaceSelector: { name: 'kube-*,!*lease' },
    healthy: true,
    kubeconfig: { valueFrom: { secretKeyRef: { name: 'cluster', key: 'kubeconfig' } } },
  },
  schema: kubernetesSchema,
  notRun: (spec) =>
    (spec.resource?.search ?? spec.namespaceSelector?.search ?? '') === ''
      ? null
      : 'search is not supported by this server; use name, labelSelector or fieldSelector',
  run,
});
