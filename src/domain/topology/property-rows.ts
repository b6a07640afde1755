/** The properties of the sidebar (contract §19.10): labelled, under the groups that their names say, in order. Pure. */
import type { ComponentProperty } from './property.ts';
import { shownProperty, type ShownProperty } from './property-text.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

export interface PropertyRow {
  /** Of the part before `:` or `/` of its name; null outside of any group. */
  group: string | null;
  label: string;
  /** Usually one; what belongs together stands in one row. */
  values: readonly { shown: ShownProperty; color: string | null }[];
  icon: string | null;
  /** What is said of them besides; null for nothing. */
  tooltip: string | null;
}

const LABELS = lookupTable<string>({
  node: 'Node',
  created: 'Created At',
  'instance-type': 'Instance Type',
  region: 'Region',
  zone: 'Zone',
  vpc: 'VPC',
  subnet: 'Subnet',
  os: 'OS',
  arch: 'Arch',
  containerRuntime: 'Container Runtime',
  kernel: 'Kernel',
  kubeProxy: 'Kube Proxy',
  kubelet: 'Kubelet',
  version: 'Version',
  'part-of': 'Part of',
  memory: 'Memory',
  cpu: 'CPU',
  ip: 'IP',
});

/** Pairs that say one thing. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['region', 'zone'],
  ['vpc', 'subnet'],
  ['os', 'arch'],
  ['version', 'part-of'],
];

interface Named {
  group: string | null;
  key: string;
  property: ComponentProperty;
  shown: ShownProperty;
}

function namedOf(property: ComponentProperty): Named[] {
  const shown = shownProperty(property);
  if (shown === null) return [];
  const [, group = null, key = property.name] = /^(.[^:/]*)[:/](.+)$/s.exec(property.name) ?? [];
  return [{ group, key, property, shown }];
}

/** What a property is called: its own label, the product's word, or its name. */
export function propertyLabel(property: ComponentProperty, key: string = property.name): string {
  const word = LABELS[key];
  const label = property.label ?? word ?? key;
  return property.namespace === null ? label : `${property.namespace} ${label}`;
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

/** All that is shown, those in groups after the others; a group's rows stay together. */
export function propertyRows(properties: readonly ComponentProperty[]): PropertyRow[] {
  const named = properties.flatMap(namedOf);
  const taken = new Set<Named>();
  const rows: PropertyRow[] = [];
  for (const first of named) {
    if (taken.has(first)) continue;
    const pair = PAIRS.find((keys) => keys.includes(first.key));
    const both = (pair ?? []).flatMap(
      (key) => named.find((one) => one.group === first.group && one.key === key) ?? [],
    );
    const parts = both.length === 2 ? both : [first];
    for (const part of parts) taken.add(part);
    rows.push({
      group: first.group,
      label: parts.map(({ property, key }) => propertyLabel(property, key)).join(' / '),
      values: parts.map(({ shown, property }) => ({ shown, color: property.color })),
      icon: first.property.icon,
      tooltip: parts.flatMap(({ property }) => property.tooltip ?? []).join(' · ') || null,
    });
  }
  return rows.toSorted(
    (a, b) => compare(a.group ?? '', b.group ?? '') || compare(a.label.toLowerCase(), b.label.toLowerCase()),
  );
}
