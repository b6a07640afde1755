/** What lookups answer, read as components or as properties. Anything may come from there: what can't be read is told. */
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { attributesOf, draftOf, textsOf, type Draft, type Property } from './draft.ts';
import { foundLinks } from './links.ts';

/** Deeper nesting than any tree that people look at. */
const MAX_DEPTH = 20;

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const word = scalar.nullish().transform((text) => (text === undefined || text === '' ? null : text));

const outputProperty = z.looseObject({ name: scalar });
const outputComponent = z.looseObject({
  name: scalar.refine((name) => name.trim() !== '', 'is empty'),
  namespace: word,
  type: word,
  text: word,
  icon: word,
  owner: word,
  tooltip: word,
  description: word,
  lifecycle: word,
  external_id: word,
  externalID: word,
  config_id: word,
  configID: word,
  status: word,
  status_reason: word,
  health: word,
  statusExpr: word,
  healthExpr: word,
  order: z.number().nullish(),
  hidden: z.boolean().nullish(),
  labels: z.record(z.string(), z.unknown()).nullish(),
  properties: z.array(outputProperty).nullish(),
  components: z.array(z.unknown()).nullish(),
});

/** A text may be JSON, as scripts write it. */
export function parsedOutput(output: unknown): unknown {
  if (typeof output !== 'string' || !/^\s*[[{]/.test(output)) return output;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output;
  }
}

/** A property with the attributes that are stored of it. */
export function propertyOf(raw: { name: string } & Record<string, unknown>): Property {
  return { name: raw.name, ...attributesOf(raw) };
}

/** What makes this server ask or compute something: nobody who answers a lookup says that (docs/decisions/0079). */
const OF_DOCUMENTS = ['lookup', 'forEach', 'configLookup'] as const;

function tellOfDocuments(raw: Record<string, unknown>, tell: (problem: string) => void): void {
  for (const field of OF_DOCUMENTS)
    if (raw[field] !== undefined && raw[field] !== null)
      tell(`${field} is left out: only a document says that`);
}

/** A component of a lookup; `tell` hears what can't be used, and why. */
function componentOf(raw: unknown, tell: (problem: string) => void, depth: number): Draft | null {
  const parsed = outputComponent.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    tell(`is left out: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'has the wrong form'}`);
    return null;
  }
  const {
    name,
    external_id,
    externalID,
    config_id,
    configID,
    status,
    labels,
    properties,
    components,
    ...row
  } = parsed.data;
  const tellOwn = (problem: string) => tell(`"${name}": ${problem}`);
  tellOfDocuments(row, tellOwn);
  for (const [at, property] of (properties ?? []).entries())
    tellOfDocuments(property, (problem) => tellOwn(`properties[${at}].${problem}`));
  if (depth >= MAX_DEPTH && (components ?? []).length > 0)
    tell(`"${name}": what is deeper than ${MAX_DEPTH} levels is left out`);
  const nested = depth >= MAX_DEPTH ? [] : (components ?? []);
  return {
    ...draftOf(name, {
      namespace: row.namespace,
      type: row.type,
      text: row.text,
      icon: row.icon,
      owner: row.owner,
      tooltip: row.tooltip,
      description: row.description,
      lifecycle: row.lifecycle,
      externalId: external_id ?? externalID,
      configId: config_id ?? configID,
      order: row.order ?? null,
      hidden: row.hidden ?? null,
      status: status ?? '',
      statusReason: row.status_reason,
      health: row.health,
      statusExpr: row.statusExpr,
      healthExpr: row.healthExpr,
      labels: textsOf(labels ?? undefined),
      properties: (properties ?? []).map(propertyOf),
      ...foundLinks(row, tellOwn),
    }),
    children: nested.flatMap((child) => componentOf(child, tell, depth + 1) ?? []),
  };
}

/**
 * The components of a lookup's output: a list of them, or one. Null when nothing in it can be read: a page that says
 * "maintenance" is no answer, and not the answer that there is nothing.
 */
export function componentsOf(output: unknown, tell: (problem: string) => void): Draft[] | null {
  const value = parsedOutput(output);
  const list = Array.isArray(value) ? value : isRecord(value) ? [value] : null;
  if (list === null) {
    tell(`the output is no list of components, but ${JSON.stringify(value)?.slice(0, 100) ?? 'nothing'}`);
    return null;
  }
  const found = list.flatMap(
    (raw: unknown, at) => componentOf(raw, (problem) => tell(`[${at}] ${problem}`), 1) ?? [],
  );
  return found.length === 0 && list.length > 0 ? null : found;
}

/** What a property's lookup says. */
export type PropertyOutput =
  /** Of one component, by its name. */
  | { kind: 'of component'; component: string; properties: Property[] }
  | { kind: 'property'; property: Property }
  /** The value of the property that has the lookup. */
  | { kind: 'value'; attributes: Record<string, unknown> };

function recordOutput(raw: Record<string, unknown>): PropertyOutput | null {
  const { name, properties } = raw;
  if (Array.isArray(properties)) {
    const own = z.array(outputProperty).safeParse(properties);
    if (!own.success || typeof name !== 'string') return null;
    return { kind: 'of component', component: name, properties: own.data.map(propertyOf) };
  }
  const property = outputProperty.safeParse(raw);
  if (property.success) return { kind: 'property', property: propertyOf(property.data) };
  const attributes = attributesOf(raw);
  return Object.keys(attributes).length === 0 ? null : { kind: 'value', attributes };
}

/** The properties of a lookup's output: of components by name, properties, or one value. Null as with components. */
export function propertyOutputs(output: unknown, tell: (problem: string) => void): PropertyOutput[] | null {
  const value = parsedOutput(output);
  if (typeof value === 'string' || typeof value === 'boolean')
    return [{ kind: 'value', attributes: { text: String(value) } }];
  if (typeof value === 'number') return [{ kind: 'value', attributes: { value } }];
  const list: unknown[] | null = Array.isArray(value) ? value : isRecord(value) ? [value] : null;
  if (list === null) {
    tell('the output is no property');
    return null;
  }
  const outputs = list.flatMap((raw, at) => {
    const found = isRecord(raw) ? recordOutput(raw) : null;
    if (found === null) tell(`[${at}] is left out: it is no property`);
    return found ?? [];
  });
  return outputs.length === 0 && list.length > 0 ? null : outputs;
}
