/**
 * The fields that a form shows for a part of a document, from the document's JSON schema. What no control fits stays
 * YAML: nothing that a schema allows is out of reach.
 */
import { z } from 'zod';
import { SCRIPT_LANGUAGES } from '../../domain/script-language.ts';

/** How a value is typed in. `yaml` is anything that no other control fits. */
export type FieldControl =
  | { kind: 'text' | 'password' | 'number' | 'boolean' | 'secret' | 'labels' | 'yaml' }
  /** With what else may stand in the same place. */
  | { kind: 'script'; beside: readonly SchemaField[] }
  | { kind: 'texts'; areNumbers: boolean }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'group'; fields: readonly SchemaField[] }
  | { kind: 'list'; fields: readonly SchemaField[]; example: Readonly<Record<string, unknown>> };

export interface SchemaField {
  key: string;
  control: FieldControl;
  isRequired: boolean;
  /** What the schema says of it. */
  hint: string | null;
  /** What stands in it while it is empty. */
  placeholder?: string;
  /** What counts while nothing is set. */
  initial?: unknown;
}

/** Entries of one kind in a document: a list of them, or one. */
export interface EntryKind {
  key: string;
  title: string;
  /** A document has one of it, not a list. */
  isSingle: boolean;
  fields: readonly SchemaField[];
  /** One that works, to begin with; the keys that it has are shown first. */
  example: Readonly<Record<string, unknown>>;
}

interface Node {
  $ref?: string | undefined;
  type?: string | readonly string[] | undefined;
  format?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** Documents may have it, and nobody is to begin with it. */
  deprecated?: boolean | undefined;
  enum?: readonly unknown[] | undefined;
  properties?: Readonly<Record<string, Node>> | undefined;
  required?: readonly string[] | undefined;
  additionalProperties?: boolean | Node | undefined;
  items?: Node | undefined;
  allOf?: readonly Node[] | undefined;
  anyOf?: readonly Node[] | undefined;
  examples?: readonly unknown[] | undefined;
  default?: unknown;
  needs?: { isOnlyOne?: boolean | undefined } | undefined;
  asks?: { of: Readonly<Record<string, readonly string[]>> } | undefined;
  definitions?: Readonly<Record<string, Node>> | undefined;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    deprecated: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), nodeSchema]).optional(),
    items: nodeSchema.optional(),
    allOf: z.array(nodeSchema).optional(),
    anyOf: z.array(nodeSchema).optional(),
    examples: z.array(z.unknown()).optional(),
    default: z.unknown().optional(),
    needs: z.looseObject({ isOnlyOne: z.boolean().optional() }).optional().catch(undefined),
    asks: z
      .looseObject({ of: z.record(z.string(), z.array(z.string())) })
      .optional()
      .catch(undefined),
    definitions: z.record(z.string(), nodeSchema).optional(),
  }),
);

/** A schema that was read once; parts of it are asked for. */
export interface DocumentSchema {
  root: Node;
}

/** Null for what is no JSON schema of an object. */
export function readDocumentSchema(schema: unknown): DocumentSchema | null {
  const read = nodeSchema.safeParse(schema);
  return read.success && read.data.properties !== undefined ? { root: read.data } : null;
}

const isNull = (node: Node) => node.type === 'null';

/** The node itself, without references, wrappers of one part, and the "or nothing" of optional values. */
function resolved(root: Node, node: Node, depth = 0): Node {
  if (depth > 20) return node;
  // What is said of the place counts more than what is said of what stands there.
  const { title, description, examples, deprecated, format } = node;
  const said = Object.entries({ title, description, examples, deprecated, format }).filter(
    ([, value]) => value !== undefined,
  );
  const next = (inner: Node): Node => ({ ...resolved(root, inner, depth + 1), ...Object.fromEntries(said) });
  if (node.$ref !== undefined) {
    const found = root.definitions?.[node.$ref.replace('#/definitions/', '')];
    return found === undefined ? {} : next(found);
  }
  if (node.allOf?.length === 1 && node.properties === undefined) return next(node.allOf[0] ?? {});
  const options = node.anyOf?.filter((one) => !isNull(one));
  if (options?.length === 1) return next(options[0] ?? {});
  return node;
}

const TEXT_TYPES = new Set(['string', 'number', 'integer', 'boolean']);
const typesOf = ({ type }: Node): readonly string[] => (type === undefined ? [] : [type].flat());
const isText = (node: Node) => typesOf(node).includes('string');
const SCRIPT_KEYS: ReadonlySet<string> = new Set(SCRIPT_LANGUAGES.flatMap(({ keys }) => keys));
const MOST_DEPTH = 4;

function ofOptions(root: Node, options: readonly Node[]): FieldControl {
  const found = options.map((option) => resolved(root, option));
  if (found.some(({ properties }) => properties?.['valueFrom'] !== undefined)) return { kind: 'secret' };
  const isScalar = found.every((one) => {
    const types = typesOf(one);
    return types.length > 0 && types.every((type) => TEXT_TYPES.has(type));
  });
  return { kind: isScalar ? 'text' : 'yaml' };
}

function ofObject(root: Node, node: Node, depth: number): FieldControl {
  const { properties, additionalProperties } = node;
  const keys = Object.keys(properties ?? {});
  if (keys.length > 0) {
    if ([...SCRIPT_KEYS].every((key) => keys.includes(key))) {
      const beside = fieldsOf(root, node, depth).filter(({ key }) => !SCRIPT_KEYS.has(key));
      return { kind: 'script', beside };
    }
    if (keys.includes('value') && keys.includes('valueFrom')) return { kind: 'secret' };
    return depth < MOST_DEPTH ? { kind: 'group', fields: fieldsOf(root, node, depth) } : { kind: 'yaml' };
  }
  const value = typeof additionalProperties === 'object' ? resolved(root, additionalProperties) : null;
  return { kind: value !== null && isText(value) ? 'labels' : 'yaml' };
}

function ofList(root: Node, items: Node | undefined, depth: number): FieldControl {
  const item = resolved(root, items ?? {});
  const types = typesOf(item);
  if (types.length > 0 && types.every((type) => TEXT_TYPES.has(type)))
    return { kind: 'texts', areNumbers: types.every((type) => type === 'integer' || type === 'number') };
  if (item.properties === undefined || depth >= MOST_DEPTH) return { kind: 'yaml' };
  return { kind: 'list', fields: fieldsOf(root, item, depth), example: exampleOf(item) };
}

function controlOf(root: Node, node: Node, depth: number): FieldControl {
  const found = resolved(root, node);
  const types = typesOf(found);
  const options = found.enum?.filter((one) => typeof one === 'string') ?? [];
  if (options.length > 0) return { kind: 'choice', options };
  if (types.includes('string')) return { kind: found.format === 'password' ? 'password' : 'text' };
  if (found.anyOf !== undefined) return ofOptions(root, found.anyOf);
  if (types.includes('boolean')) return { kind: 'boolean' };
  if (types.includes('integer') || types.includes('number')) return { kind: 'number' };
  if (types.includes('array')) return ofList(root, found.items, depth + 1);
  if (types.includes('object')) return ofObject(root, found, depth + 1);
  return { kind: 'yaml' };
}

function fieldsOf(root: Node, node: Node, depth: number): SchemaField[] {
  const required = new Set(node.required);
  return Object.entries(node.properties ?? {}).map(([key, part]) => {
    const { description, default: initial } = resolved(root, part);
    const isShown = (typeof initial === 'string' && initial !== '') || typeof initial === 'number';
    return {
      key,
      control: controlOf(root, part, depth),
      isRequired: required.has(key),
      hint: description ?? null,
      ...(initial === undefined ? {} : { initial }),
      ...(isShown ? { placeholder: String(initial) } : {}),
    };
  });
}

const exampleSchema = z.record(z.string(), z.unknown());

/** What a part of a document is usually made of. */
function exampleOf({ examples }: Node): Readonly<Record<string, unknown>> {
  const example = exampleSchema.safeParse(examples?.[0]);
  return example.success ? example.data : {};
}

function entryKind(root: Node, key: string, part: Node): EntryKind | null {
  const node = resolved(root, part);
  const isSingle = !typesOf(node).includes('array');
  const entry = isSingle ? node : resolved(root, node.items ?? {});
  const example = exampleSchema.safeParse(entry.examples?.[0]);
  if (entry.title === undefined || entry.properties === undefined || !example.success) return null;
  const asked = root.asks?.of[key] ?? [];
  const fields = fieldsOf(root, entry, 0).map((found) => {
    const field = asked.includes(found.key) ? { ...found, isRequired: true } : found;
    const shown = example.data[field.key];
    const isPlain = typeof shown === 'string' || typeof shown === 'number';
    return isPlain && field.key !== 'name' ? { ...field, placeholder: String(shown) } : field;
  });
  return { key, title: entry.title, isSingle, fields, example: example.data };
}

/** The kinds of entries that a document of this schema may hold; none for a document that is one thing. */
export function entryKinds({ root }: DocumentSchema): EntryKind[] {
  return Object.entries(root.properties ?? {}).flatMap(([key, part]) => entryKind(root, key, part) ?? []);
}

/** Those that a form offers: a kind with several names in documents once. */
export function offeredKinds(kinds: readonly EntryKind[]): readonly EntryKind[] {
  return kinds.filter((kind) => kind === kinds.find(({ title }) => title === kind.title));
}

/** A document of this schema has one entry: another kind takes its place. */
export const hasOnlyOne = ({ root }: DocumentSchema): boolean => root.needs?.isOnlyOne === true;

/** The fields of the document itself that a form offers; those of its entries are apart. */
export function documentFields(schema: DocumentSchema): SchemaField[] {
  const { root } = schema;
  const kinds = new Set(entryKinds(schema).map(({ key }) => key));
  const isOffered = (key: string) =>
    !kinds.has(key) && resolved(root, root.properties?.[key] ?? {}).deprecated !== true;
  return fieldsOf(root, root, 0).filter(({ key }) => isOffered(key));
}

/** What the document itself is usually made of; without a word of it, when it runs. */
export function documentExample({ root }: DocumentSchema): Readonly<Record<string, unknown>> {
  return root.examples === undefined ? { schedule: '' } : exampleOf(root);
}

/** Calls that send nothing. */
const BODILESS = new Set(['', 'GET', 'HEAD', 'DELETE']);

/** Without what means nothing beside the others: a body is sent by POST and PUT (spec 2 §5). One that is there stays. */
export function fittingFields(
  fields: readonly SchemaField[],
  value: Readonly<Record<string, unknown>>,
): readonly SchemaField[] {
  const { method = '', body } = value;
  const sendsNothing = typeof method === 'string' && BODILESS.has(method.trim().toUpperCase());
  const hasMethod = fields.some(({ key }) => key === 'method');
  return hasMethod && sendsNothing && body === undefined
    ? fields.filter(({ key }) => key !== 'body')
    : fields;
}

/** Which of the fields stand in sight: what is required, what the example has, and what was filled in. */
export function fieldsInSight(
  fields: readonly SchemaField[],
  {
    example,
    value,
  }: { example: Readonly<Record<string, unknown>>; value: Readonly<Record<string, unknown>> },
): { inSight: SchemaField[]; more: SchemaField[] } {
  const isInSight = ({ key, isRequired }: SchemaField) =>
    isRequired || Object.hasOwn(example, key) || value[key] !== undefined;
  const order = new Map(Object.keys(example).map((key, at) => [key, at]));
  const place = ({ key }: SchemaField) => order.get(key) ?? Number.POSITIVE_INFINITY;
  return {
    inSight: fields.filter(isInSight).toSorted((a, b) => place(a) - place(b)),
    more: fields.filter((field) => !isInSight(field)),
  };
}
