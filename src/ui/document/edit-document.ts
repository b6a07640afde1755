/**
 * Changes one value of a YAML text and leaves the rest as somebody wrote it: comments, order, and fields that no form
 * knows. The text is the document; a form and an editor are two views of it.
 */
import { Document, isCollection, isMap, parseDocument } from 'yaml';

export type DocumentPath = readonly (string | number)[];

/** As the product writes YAML: lines are as long as they are. */
const AS_WRITTEN = { lineWidth: 0 } as const;

function parsed(text: string): Document | null {
  const read = parseDocument(text, { prettyErrors: false });
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

/** The text with that value at the path; undefined removes it. A text that can't be parsed stays as it is. */
export function withValue(text: string, path: DocumentPath, value: unknown): string {
  const document = parsed(text);
  if (document === null) return text;
  if (value === undefined) {
    if (document.hasIn(path)) remove(document, path);
  } else document.setIn(path, typeof value === 'object' ? document.createNode(value) : value);
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
