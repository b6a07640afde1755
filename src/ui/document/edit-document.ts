/**
 * Changes one value of a YAML text and leaves the rest as somebody wrote it: comments, order, and fields that no form
 * knows. The text is the document; a form and an editor are two views of it.
 */
import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isRecord } from '../../lib/is-record.ts';
import { yamlDocument, yamlValue } from '../../lib/read-yaml.ts';

export type DocumentPath = readonly (string | number)[];

/** As the product writes YAML: lines are as long as they are. */
const AS_WRITTEN = { lineWidth: 0 } as const;

function parsed(text: string): Document | null {
  const read = yamlDocument(text, { prettyErrors: false });
  if (read.errors.length > 0) return null;
  const document: Document = read;
  document.contents ??= document.createNode({});
  return isMap(document.contents) ? document : null;
}

/** True for a text that a form can show: a mapping, or nothing yet. */
export const isFormable = (text: string): boolean => parsed(text) !== null;

/** Removes the value, and the groups that are empty without it. Entries of lists stay: they are there on purpose. */
function remove(document: Document, path: DocumentPath): void {
  document.deleteIn(path);
  for (let length = path.length - 1; length > 0; length -= 1) {
    const parent = path.slice(0, length);
    const node: unknown = document.getIn(parent, true);
    if (!isCollection(node) || node.items.length > 0 || typeof parent.at(-1) === 'number') return;
    document.deleteIn(parent);
  }
}

/**
 * Makes a group of what is none on the way to a value: of nothing yet (`tls:`), and of what is shared with another place
 * (`*tls`), which becomes this place's own.
 */
function openWay(document: Document, path: DocumentPath): void {
  for (let length = 1; length < path.length; length += 1) {
    const at = path.slice(0, length);
    const node: unknown = document.getIn(at, true);
    if (node === undefined) return;
    if (isCollection(node)) continue;
    const shared = isAlias(node) ? node.resolve(document) : undefined;
    const own = isCollection(shared)
      ? (shared.clone() as YAMLMap | YAMLSeq)
      : document.createNode<unknown>(typeof path[length] === 'number' ? [] : {});
    visit(own, {
      Value(_, part) {
        delete part.anchor;
      },
    });
    document.setIn(at, own);
  }
}

const hasPlainKeys = ({ items }: YAMLMap) =>
  items.every(({ key }) => isScalar(key) && typeof key.value === 'string' && key.value !== '<<');

/** The value for a place where another one stands: what of that did not change stays as somebody wrote it. */
function inPlaceOf(document: Document, before: unknown, value: unknown): unknown {
  if (value !== null && typeof value !== 'object') return value;
  if (isMap(before) && hasPlainKeys(before) && isRecord(value)) {
    before.items = before.items.filter(({ key }) => isScalar(key) && Object.hasOwn(value, String(key.value)));
    for (const [key, part] of Object.entries(value))
      before.set(
        key,
        before.has(key) ? inPlaceOf(document, before.get(key, true), part) : document.createNode(part),
      );
    return before;
  }
  if (isSeq(before) && Array.isArray(value)) {
    const left = before.items.map((node) => ({
      node,
      said: JSON.stringify(isNode(node) ? node.toJS(document) : node),
    }));
    before.items = value.map((part: unknown) => {
      const at = left.findIndex(({ said }) => said === JSON.stringify(part));
      return at === -1 ? document.createNode(part) : left.splice(at, 1)[0]?.node;
    });
    return before;
  }
  return document.createNode(value);
}

/** The text with that value at the path; undefined removes it. A text that can't be parsed stays as it is. */
export function withValue(text: string, path: DocumentPath, value: unknown): string {
  const document = parsed(text);
  if (document === null) return text;
  if (value === undefined) {
    if (valueAt(yamlValue(document), path) === undefined) return text;
    openWay(document, path);
    remove(document, path);
  } else {
    openWay(document, path);
    document.setIn(path, inPlaceOf(document, document.getIn(path, true), value));
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  return isEmpty && document.comment === null && document.commentBefore === null
    ? ''
    : document.toString(AS_WRITTEN);
}

/** The text with one more entry at the end of the list at the path. */
export function withEntry(text: string, path: DocumentPath, value: unknown): string {
  const document = parsed(text);
  if (document === null) return text;
  const list: unknown = document.getIn(path, true);
  if (isCollection(list)) document.addIn(path, document.createNode(value));
  else document.setIn(path, document.createNode([value]));
  return document.toString(AS_WRITTEN);
}

/** What stands at the path of a parsed document; undefined where nothing does. */
export function valueAt(value: unknown, path: DocumentPath): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}
