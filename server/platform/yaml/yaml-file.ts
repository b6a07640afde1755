/**
 * Reads a YAML file of documents (canaries, scrapers). Tells problems with file, line and field. Bounded: a file may not be
 * huge, nest without end or multiply itself through aliases; tags that would make objects of code are refused.
 */
import { LineCounter, isMap, isScalar } from 'yaml';
import { yamlDocuments, yamlValue } from '../../../src/lib/read-yaml.ts';
import type { YamlDocument } from '../../../src/lib/read-yaml.ts';
import type { DocumentProblem } from './document-problems.ts';

const MAX_FILE_CHARS = 1_000_000;
const MAX_DOCUMENTS = 5000;

export interface FileProblem {
  file: string;
  line: number;
  field: string;
  /** Reads well alone: `shop.yaml:7: spec.http[0].url: is required`. */
  message: string;
}

/** A document that can't be used: the name it would have had, and why. */
export interface RefusedDocument<Problem = DocumentProblem> {
  ok: false;
  name: string;
  namespace: string;
  problems: Problem[];
}

/** One document of a file, with lines to its problems. */
export type FileDocument<Read extends { ok: true }> = Read | RefusedDocument<FileProblem>;

/** What a document is; null for one that is none of ours. `fallbackName` is for one without a name. */
export type ReadDocument<Read extends { ok: true }> = (
  value: unknown,
  fallbackName: string,
) => Read | RefusedDocument | null;

function problem(file: string, line: number, found: DocumentProblem): FileProblem {
  const field = found.field === '' ? '' : `${found.field}: `;
  return { file, line, field: found.field, message: `${file}:${line}: ${field}${found.message}` };
}

/** `spec.http[0].url` → ['spec', 'http', 0, 'url'] */
function pathOf(field: string): (string | number)[] {
  return field
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Where a key stands; a check's field that isn't there is told at the nearest thing around it that is. */
function offsetOf(document: YamlDocument, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (pair !== undefined && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return Number(node.range[0]);
  }
  return document.contents?.range[0] ?? document.range?.[0] ?? 0;
}

interface Parts<Read extends { ok: true }> {
  document: YamlDocument;
  lines: LineCounter;
  readOne: ReadDocument<Read>;
}

function readDocument<Read extends { ok: true }>(
  file: string,
  index: number,
  { document, lines, readOne }: Parts<Read>,
): FileDocument<Read> | null {
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const fallbackName = index === 0 ? file : `${file}#${index + 1}`;
  const refuse = (
    name: string,
    namespace: string,
    problems: FileProblem[],
  ): RefusedDocument<FileProblem> => ({
    ok: false,
    name,
    namespace,
    problems,
  });
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) {
    const text = broken.message.split('\n')[0] ?? broken.message;
    return refuse(fallbackName, 'default', [
      problem(file, lineAt(broken.pos[0]), {
        field: '',
        message: text.replace(/ at line \d+, column \d+:?$/, ''),
      }),
    ]);
  }
  const value = yamlValue(document);
  if (value === null || value === undefined) return null;
  const read = readOne(value, fallbackName);
  if (read === null || read.ok) return read;
  return refuse(
    read.name,
    read.namespace,
    read.problems.map((found) => problem(file, lineAt(offsetOf(document, pathOf(found.field))), found)),
  );
}

/** All documents of a file; `file` is the name to report. Empty and foreign documents are left out. */
export function readYamlFile<Read extends { ok: true }>(
  { file, text }: { file: string; text: string },
  readOne: ReadDocument<Read>,
): FileDocument<Read>[] {
  const tooMuch = (message: string): FileDocument<Read>[] => [
    { ok: false, name: file, namespace: 'default', problems: [problem(file, 1, { field: '', message })] },
  ];
  if (text.length > MAX_FILE_CHARS) return tooMuch(`is larger than ${MAX_FILE_CHARS} characters`);
  const lines = new LineCounter();
  const documents = yamlDocuments(text, {
    lineCounter: lines,
    schema: 'core',
    customTags: [],
    logLevel: 'silent',
  });
  if (documents.length > MAX_DOCUMENTS) return tooMuch(`has more than ${MAX_DOCUMENTS} documents`);
  return documents.flatMap(
    (document, index) => readDocument(file, index, { document, lines, readOne }) ?? [],
  );
}
