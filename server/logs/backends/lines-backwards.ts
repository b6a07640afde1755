/** Lines of a file from its end, whatever its size and however long its lines: what is in memory is bounded. */
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { MAX_LINE_CHARS } from './log-backend.ts';

const CHUNK_BYTES = 256 * 1024;
/** A character has at most four bytes. */
const KEPT_BYTES = MAX_LINE_CHARS * 4;
const LINE_END = 0x0a;

export interface RawLine {
  /** The beginning of a line that is longer than what is kept. */
  text: string;
  /** Of the whole line. */
  bytes: number;
  /** Where the next line begins in the file. */
  end: number;
}

/** The beginning of a line whose end was read already. */
class Carry {
  private head: Buffer = Buffer.alloc(0);
  private total = 0;

  /** `part` stands before what is there. */
  prepend(part: Buffer): void {
    const joined = part.length >= KEPT_BYTES ? part : Buffer.concat([part, this.head]);
    this.total += part.length;
    // A copy: else the whole chunk stays in memory for it.
    this.head = Buffer.from(joined.subarray(0, KEPT_BYTES));
  }

  /** `start`: where the line begins in the file. */
  take(start: number): RawLine {
    const end = start + this.total + 1;
    const line = { text: this.head.toString('utf8').replace(/\r$/, ''), bytes: this.total, end };
    this.head = Buffer.alloc(0);
    this.total = 0;
    return line;
  }
}

async function readAt(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(end - start);
  const { bytesRead } = await file.read(chunk, 0, chunk.length, start);
  return chunk.subarray(0, bytesRead);
}

/** The lines that begin in a piece, from its last to its first; what stands before the first line end is carried on. */
function* linesIn(chunk: Buffer, start: number, carry: Carry): Generator<RawLine, void, void> {
  let lineEnd = chunk.length;
  for (
    let at = chunk.lastIndexOf(LINE_END);
    at >= 0;
    at = at === 0 ? -1 : chunk.lastIndexOf(LINE_END, at - 1)
  ) {
    carry.prepend(chunk.subarray(at + 1, lineEnd));
    yield carry.take(start + at + 1);
    lineEnd = at;
  }
  carry.prepend(chunk.subarray(0, lineEnd));
}

/**
 * From the last line to the first. `onBytes` hears of each piece that was read, and ends the reading by throwing. The
 * file may grow meanwhile: what comes after the beginning of the reading is not read. `from`: the end of a line, to
 * leave out what is behind it.
 */
export async function* linesBackwards(
  path: string,
  onBytes: (count: number) => void,
  from: number = Infinity,
): AsyncGenerator<RawLine, void, void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    let end = Math.min(size, from);
    const carry = new Carry();
    let isFirst = true;
    while (end > 0) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const chunk = await readAt(file, start, end);
      onBytes(chunk.length);
      for (const line of linesIn(chunk, start, carry)) {
        // What stands behind the last line end is a line only if it says something.
        const isNone = isFirst && line.bytes === 0;
        isFirst = false;
        yield* isNone ? [] : [line];
      }
      end = start;
    }
    const first = carry.take(0);
    if (!isFirst || first.bytes > 0) yield first;
  } finally {
    await file.close();
  }
}
