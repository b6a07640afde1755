/**
 * A document of YAML or JSON changed by a jq expression, with everything that did not change as it was written: comments,
 * order, quotes, empty lines. jq works on the values; only what differs afterwards is written into the document.
 */
import createJq from 'jq-wasm/dist/build/jq.js';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Document, Node, YAMLMap, YAMLSeq } from 'yaml';
import { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { yamlDocuments, yamlValue } from '../../../../src/lib/read-yaml.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { JqText } from './jq-text.ts';

/** A run of jq leaves memory behind in its instance, which ends at some hundreds. */
const RUNS_OF_AN_INSTANCE = 50;
let jqInstance: ReturnType<typeof createJq> | null = null;
let runs = 0;

async function runJq(input: string, filter: string, flags: string[]): Promise<string> {
  if (runs % RUNS_OF_AN_INSTANCE === 0) jqInstance = null;
  runs += 1;
  jqInstance ??= createJq();
  return (await jqInstance).raw(input, filter, flags);
}

/** What the expression makes of each value; in one run, as each costs. */
async function applyJq(values: readonly unknown[], { expression, variables }: JqText): Promise<unknown[]> {
  const given = Object.entries(variables).flatMap(([name, one]) => ['--argjson', name, JSON.stringify(one)]);
  const shown = `"${expression.slice(0, 200)}"`;
  let output: string;
  try {
    output = await runJq(JSON.stringify(values), `[.[] | [(${expression}\n)]]`, ['-c', ...given]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid', `${shown} fails: ${reason.slice(0, 500)}`, { cause: error });
  }
  return z
    .array(z.array(z.unknown()))
    .parse(JSON.parse(output))
    .map((found) => {
      if (found.length !== 1)
        throw new AppError('invalid', `${shown} gives ${found.length} documents, not one`);
      return found[0];
    });
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Keys of YAML may be numbers; jq knows them as texts. */
const nameOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

class Writer {
  private readonly document: Document;

  constructor(document: Document) {
    this.document = document;
  }

  /** The node with the new value in it; another node where it can't hold that. */
  written(node: unknown, before: unknown, after: unknown): unknown {
    if (isEqual(before, after)) return node;
    if (isMap(node) && isRecord(before) && isRecord(after)) return this.map(node, before, after);
    if (isSeq(node) && Array.isArray(before) && Array.isArray(after)) return this.list(node, before, after);
    const made: Node = this.document.createNode(after);
    if (isScalar(node) && isScalar(made)) {
      const isText = typeof node.value === 'string' && typeof made.value === 'string';
      node.value = made.value;
      if (!isText) delete node.type;
      delete node.source;
      delete node.format;
      return node;
    }
    // What an anchor names is left alone; only this place is changed.
    if (!isAlias(node) && isCommented(node)) {
      made.comment = node.comment ?? null;
      made.commentBefore = node.commentBefore ?? null;
    }
    return made;
  }

  private map(node: YAMLMap, before: Record<string, unknown>, after: Record<string, unknown>): YAMLMap {
    node.items = node.items.filter(({ key }) => Object.hasOwn(after, nameOf(key)));
    for (const pair of node.items) {
      const name = nameOf(pair.key);
      pair.value = this.written(pair.value, before[name], after[name]);
    }
    for (const [name, value] of Object.entries(after)) {
      if (!Object.hasOwn(before, name)) node.items.push(this.document.createPair(name, value));
    }
    return node;
  }

  /** What is the same at both ends stays; between them one for one. */
  private list(node: YAMLSeq, before: readonly unknown[], after: readonly unknown[]): YAMLSeq {
    const shortest = Math.min(before.length, after.length);
    let head = 0;
    while (head < shortest && isEqual(before[head], after[head])) head += 1;
    let tail = 0;
    while (tail < shortest - head && isEqual(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
    const middle = after.slice(head, after.length - tail).map((value, at) => {
      const from = head + at;
      return from < before.length - tail
        ? this.written(node.items[from], before[from], value)
        : this.document.createNode(value);
    });
    node.items = [...node.items.slice(0, head), ...middle, ...node.items.slice(before.length - tail)];
    return node;
  }
}

function isCommented(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'comment' in node;
}

/** How the text was laid out, so that lines that say the same stay the same. */
function layoutOf(text: string): { indent: number; indentSeq: boolean; lineWidth: 0 } {
  const indent = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const isFlush = /^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:\s*#[^\n]*\n)*\1- /m.test(text);
  return { indent: Math.min(Math.max(indent, 1), 8), indentSeq: !isFlush, lineWidth: 0 };
}

async function editYaml(text: string, jq: JqText): Promise<string> {
  const documents = yamlDocuments(text);
  if (documents.length === 0) return text;
  for (const { errors } of documents) {
    const [problem] = errors;
    if (problem !== undefined)
      throw new AppError('invalid', `is not YAML: ${problem.message.split('\n')[0]}`);
  }
  const before = documents.map((document): unknown => yamlValue(document) ?? null);
  const after = await applyJq(before, jq);
  if (isEqual(before, after)) return text;
  for (const [at, document] of documents.entries()) {
    const made = new Writer(document).written(document.contents, before[at], after[at]);
    document.contents = made as typeof document.contents;
  }
  const layout = layoutOf(text);
  return documents
    .map((document, at) => {
      const written = document.toString(layout);
      return at > 0 && !written.startsWith('---') ? `---\n${written}` : written;
    })
    .join('');
}

async function editJson(text: string, before: unknown, jq: JqText): Promise<string> {
  const [after] = await applyJq([before], jq);
  if (isEqual(before, after)) return text;
  const indent = /^[[{]\s*\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n') ? '  ' : '');
  return JSON.stringify(after, null, indent) + (text.endsWith('\n') ? '\n' : '');
}

/** The text itself where nothing differs. Throws `invalid` for what is no document or no expression. */
export async function editDocument(path: string, text: string, jq: JqText): Promise<string> {
  if (path.toLowerCase().endsWith('.json')) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new AppError('invalid', 'is not JSON', { cause: error });
    }
    return editJson(text, value, jq);
  }
  return editYaml(text, jq);
}
