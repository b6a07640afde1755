/**
 * The texts that rows are searched by, one behind the other in memory: looked through row by row where they happen to
 * lie, 50,000 of them take five times as long. Kept in blocks, so that a changed row costs its own block.
 * Invariant: a text has no word across a line break, and rows are told apart by one.
 */

const BLOCK_ROWS = 128;

interface Block {
  /** In small letters, a line break after each row. */
  text: string;
  /** Where each row's text ends, its line break included. */
  ends: Uint32Array;
}

/** One for a table; `textOf` is what a slot's row is searched by, empty where there is none. */
export class SearchText {
  private readonly textOf: (slot: number) => string;
  /** Undefined where a row changed since. */
  private blocks: (Block | undefined)[] = [];

  constructor(textOf: (slot: number) => string) {
    this.textOf = textOf;
  }

  /** What is in that slot changed. */
  touch(slot: number): void {
    const number = Math.floor(slot / BLOCK_ROWS);
    if (number < this.blocks.length) this.blocks[number] = undefined;
  }

  /** Everything did. */
  clear(): void {
    this.blocks = [];
  }

  /** Prepares the texts of these slots for the next search. */
  warm(from: number, end: number): void {
    for (let slot = from; slot < end; slot += BLOCK_ROWS) this.blockAt(Math.floor(slot / BLOCK_ROWS));
  }

  /** Marks the slots in whose text a word in small letters occurs; there are as many slots as marks. */
  mark(word: string, marks: Uint8Array): void {
    for (let base = 0; base < marks.length; base += BLOCK_ROWS) {
      const { text, ends } = this.blockAt(base / BLOCK_ROWS);
      let row = 0;
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ends[row])) {
        while ((ends[row] ?? text.length) <= at) row += 1;
        marks[base + row] = 1;
      }
    }
  }

  private blockAt(number: number): Block {
    const known = this.blocks[number];
    if (known !== undefined) return known;
    const ends = new Uint32Array(BLOCK_ROWS);
    let text = '';
    for (let row = 0; row < BLOCK_ROWS; row += 1) {
      text += `${this.textOf(number * BLOCK_ROWS + row).toLowerCase()}\n`;
      ends[row] = text.length;
    }
    while (this.blocks.length < number) this.blocks.push(undefined);
    const block = { text, ends };
    this.blocks[number] = block;
    return block;
  }
}
