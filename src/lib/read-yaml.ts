/**
 * YAML that people and other programs wrote, read in a time that grows with its length. The library by itself compares
 * each key of a map with all before it, and looks for what an alias means among all anchors: half a megabyte of keys would
 * hold its thread for a quarter of a minute. It is asked for neither here; both are looked at in one walk.
 */
import {
  isAlias,
  isCollection,
  isPair,
  isScalar,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  YAMLParseError,
} from 'yaml';
import type { Document, DocumentOptions, ErrorCode, ParsedNode, ParseOptions, SchemaOptions } from 'yaml';

/** `uniqueKeys` is decided here: a key that stands twice is an error of the document. */
export type YamlOptions = Omit<ParseOptions & DocumentOptions & SchemaOptions, 'uniqueKeys'>;
/** What the text is as a tree, with what is wrong with it in `errors`. */
export type YamlDocument = Document.Parsed<ParsedNode>;

/** Anchors and aliases of one document: each alias is looked for among all of them. */
const MAX_MARKS = 5000;
/** Values that the aliases of one document stand for. */
const MAX_VALUES = 1_000_000;
/** So many times what is written: what multiplies itself with every line of its text is no document. */
const MAX_TIMES = 100;

const TOO_DEEP = 'Nests too deep';

interface Refusal {
  code: ErrorCode;
  message: string;
  /** Of the node, characters from the start of the text. */
  at: number;
}

/** Thrown within a walk, told as an error of the document. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Looks at each node of one document once, in their order. */
class Walk {
  /** How many values an anchor stands for; null while that is not known, within what it names. */
  private readonly named = new Map<string, number | null>();
  private marks = 0;
  private written = 0;
  private at = 0;

  /** Throws `Refused`. */
  look(contents: unknown): void {
    const values = this.valuesOf(contents);
    if (values > MAX_TIMES * this.written)
      throw this.refusedMany(`they stand for more than ${MAX_TIMES} times what is written`);
    if (values - this.written > MAX_VALUES)
      throw this.refusedMany(`they stand for more than ${MAX_VALUES} values`);
  }

  /** How many values the node is. */
  private valuesOf(node: unknown): number {
    if (isPair(node)) return this.valuesOf(node.key) + this.valuesOf(node.value);
    this.written += 1;
    if (!isAlias(node) && !isScalar(node) && !isCollection(node)) return 1;
    this.at = node.range?.[0] ?? this.at;
    if (isAlias(node)) return this.valuesOfAlias(node.source);
    const { anchor } = node;
    if (anchor !== undefined) this.mark(anchor);
    const values = isCollection(node) ? this.valuesOfItems(node.items) : 1;
    if (anchor !== undefined) this.named.set(anchor, values);
    return values;
  }

  private valuesOfItems(items: readonly unknown[]): number {
    const keys = new Set<unknown>();
    let values = 1;
    for (const item of items) {
      const key = isPair(item) && isScalar(item.key) ? item.key : null;
      if (key !== null && keys.has(key.value))
        throw this.refused('DUPLICATE_KEY', 'Map keys must be unique', key.range?.[0]);
      if (key !== null) keys.add(key.value);
      values += this.valuesOf(item);
    }
    return values;
  }

  private valuesOfAlias(source: string): number {
    const values = this.named.get(source);
    if (values === undefined) throw this.refused('BAD_ALIAS', `*${source} has no anchor before it`);
    if (values === null) throw this.refused('BAD_ALIAS', `*${source} stands within what it names`);
    this.count();
    return values;
  }

  private mark(anchor: string): void {
    this.named.set(anchor, null);
    this.count();
  }

  private count(): void {
    this.marks += 1;
    if (this.marks > MAX_MARKS) throw this.refusedMany(`more than ${MAX_MARKS} with their anchors`);
  }

  private refusedMany(reason: string): Refused {
    return this.refused('RESOURCE_EXHAUSTION', `Too many aliases: ${reason}`);
  }

  private refused(code: ErrorCode, message: string, at = this.at): Refused {
    return new Refused({ code, message, at });
  }
}

function refusalOf({ contents }: YamlDocument): Refusal | null {
  try {
    new Walk().look(contents);
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (error instanceof RangeError) return { code: 'RESOURCE_EXHAUSTION', message: TOO_DEEP, at: 0 };
    throw error;
  }
}

function checked<Read extends YamlDocument>(document: Read, lines: LineCounter, options: YamlOptions): Read {
  // The library says of this what the machine does: "Maximum call stack size exceeded".
  for (const error of document.errors) if (error.code === 'RESOURCE_EXHAUSTION') error.message = TOO_DEEP;
  const refusal = document.errors.length > 0 ? null : refusalOf(document);
  if (refusal === null) return document;
  const { line, col } = lines.linePos(refusal.at);
  const place = options.prettyErrors === false ? '' : ` at line ${line}, column ${col}`;
  const where: [number, number] = [refusal.at, refusal.at + 1];
  document.errors.push(new YAMLParseError(where, refusal.code, `${refusal.message}${place}`));
  return document;
}

/** The one document of a text. */
export function yamlDocument(text: string, options: YamlOptions = {}): YamlDocument {
  const lineCounter = options.lineCounter ?? new LineCounter();
  return checked(parseDocument(text, { ...options, lineCounter, uniqueKeys: false }), lineCounter, options);
}

/** The documents of a text, none for an empty one. */
export function yamlDocuments(text: string, options: YamlOptions = {}): YamlDocument[] {
  const lineCounter = options.lineCounter ?? new LineCounter();
  const documents = parseAllDocuments(text, { ...options, lineCounter, uniqueKeys: false });
  return 'empty' in documents ? [] : documents.map((one) => checked(one, lineCounter, options));
}

/** The value of a document that has no errors. */
export function yamlValue(document: Document): unknown {
  // How many there are was counted.
  return document.toJS({ maxAliasCount: -1 });
}

/** The one value of a text, null for an empty one. Throws with what is wrong and its line. */
export function readYaml(text: string, options: YamlOptions = {}): unknown {
  const document = yamlDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return yamlValue(document);
}
