/**
 * Reads a JSON array of rows piece by piece, so that a file of any size needs the memory of one row. Keeps each
 * row's own text: numbers that JavaScript would round go to the database as they were written. Finds where rows
 * begin and end by brackets and quotes alone; whether a row is JSON is decided row by row.
 */
import { isRecord } from '../../../src/lib/is-record.ts';

/** Far beyond any document of ours, and far below what exhausts the stack of a parser. */
const MAX_DEPTH = 256;
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;

export interface JsonRow {
  /** From 1. */
  number: number;
  /** Where it begins in its file, from 1. */
  line: number;
  text: string;
  /** Null where `problem` says why. */
  value: Readonly<Record<string, unknown>> | null;
  problem: string | null;
}

/** The file as a whole isn't an array of rows. */
export class BrokenFileError extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.name = 'BrokenFileError';
    this.line = line;
  }
}

type Place = 'before' | 'inside' | 'after';

interface RowStart {
  number: number;
  line: number;
  isTooDeep: boolean;
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t' || char === '\uFEFF';
}

function parseRow(text: string, { number, line, isTooDeep }: RowStart): JsonRow {
  const refused = (problem: string): JsonRow => ({ number, line, text: '', value: null, problem });
  if (isTooDeep) return refused(`nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BrokenFileError(line, `row ${number} isn't valid JSON: ${error.message}`);
  }
  if (!isRecord(value)) return refused('a row has to be an object of columns');
  return { number, line, text, value, problem: null };
}

class RowScanner {
  #place: Place = 'before';
  #line = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #text = '';
  #rows = 0;
  #start: RowStart | null = null;
  #found: JsonRow[] = [];

  /** The rows that end within this piece. */
  push(piece: string): JsonRow[] {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const char = piece.charAt(at);
      if (char === '\n') this.#line += 1;
      if (this.#isInString) {
        this.#passString(char);
      } else if (this.#place === 'inside') {
        this.#startRow(char);
        if (this.#passStructure(char)) {
          this.#endRow(this.#text + piece.slice(from, at), char);
          from = at + 1;
        }
      } else {
        this.#passOutside(char);
        from = at + 1;
      }
    }
    this.#keep(piece.slice(from));
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Refuses a file that ends too early. */
  end(): void {
    if (this.#place === 'before') throw new BrokenFileError(this.#line, 'the file is empty');
    if (this.#place === 'inside') {
      throw new BrokenFileError(
        this.#start?.line ?? this.#line,
        `the file ends before its array does, at row ${this.#rows + 1}`,
      );
    }
  }

  #keep(text: string): void {
    this.#text += text;
    if (this.#text.length > MAX_ROW_CHARACTERS) {
      throw new BrokenFileError(
        this.#start?.line ?? this.#line,
        `row ${this.#rows + 1} is larger than 64 MB`,
      );
    }
  }

  #passString(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (char === '\\') this.#isEscaped = true;
    else if (char === '"') this.#isInString = false;
  }

  #passOutside(char: string): void {
    if (isSpace(char)) return;
    if (this.#place === 'after') throw new BrokenFileError(this.#line, 'something follows the array of rows');
    if (char !== '[') throw new BrokenFileError(this.#line, 'the file has to be a JSON array of rows');
    this.#place = 'inside';
  }

  #startRow(char: string): void {
    if (this.#start !== null || isSpace(char) || char === ',' || char === ']') return;
    this.#start = { number: this.#rows + 1, line: this.#line, isTooDeep: false };
  }

  /** Whether the row ends with this character. */
  #passStructure(char: string): boolean {
    if (char === '"') {
      this.#isInString = true;
    } else if (char === '{' || char === '[') {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH && this.#start !== null) this.#start.isTooDeep = true;
    } else if (char === '}' || char === ']') {
      if (this.#depth === 0) return true;
      this.#depth -= 1;
    } else if (char === ',') {
      return this.#depth === 0;
    }
    return false;
  }

  #endRow(text: string, end: string): void {
    this.#text = '';
    const isLast = end !== ',';
    if (isLast) this.#place = 'after';
    if (end === '}') throw new BrokenFileError(this.#line, 'a closing brace that nothing opened');
    if (this.#start === null) {
      // Only an empty array has no row before its end.
      if (isLast && this.#rows === 0) return;
      throw new BrokenFileError(this.#line, `a comma without a row after row ${this.#rows}`);
    }
    this.#rows += 1;
    this.#found.push(parseRow(text, this.#start));
    this.#start = null;
  }
}

/** The rows of a JSON array; throws BrokenFileError where the text is none. */
export async function* readJsonRows(pieces: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  const scanner = new RowScanner();
  for await (const piece of pieces) yield* scanner.push(piece);
  scanner.end();
}

/** Bytes as text; throws BrokenFileError where they are not UTF-8. */
export async function* decodeUtf8(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new BrokenFileError(line, 'the file is not UTF-8 text (at or after this line)');
    }
  };
  for await (const piece of pieces) {
    const text = decode(piece);
    line += text.split('\n').length - 1;
    yield text;
  }
  yield decode();
}
