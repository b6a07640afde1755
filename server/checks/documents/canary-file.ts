/**
 * Reads a YAML file of canary documents. Tells problems with file, line and field. Bounded: a file may not be
 * huge, nest without end or multiply itself through aliases; tags that would make objects of code are refused.
 */
import { LineCounter, isMap, isScalar, parseAllDocuments } from 'yaml';
import type { Document, ParsedNode } from 'yaml';
import { isForeign, readCanary } from './canary-document.ts';
import type { Canary, DocumentProblem } from './canary-document.ts';

const MAX_FILE_CHARS = 1_000_000;
const MAX_DOCUMENTS = 5000;
const MAX_ALIASES = 100;

export interface FileProblem {
  file: string;
  line: number;
  field: string;
  /** Reads well alone: `shop.yaml:7: spec.http[0].url: is required`. */
  message: string;
}

/** One document of a file: a canary, or the name it would have had with what is wrong. */
export type FileCanary =
  | { ok: true; canary: Canary }
  | { ok: false; name: string; namespace: string; problems: FileProblem[] };

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
function offsetOf(document: Document<ParsedNode>, path: readonly (string | number)[]): number {
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

function readDocument(
  file: string,
  index: number,
  parts: { document: Document<ParsedNode>; lines: LineCounter },
): FileCanary | null {
  const { document, lines } = parts;
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const fallbackName = index === 0 ? file : `${file}#${index + 1}`;
  const refuse = (name: string, namespace: string, problems: FileProblem[]): FileCanary => ({
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
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(fallbackName, 'default', [problem(file, lineAt(0), { field: '', message: reason })]);
  }
  if (value === null || value === undefined || isForeign(value)) return null;
  const read = readCanary(value, fallbackName);
  if (read.ok) return read;
  return refuse(
    read.name,
    read.namespace,
    read.problems.map((found) => problem(file, lineAt(offsetOf(document, pathOf(found.field))), found)),
  );
}

/** All canaries of a file's text; `file` is the name to report. Empty documents are left out. */
export function readCanaryFile(file: string, text: string): FileCanary[] {
  const tooMuch = (message: string): FileCanary[] => [
    { ok: false, name: file, namespace: 'default', problems: [problem(file, 1, { field: '', message })] },
  ];
  if (text.length > MAX_FILE_CHARS) return tooMuch(`is larger than ${MAX_FILE_CHARS} characters`);
  const lines = new LineCounter();
  let documents: Document<ParsedNode>[];
  try {
    const parsed = parseAllDocuments(text, {
      lineCounter: lines,
      schema: 'core',
      customTags: [],
      logLevel: 'silent',
    });
    documents = 'empty' in parsed ? [] : parsed;
  } catch (error) {
    return tooMuch(error instanceof RangeError ? 'nests too deep' : String(error));
  }
  if (documents.length > MAX_DOCUMENTS) return tooMuch(`has more than ${MAX_DOCUMENTS} documents`);
  return documents.flatMap((document, index) => readDocument(file, index, { document, lines }) ?? []);
}
