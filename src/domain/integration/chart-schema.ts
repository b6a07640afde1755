/**
 * The schema of a chart's values as a form can use it. Charts describe what their own defaults fill in: nearly every
 * field is "required", types are missing where the default shows them, values that may be secrets refer to schemas at
 * other hosts. What helm would take is still taken here, and nothing that a form can't know is asked for.
 */
import { isRecord, recordOf } from '../../lib/is-record.ts';

type Node = Readonly<Record<string, unknown>>;

/** A value, or where it is kept (contract §19.9). */
const REFERENCE = {
  type: 'object',
  properties: { name: { type: 'string' }, key: { type: 'string' } },
};
const SECRET: Node = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: {
        name: { type: 'string' },
        value: { type: 'string' },
        valueFrom: {
          type: 'object',
          properties: {
            secretKeyRef: REFERENCE,
            configMapKeyRef: REFERENCE,
            helmRef: REFERENCE,
            serviceAccount: { type: 'string' },
          },
        },
      },
    },
  ],
};

const ANY: Node = {};
/** What every chart has for its own template, and nobody sets here. */
const NOT_ASKED = new Set(['global']);
/** Words of a program in what is meant for people. */
const NOISE = /^[ \t]*(?:yaml-language-server:|@\w).*$/gm;
const MOST_DEPTH = 20;

const isSecretRef = (ref: unknown) => typeof ref === 'string' && ref.endsWith('/EnvVar');
const isSecretObject = (node: Node) => {
  const properties = recordOf(node['properties']);
  return 'value' in properties && 'valueFrom' in properties;
};
/** `{"required": []}`: anything, which helm-schema adds beside a reference. */
const saysNothing = (node: Node) => Object.keys(node).every((key) => key === 'required' || key === 'title');

function typeOf({ type, default: initial, properties, items }: Node): unknown {
  if (type !== undefined) return type;
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  if (initial === 'true' || initial === 'false' || typeof initial === 'boolean') return 'boolean';
  if (typeof initial === 'number') return 'number';
  return typeof initial === 'string' && initial !== 'null' ? 'string' : undefined;
}

/** A default is told where it is a value of the type. */
function initialOf({ default: initial }: Node, type: unknown): unknown {
  if (type === 'boolean') return typeof initial === 'boolean' ? initial : initial === 'true';
  const isPlain = typeof initial === 'string' || typeof initial === 'number';
  return isPlain && initial !== '' && initial !== 'null' ? initial : undefined;
}

/** Only what no default fills in is missing while it is not set. */
function isMissable(node: unknown): boolean {
  const { default: initial, minLength } = recordOf(node);
  const type = typeOf(recordOf(node));
  if (type === 'object' || type === 'array' || type === 'boolean') return false;
  return initial === undefined || (initial === '' && typeof minLength === 'number' && minLength > 0);
}

function isAsked([key, node]: [string, unknown]): boolean {
  const { deprecated, type, properties, additionalProperties } = recordOf(node);
  const canHoldNothing = type === 'object' && properties === undefined && additionalProperties === false;
  return !NOT_ASKED.has(key) && deprecated !== true && !canHoldNothing;
}

function ofObject(node: Node, depth: number): Node {
  const properties = recordOf(node['properties']);
  const asked = Object.entries(properties).filter(isAsked);
  const required = (Array.isArray(node['required']) ? node['required'] : []).filter(
    (key: unknown) =>
      typeof key === 'string' && isMissable(properties[key]) && asked.some(([at]) => at === key),
  );
  const open = node['additionalProperties'];
  return {
    type: 'object',
    ...(asked.length === 0
      ? {}
      : { properties: Object.fromEntries(asked.map(([key, part]) => [key, partOf(key, part, depth)])) }),
    ...(required.length === 0 ? {} : { required }),
    // A field that is not asked for may still be written.
    ...(open === false && asked.length === Object.keys(properties).length
      ? { additionalProperties: false }
      : {}),
  };
}

const LABELS: Node = { type: 'object', additionalProperties: { type: 'string' } };

/** Charts don't say of labels that each is a text. */
function partOf(key: string, part: unknown, depth: number): Node {
  return key === 'labels' && recordOf(part)['properties'] === undefined ? LABELS : plain(part, depth);
}

/** One place of the schema, without references to elsewhere. */
function plain(part: unknown, depth: number): Node {
  const node = recordOf(part);
  const said = String(typeof node['description'] === 'string' ? node['description'] : '')
    .replaceAll(NOISE, '')
    .trim();
  const description = said === '' ? {} : { description: said };
  if (depth > MOST_DEPTH) return ANY;
  if (isSecretRef(node['$ref']) || isSecretObject(node)) return { ...SECRET, ...description };
  if (node['$ref'] !== undefined) return description;
  const options = Array.isArray(node['anyOf']) ? node['anyOf'].filter(isRecord) : [];
  const [only, ...more] = options.filter((option) => !saysNothing(option));
  if (only !== undefined && more.length === 0) return { ...plain(only, depth + 1), ...description };
  if (more.length > 0) return description;
  const type = typeOf(node);
  if (type === 'object') return { ...ofObject(node, depth + 1), ...description };
  if (type === 'array') {
    const items = plain(node['items'], depth + 1);
    return { type, items: Object.keys(items).length === 0 ? { type: 'string' } : items, ...description };
  }
  const initial = initialOf(node, type);
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(node['enum']) ? { enum: node['enum'] } : {}),
    ...(typeof node['minLength'] === 'number' && initial === undefined
      ? { minLength: node['minLength'] }
      : {}),
    ...(initial === undefined ? {} : { default: initial }),
    ...description,
  };
}

/** Fields that everybody sets come first, the rest is a press away. */
export function chartFormSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root = plain({ ...schema, type: 'object' }, 0);
  const required = Array.isArray(root['required']) ? root['required'] : [];
  const usual = Object.entries(recordOf(root['properties'])).flatMap(([key, node]) => {
    const isText = recordOf(node)['type'] === 'string' && !key.endsWith('Override');
    return required.includes(key) || isText || recordOf(node)['anyOf'] !== undefined ? [[key, '']] : [];
  });
  return { ...root, examples: [Object.fromEntries(usual)] };
}
