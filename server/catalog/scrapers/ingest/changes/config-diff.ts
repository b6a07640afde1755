/**
 * What changed between two documents of an item: unified text for people, a merge patch for programs, and the paths
 * in a line (schema §5.3, Diff change). Pure.
 *
 * Noise is what a cluster writes into an object without anybody having changed it; it alone is no change. It is only
 * left out of Kubernetes objects: elsewhere a field of that name means what it says.
 */
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { jsonOrNull } from '../../../../../src/lib/json-or-null.ts';
import { mergePatch } from './merge-patch.ts';

export interface ConfigDiff {
  diff: string;
  patches: unknown;
  summary: string;
}

const CONTEXT_LINES = 3;
/** Beyond this many changed lines the search for the shortest diff blocks for long; a plain one is made instead. */
const MAX_EDIT_LENGTH = 800;
const MAX_PATHS = 10;
const MAX_SUMMARY_LENGTH = 500;

const NOISY_METADATA = new Set(['resourceVersion', 'managedFields', 'generation', 'selfLink']);
const NOISY_STATUS = new Set(['observedGeneration']);
const NOISY_ANNOTATIONS = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'control-plane.alpha.kubernetes.io/leader',
]);

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

function withoutNoise(document: unknown): unknown {
  if (!isRecord(document)) return document;
  const { kind, apiVersion, metadata, status } = document;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !isRecord(metadata)) return document;
  const calm = without(metadata, NOISY_METADATA);
  if (isRecord(calm) && isRecord(calm['annotations'])) {
    const annotations = without(calm['annotations'], NOISY_ANNOTATIONS);
    if (isRecord(annotations) && Object.keys(annotations).length > 0) calm['annotations'] = annotations;
    else delete calm['annotations'];
  }
  return { ...document, metadata: calm, ...(isRecord(status) && { status: without(status, NOISY_STATUS) }) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** The document as it is compared and shown: sorted keys, two spaces, without noise. */
export function normalisedText(document: unknown): string {
  // What is no JSON document at all compares as nothing.
  return JSON.stringify(sorted(withoutNoise(document)), null, 2) ?? '';
}

/** The text of a document that isn't JSON, XML for one; null for all others. */
function plainContent(document: unknown): string | null {
  if (!isRecord(document) || Object.keys(document).length !== 2) return null;
  const { format, content } = document;
  return typeof format === 'string' && typeof content === 'string' ? content : null;
}

function linesOf(text: string): { lines: string[]; endsOpen: boolean } {
  const lines = text.split('\n');
  const endsOpen = lines.at(-1) !== '';
  return { lines: endsOpen ? lines : lines.slice(0, -1), endsOpen };
}

/** One hunk from the first line that differs to the end: right, though not the shortest. */
function plainPatch(before: string, after: string): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const shorter = Math.min(old.lines.length, now.lines.length);
  let start = 0;
  // The last line stays in the hunk: whether it ends in a newline may be what differs.
  while (start < shorter - 1 && old.lines[start] === now.lines[start]) start += 1;
  const side = (mark: string, { lines, endsOpen }: typeof old) => [
    ...lines.slice(start).map((line) => `${mark}${line}`),
    ...(endsOpen ? ['\\ No newline at end of file'] : []),
  ];
  const range = ({ lines }: typeof old) =>
    `${lines.length === start ? start : start + 1},${lines.length - start}`;
  const header = ['--- before', '+++ after', `@@ -${range(old)} +${range(now)} @@`];
  return [...header, ...side('-', old), ...side('+', now), ''].join('\n');
}

function unifiedDiff(before: string, after: string): string {
  const shortest = createTwoFilesPatch('before', 'after', before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return shortest ?? plainPatch(before, after);
}

function collectPaths(patch: unknown, path: string, into: string[]): void {
  if (into.length > MAX_PATHS) return;
  if (!isRecord(patch) || Object.keys(patch).length === 0) {
    if (path !== '') into.push(path);
    return;
  }
  for (const name of Object.keys(patch).toSorted()) {
    collectPaths(patch[name], path === '' ? name : `${path}.${name}`, into);
  }
}

function pathsOf(patch: unknown): string {
  const paths: string[] = [];
  collectPaths(patch, '', paths);
  const shown = paths.slice(0, MAX_PATHS).join(', ');
  const text = paths.length > MAX_PATHS ? `${shown}, …` : shown;
  return text.length > MAX_SUMMARY_LENGTH ? `${text.slice(0, MAX_SUMMARY_LENGTH - 1)}…` : text;
}

/** What changed; null where only noise did. */
export function diffConfigs(before: unknown, after: unknown): ConfigDiff | null {
  const oldText = normalisedText(before);
  const newText = normalisedText(after);
  if (oldText === newText) return null;
  const oldContent = plainContent(before);
  const newContent = plainContent(after);
  const isPlain = oldContent !== null && newContent !== null && oldContent !== newContent;
  const patches = mergePatch(jsonOrNull(oldText), jsonOrNull(newText));
  return {
    diff: isPlain ? unifiedDiff(oldContent, newContent) : unifiedDiff(oldText, newText),
    patches,
    summary: pathsOf(patches),
  };
}
