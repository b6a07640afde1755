/** A component as a run builds it, before it has an id. */
import type { ComponentSpec, PropertySpec, SpecSelector } from '../../../src/contract/specs/topology-spec.ts';

/** As it is stored and shown (schema §6.3). */
export type Property = { name: string } & Record<string, unknown>;
export type Checks = NonNullable<ComponentSpec['checks']>;
export type Relationships = NonNullable<ComponentSpec['relationships']>;
export type LogSelectors = NonNullable<ComponentSpec['logs']>;

export interface Draft {
  name: string;
  namespace: string | null;
  type: string | null;
  text: string | null;
  topologyType: string | null;
  icon: string | null;
  owner: string | null;
  tooltip: string | null;
  description: string | null;
  lifecycle: string | null;
  externalId: string | null;
  order: number | null;
  labels: Record<string, string>;
  /** Null: nobody says, so it stays as it is. */
  hidden: boolean | null;
  /** Empty: nobody says. */
  status: string;
  statusReason: string | null;
  health: string | null;
  statusExpr: string | null;
  healthExpr: string | null;
  configId: string | null;
  /** Levels that the document gives it instead of counting. */
  summary: Record<string, number> | null;
  properties: Property[];
  /** A lookup of properties failed: those that it had stay. */
  keepsOldProperties: boolean;
  /** A lookup of what is under it failed: there may be more than was found. */
  isIncomplete: boolean;
  selectors: SpecSelector[];
  checks: Checks;
  configs: SpecSelector[];
  logs: LogSelectors;
  relationships: Relationships;
  parentLookup: ComponentSpec['parentLookup'] | null;
  children: Draft[];
}

/** What a specification may say beside what it is called. */
export type DraftFields = Partial<Omit<Draft, 'name' | 'children'>>;

/** A component of that name, with nothing else. */
export function draftOf(name: string, fields: DraftFields = {}): Draft {
  return {
    name,
    namespace: null,
    type: null,
    text: null,
    topologyType: null,
    icon: null,
    owner: null,
    tooltip: null,
    description: null,
    lifecycle: null,
    externalId: null,
    order: null,
    labels: {},
    hidden: null,
    status: '',
    statusReason: null,
    health: null,
    statusExpr: null,
    healthExpr: null,
    configId: null,
    summary: null,
    properties: [],
    keepsOldProperties: false,
    isIncomplete: false,
    selectors: [],
    checks: [],
    configs: [],
    logs: [],
    relationships: [],
    parentLookup: null,
    children: [],
    ...fields,
  };
}

/** Labels as texts. */
export function textsOf(labels: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(labels ?? {}).map(([key, value]) => [key, String(value)]));
}

const ATTRIBUTES = [
  'label',
  'namespace',
  'tooltip',
  'icon',
  'type',
  'color',
  'order',
  'headline',
  'text',
  'value',
  'unit',
  'max',
  'min',
  'status',
  'lastTransition',
  'url',
  'links',
] as const;

/** A property's own attributes, without where its value comes from. */
export function attributesOf(spec: PropertySpec | Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    ATTRIBUTES.flatMap((key) => {
      const value: unknown = Reflect.get(spec, key);
      if (value === undefined || value === null) return [];
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return [[key, key === 'text' && isScalar ? String(value) : value]];
    }),
  );
}

/** What a component is called by others, for expressions: the fields that a script may ask for. */
export function viewOf(draft: Draft): Record<string, unknown> {
  const { name, namespace, type, text, icon, owner, labels, status, health, lifecycle, externalId } = draft;
  return {
    name,
    namespace: namespace ?? '',
    type: type ?? '',
    text: text ?? '',
    icon: icon ?? '',
    owner: owner ?? '',
    labels,
    status,
    health: health ?? '',
    lifecycle: lifecycle ?? '',
    external_id: externalId ?? name,
    properties: draft.properties,
  };
}

/** Text or value by name. */
export function propertyValues(properties: readonly Property[]): Record<string, unknown> {
  return Object.fromEntries(
    properties.map((property) => [property.name, property['text'] ?? property['value'] ?? '']),
  );
}

/** Sets a property of a component; what it had and is not said anew stays. */
export function setProperty(draft: Draft, property: Property): void {
  const at = draft.properties.findIndex(({ name }) => name === property.name);
  const old = draft.properties[at];
  if (old === undefined) draft.properties.push(property);
  else draft.properties[at] = { ...old, ...property };
}
