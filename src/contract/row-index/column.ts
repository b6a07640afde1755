/**
 * One column of a collection by slot. Values that repeat are held once and told apart by a code; where most differ
 * they are held by slot instead, which takes less than a dictionary of them would. What goes over many slots goes over
 * one column at a time: each different value is then looked at once.
 * Invariants: `valueAt` answers what was set last, or undefined; values that are equal as JSON are one value, which
 * nobody changes.
 */

/** With more different values than this, and than half of the slots, a dictionary would be larger than the values. */
const MIN_PLAIN = 1024;
const NO_CODE = 0;
const FIRST_ROOM = 256;

function roomier(codes: Uint32Array, slot: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.max(FIRST_ROOM, slot + 1, Math.ceil(codes.length * 1.5)));
  grown.set(codes);
  return grown;
}

/** What is asked of a slot. */
export type SlotReader<Result> = (slot: number) => Result;
/** Slots in some order; never changed by who reads them. */
export type Slots = Uint32Array;

// Loops over tens of thousands are written plainly: with callbacks or iterators they take several times as long.

/** Those of the slots that are marked. */
export function slotsWhere(slots: Slots, marks: Uint8Array): Slots {
  const passing = new Uint32Array(slots.length);
  let count = 0;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    if (marks[slot] !== 1) continue;
    passing[count] = slot;
    count += 1;
  }
  return passing.slice(0, count);
}

function flags<Value>(values: readonly Value[], test: (value: Value) => boolean): Uint8Array {
  const found = new Uint8Array(values.length);
  for (const [at, value] of values.entries()) if (test(value)) found[at] = 1;
  return found;
}

/** One for each name that rows of a collection have. */
export class Column {
  private readonly searchedText: ((value: unknown) => string) | null;
  /** By slot; null when values are held by slot. */
  private codes: Uint32Array | null = new Uint32Array(0);
  /** By code, or by slot. */
  private values: unknown[] = [undefined];
  /** By code: what the value is searched by, in small letters. */
  private readonly lowered: string[] = [];
  private readonly scalars = new Map<unknown, number>();
  /** Codes of lists and objects by their text. */
  private readonly texts = new Map<string, number>();
  private lastValue: unknown = undefined;
  private lastCode = NO_CODE;

  /** `searchedText` says what words are looked for in; null for a column that is not searched. */
  constructor(searchedText: ((value: unknown) => string) | null = null) {
    this.searchedText = searchedText;
  }

  /** How many codes there are; null when values are held by slot. */
  get codeCount(): number | null {
    return this.codes === null ? null : this.values.length;
  }

  codeAt(slot: number): number {
    return this.codes?.[slot] ?? NO_CODE;
  }

  valueOfCode(code: number): unknown {
    return this.values[code];
  }

  valueAt(slot: number): unknown {
    const { codes } = this;
    return this.values[codes === null ? slot : (codes[slot] ?? NO_CODE)];
  }

  /** `rowCount` is how many rows there are. */
  set(slot: number, value: unknown, rowCount: number): void {
    if (this.codes !== null) {
      const code = this.codeFor(value);
      if (this.values.length <= MIN_PLAIN || this.values.length * 2 <= rowCount) {
        if (slot >= this.codes.length) this.codes = roomier(this.codes, slot);
        this.codes[slot] = code;
        return;
      }
      this.spread();
    }
    this.setAt(slot, value);
  }

  clear(slot: number): void {
    if (this.codes === null) this.setAt(slot, undefined);
    else if (slot < this.codes.length) this.codes[slot] = NO_CODE;
  }

  /** What a function makes of the value of each slot, for as long as none changes. */
  map<Result>(make: (value: unknown) => Result): SlotReader<Result> {
    const { codes, values } = this;
    if (codes === null) return (slot) => make(values[slot]);
    const made: Result[] = values.map(make);
    return (slot) => made[codes[slot] ?? NO_CODE] as Result;
  }

  /** The slots whose value passes. */
  narrow(slots: Slots, test: (value: unknown) => boolean): Slots {
    const { codes, values } = this;
    const passing = new Uint32Array(slots.length);
    let count = 0;
    const isPassing = codes === null ? null : flags(values, test);
    if (isPassing !== null && !isPassing.includes(0)) return slots;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? 0;
      const passes = isPassing === null ? test(values[slot]) : isPassing[codes?.[slot] ?? NO_CODE] === 1;
      if (!passes) continue;
      passing[count] = slot;
      count += 1;
    }
    return passing.slice(0, count);
  }

  /** Marks the slots in whose value a word in small letters occurs; of a column whose values repeat. */
  markWord(slots: Slots, word: string, marks: Uint8Array): void {
    const { codes, searchedText, lowered, values } = this;
    if (codes === null || searchedText === null) return;
    for (let code = lowered.length; code < values.length; code += 1)
      lowered.push(searchedText(values[code]).toLowerCase());
    const found = flags(lowered, (text) => text.includes(word));
    if (!found.includes(1)) return;
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? 0;
      if (found[codes[slot] ?? NO_CODE] === 1) marks[slot] = 1;
    }
  }

  /** What a slot is searched by in a column whose values differ; null for other columns. */
  get ownText(): SlotReader<string> | null {
    const { codes, searchedText, values } = this;
    return codes !== null || searchedText === null ? null : (slot) => searchedText(values[slot]);
  }

  /** How many of the slots have each value. */
  count(slots: Slots): Map<unknown, number> {
    const counts = new Map<unknown, number>();
    const { codes, values } = this;
    if (codes === null) {
      for (const slot of slots) counts.set(values[slot], (counts.get(values[slot]) ?? 0) + 1);
      return counts;
    }
    const byCode = new Uint32Array(values.length);
    for (let at = 0; at < slots.length; at += 1) {
      const code = codes[slots[at] ?? 0] ?? NO_CODE;
      byCode[code] = (byCode[code] ?? 0) + 1;
    }
    for (const [code, count] of byCode.entries())
      if (count > 0) counts.set(values[code], (counts.get(values[code]) ?? 0) + count);
    return counts;
  }

  private setAt(slot: number, value: unknown): void {
    // Without holes: a list with holes is read several times more slowly.
    while (this.values.length < slot) this.values.push(undefined);
    this.values[slot] = value;
  }

  private codeFor(value: unknown): number {
    if (value === this.lastValue && this.lastCode !== NO_CODE) return this.lastCode;
    const isNested = typeof value === 'object' && value !== null;
    const text = isNested ? JSON.stringify(value) : '';
    const known = isNested ? this.texts.get(text) : this.scalars.get(value);
    const code = known ?? this.values.push(value) - 1;
    if (known === undefined) {
      if (isNested) this.texts.set(text, code);
      else this.scalars.set(value, code);
    }
    this.lastValue = value;
    this.lastCode = code;
    return code;
  }

  /** From a dictionary to values by slot. */
  private spread(): void {
    const { codes, values } = this;
    this.values = Array.from(codes ?? [], (code) => values[code]);
    this.codes = null;
    this.lowered.length = 0;
    this.scalars.clear();
    this.texts.clear();
    this.lastValue = undefined;
  }
}
