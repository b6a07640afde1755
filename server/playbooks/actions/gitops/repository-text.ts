/** Names of files and branches, and whole files, from the pieces of their templates: what was put in stays a value. */
import { posix } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { yamlDocuments, yamlValue } from '../../../../src/lib/read-yaml.ts';
import type { TemplatePiece } from '../../templates/template-pieces.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

/** What git allows in the name of a branch. */
const BRANCH = /^(?![/.-])(?!.*(?:\/[/.]|\.\.|@\{|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]{1,200}(?<![/.])$/u;

/** Throws `invalid` for what is no name of a branch. */
export function branchName(field: string, text: string): string {
  if (!BRANCH.test(text) || text === '@')
    throw new AppError('invalid', `${field}: "${text.slice(0, 100)}" is no name of a branch`);
  return text;
}

const textOf = (pieces: readonly TemplatePiece[]) =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.value)).join('');

/** A path inside the repository. A value is one name of it, unless it is the whole path; patterns are the author's. */
export function repositoryPath(field: string, pieces: readonly TemplatePiece[]): string {
  const refuse = (what: string): never => {
    throw new AppError('invalid', `${field}: ${what}`);
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') continue;
    if (pieces.length > 1 && piece.value.includes('/'))
      refuse(`the value "${piece.value.slice(0, 100)}" leads to another folder`);
    if (/[*?]/.test(piece.value)) refuse(`the value "${piece.value.slice(0, 100)}" means several files`);
  }
  const path = textOf(pieces).replace(/^\.?\/+/, '');
  const names = path.split('/');
  if (path === '' || names.includes('') || /[\p{Cc}\\]/u.test(path))
    refuse(`"${path.slice(0, 100)}" is no path of a file`);
  if (names.some((name) => /^\.+$/.test(name) || /^\.git$/i.test(name)))
    refuse(`"${path.slice(0, 100)}" leads out of the files of the repository`);
  return path;
}

/** Keys and texts of both with the values put in, and nothing else, are the same. */
function isSame(before: unknown, after: unknown, put: (text: string) => string): boolean {
  if (Array.isArray(before))
    return (
      Array.isArray(after) &&
      before.length === after.length &&
      before.every((one, at) => isSame(one, after[at], put))
    );
  if (isRecord(before)) {
    if (!isRecord(after)) return false;
    const [old, made] = [Object.entries(before), Object.entries(after)];
    return (
      old.length === made.length &&
      old.every(([key, one], at) => put(key) === made[at]?.[0] && isSame(one, made[at][1], put))
    );
  }
  // A value that stands alone may be read as a number.
  if (typeof before === 'string')
    return !isRecord(after) && !Array.isArray(after) && put(before) === String(after);
  return before === after;
}

function documentsOf(text: string): unknown[] | null {
  const documents = yamlDocuments(text);
  return documents.some(({ errors }) => errors.length > 0) ? null : documents.map(yamlValue);
}

/** A file's text; in YAML and JSON a value that would be more than one value is refused. */
export function documentText(path: string, pieces: readonly TemplatePiece[]): string {
  const text = textOf(pieces);
  if (!/\.(ya?ml|json)$/i.test(path) || pieces.every(({ kind }) => kind === 'text')) return text;
  const words = new Map<string, string>();
  const marked = pieces.map((piece, at) => {
    if (piece.kind === 'text') return piece.text;
    const word = `holdfastvalue${at}x`;
    words.set(word, piece.value);
    return word;
  });
  const put = (given: string) => given.replaceAll(/holdfastvalue\d+x/g, (word) => words.get(word) ?? word);
  const [before, after] = [documentsOf(marked.join('')), documentsOf(text)];
  if (before === null || after === null || !isSame(before, after, put))
    throw new AppError(
      'invalid',
      `gitops.files: ${path}: a value would change more of the document than its own place`,
    );
  return text;
}

/** The folder of a checkout below the script's own. Throws `invalid`, naming the field, for one that leads out of it. */
export function checkoutFolder(field: string, destination: string): string {
  const path = trimEnd(posix.normalize(destination || 'checkout'), '/');
  if (path === '.' || path.startsWith('..') || path.startsWith('/'))
    throw new AppError('invalid', `${field}.destination: "${destination}" leads out of the script's folder`);
  return path;
}
