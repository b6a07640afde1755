/**
 * Nodes and pods of a cluster as components of a topology: `k8s.getNodeTopology(results)` and `k8s.getPodTopology(results)`
 * of scripts, over what a check of the cluster found. What an object does not say is left out, never guessed.
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

type Json = Record<string, unknown>;

interface Property {
  name: string;
  text?: string;
  max?: number;
  unit?: string;
  headline?: boolean;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
};

const listAt = (value: unknown, ...path: readonly string[]): unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

const FACTORS = lookupTable<number>({
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
});

/** An amount as Kubernetes writes it ("250m", "16385492Ki"); null for what is none. */
function amountOf(text: string): number | null {
  const [, number = '', suffix = ''] = /^(\d+(?:\.\d+)?)([A-Za-z]{0,2})$/.exec(text) ?? [];
  const factor = FACTORS[suffix];
  return number === '' || factor === undefined ? null : Number(number) * factor;
}

/** What there can be of it: a lookup of values, which names the same property, says how much there is. */
function limit(name: string, amount: number | null): Property[] {
  if (amount === null || amount === 0) return [];
  const isCpu = name === 'cpu';
  const max = Math.round(isCpu ? amount * 1000 : amount);
  return [
    {
      name,
      max,
      unit: isCpu ? 'millicores' : 'bytes',
      ...(isCpu || name === 'memory' ? { headline: true } : {}),
    },
  ];
}

const said = (name: string, text: string): Property[] => (text === '' ? [] : [{ name, text }]);

const ZONES = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'];
const INSTANCE_TYPES = ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type'];
/** `gce://project/zone/name`, `aws:///zone/id`. */
const PLACE = /^\w+:\/\/[^/]*\/([^/]+)\/[^/]+$/;

const labelAt = (object: unknown, names: readonly string[]) =>
  names.map((name) => textAt(object, 'metadata', 'labels', name)).find((text) => text !== '') ?? '';

function nodeProperties(object: unknown): Property[] {
  const capacity = (name: string) => limit(name, amountOf(textAt(object, 'status', 'capacity', name)));
  const address = listAt(object, 'status', 'addresses').find((one) => textAt(one, 'type') === 'InternalIP');
  const [, place = ''] = PLACE.exec(textAt(object, 'spec', 'providerID')) ?? [];
  return [
    ...capacity('cpu'),
    ...capacity('memory'),
    ...capacity('ephemeral-storage'),
    ...said('zone', labelAt(object, ZONES) || place),
    ...said('instance-type', labelAt(object, INSTANCE_TYPES)),
    ...said('ip', textAt(address, 'address')),
    ...said('version', textAt(object, 'status', 'nodeInfo', 'kubeletVersion')),
    ...said('os', textAt(object, 'status', 'nodeInfo', 'osImage')),
  ];
}

/** What all containers may use together; null as soon as one has no limit. */
function limitOfAll(containers: readonly unknown[], name: string): number | null {
  const amounts = containers.map((one) => amountOf(textAt(one, 'resources', 'limits', name)));
  return amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
}

function podProperties(object: unknown): Property[] {
  const containers = listAt(object, 'spec', 'containers');
  const restarts = listAt(object, 'status', 'containerStatuses')
    .map((one) => Number(textAt(one, 'restartCount') || 0))
    .reduce((sum, count) => sum + count, 0);
  const [owner] = listAt(object, 'metadata', 'ownerReferences');
  return [
    ...limit('cpu', limitOfAll(containers, 'cpu')),
    ...limit('memory', limitOfAll(containers, 'memory')),
    ...said('node', textAt(object, 'spec', 'nodeName')),
    ...said('ip', textAt(object, 'status', 'podIP')),
    ...said(
      'image',
      containers
        .map((one) => textAt(one, 'image'))
        .filter(Boolean)
        .join(', '),
    ),
    ...said('owner', [textAt(owner, 'kind'), textAt(owner, 'name')].filter(Boolean).join('/')),
    ...said('restarts', restarts === 0 ? '' : String(restarts)),
  ];
}

interface Kind {
  type: string;
  icon: string;
  properties: (object: unknown) => Property[];
}

const KINDS = {
  node: { type: 'KubernetesNode', icon: 'server', properties: nodeProperties },
  pod: { type: 'KubernetesPod', icon: 'pods', properties: podProperties },
} as const satisfies Record<string, Kind>;

/** One for each object; `results` are those that a check found and judged, or the objects themselves. */
export function clusterTopology(kind: keyof typeof KINDS, results: unknown): Json[] {
  const { type, icon, properties } = KINDS[kind];
  const list: unknown[] = Array.isArray(results) ? results : [results];
  return list.filter(isRecord).flatMap((entry) => {
    const object = entry['Object'] ?? entry;
    const name = textAt(object, 'metadata', 'name');
    if (name === '') return [];
    const namespace = textAt(object, 'metadata', 'namespace');
    const { health, status, message } = entry['Object'] === undefined ? {} : entry;
    return [
      {
        name,
        type,
        icon,
        external_id: namespace === '' ? name : `${namespace}/${name}`,
        ...(namespace === '' ? {} : { namespace }),
        labels: at(object, 'metadata', 'labels') ?? {},
        ...(typeof health === 'string' ? { health } : {}),
        ...(typeof status === 'string' ? { status } : {}),
        ...(typeof message === 'string' && message !== '' ? { status_reason: message } : {}),
        properties: properties(object),
      },
    ];
  });
}
