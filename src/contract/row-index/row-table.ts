/**
 * Rows of one collection by slot, column by column: an estate of 50,000 items has few different types, labels and
 * times, and a row as an object of its own would hold them all again. A row is built when somebody wants to see it.
 * Invariants: a row that is read says what the row that was put said, its columns in the same order; a row keeps its
 * slot for as long as it is there.
 */
import type { ReplicatedRow } from '../collections.ts';
import { Column, slotsWhere, type Slots, type SlotReader } from './column.ts';
import { searchedText } from './entry.ts';
import { SearchText } from './search-text.ts';

/** The names of a row's columns in their order; nearly all rows of a collection have the same. */
interface Shape {
  names: readonly string[];
  columns: readonly Column[];
}

const NO_SHAPE: Shape = { names: [], columns: [] };

/** Rows of several kinds take turns in a collection; more shapes than this are looked up by their names. */
const RECENT_SHAPES = 8;

function isOfShape(row: ReplicatedRow, { names }: Shape): boolean {
  let at = 0;
  for (const name in row) {
    if (names[at] !== name) return false;
    at += 1;
  }
  return at === names.length;
}

/** Starts empty. */
export class RowTable {
  private readonly columns = new Map<string, Column>();
  /** By its names; a name may hold anything, so they are told apart as JSON. */
  private readonly shapes = new Map<string, Shape>();
  private readonly shapeOf: (Shape | null)[] = [];
  private readonly slots = new Map<string, number>();
  private readonly freeSlots: number[] = [];
  private lastShape = NO_SHAPE;
  private readonly recentShapes: Shape[] = [];
  /** What rows are searched by in columns whose values differ. */
  private ownTexts: SlotReader<string>[] = [];
  private readonly texts = new SearchText((slot) =>
    this.isTaken(slot) ? this.ownTexts.map((textOf) => textOf(slot)).join('\n') : '',
  );

  /** How many rows there are. */
  get size(): number {
    return this.slots.size;
  }

  /** Slots are numbers below this. */
  get slotCount(): number {
    return this.shapeOf.length;
  }

  isTaken(slot: number): boolean {
    return (this.shapeOf[slot] ?? null) !== null;
  }

  /** All slots that hold a row. */
  takenSlots(): Uint32Array {
    const slots = new Uint32Array(this.slotCount);
    let count = 0;
    for (let slot = 0; slot < slots.length; slot += 1) if (this.isTaken(slot)) slots[count++] = slot;
    return slots.subarray(0, count);
  }

  slotOf(id: string): number | undefined {
    return this.slots.get(id);
  }

  /** Undefined for a column that no row has. */
  column(name: string): Column | undefined {
    return this.columns.get(name);
  }

  valueAt(slot: number, name: string): unknown {
    return this.columns.get(name)?.valueAt(slot);
  }

  /** What a function makes of a column's value of each slot, made once for each value that repeats. */
  map<Result>(name: string, make: (value: unknown) => Result): SlotReader<Result> {
    const column = this.columns.get(name);
    if (column !== undefined) return column.map(make);
    const missing = make(undefined);
    return () => missing;
  }

  idAt(slot: number): string {
    return this.valueAt(slot, 'id') as string;
  }

  /** The row; null where there is none. */
  rowAt(slot: number): ReplicatedRow | null {
    const shape = this.shapeOf[slot] ?? null;
    if (shape === null) return null;
    const row: Record<string, unknown> = {};
    for (let at = 0; at < shape.names.length; at += 1)
      row[shape.names[at] ?? ''] = shape.columns[at]?.valueAt(slot);
    return row as ReplicatedRow;
  }

  /** The slots whose value in a column passes. */
  narrow(slots: Slots, name: string, test: (value: unknown) => boolean): Slots {
    const column = this.columns.get(name);
    if (column !== undefined) return column.narrow(slots, test);
    return test(undefined) ? slots : new Uint32Array(0);
  }

  /** The slots in whose row a word in small letters occurs; also in the columns that are named besides. */
  narrowToWord(slots: Slots, word: string, beside: readonly string[] = []): Slots {
    const marks = new Uint8Array(this.slotCount);
    for (const column of this.columns.values()) column.markWord(slots, word, marks);
    for (const name of beside) {
      const has = this.map(name, (value) => typeof value === 'string' && value.toLowerCase().includes(word));
      for (let at = 0; at < slots.length; at += 1) if (has(slots[at] ?? 0)) marks[slots[at] ?? 0] = 1;
    }
    this.searchText().mark(word, marks);
    return slotsWhere(slots, marks);
  }

  /** Prepares these slots for the first search. */
  warmSearch(from: number, end: number): void {
    this.searchText().warm(from, end);
  }

  /** How many of the slots have each value of a column. */
  count(slots: Slots, name: string): Map<unknown, number> {
    if (slots.length === 0) return new Map();
    return this.columns.get(name)?.count(slots) ?? new Map([[undefined, slots.length]]);
  }

  /** Answers with its slot. */
  put(row: ReplicatedRow): number {
    const known = this.slots.get(row.id);
    const slot = known ?? this.freeSlots.pop() ?? this.shapeOf.length;
    const shape = this.shapeFor(row);
    const before = this.shapeOf[slot] ?? shape;
    if (before !== shape) for (const column of before.columns) column.clear(slot);
    this.slots.set(row.id, slot);
    this.shapeOf[slot] = shape;
    const { size } = this;
    for (let at = 0; at < shape.names.length; at += 1)
      shape.columns[at]?.set(slot, row[shape.names[at] ?? ''], size);
    this.texts.touch(slot);
    return slot;
  }

  /** Answers with the slot that it had. */
  remove(id: string): number | undefined {
    const slot = this.slots.get(id);
    if (slot === undefined) return undefined;
    for (const column of this.shapeOf[slot]?.columns ?? []) column.clear(slot);
    this.shapeOf[slot] = null;
    this.slots.delete(id);
    this.freeSlots.push(slot);
    this.texts.touch(slot);
    return slot;
  }

  private searchText(): SearchText {
    const ownTexts = [...this.columns.values()].flatMap((column) => column.ownText ?? []);
    // A column whose values began to differ is searched here from now on.
    if (ownTexts.length !== this.ownTexts.length) this.texts.clear();
    this.ownTexts = ownTexts;
    return this.texts;
  }

  private shapeFor(row: ReplicatedRow): Shape {
    if (!isOfShape(row, this.lastShape))
      this.lastShape = this.recentShapes.find((shape) => isOfShape(row, shape)) ?? this.otherShape(row);
    return this.lastShape;
  }

  private otherShape(row: ReplicatedRow): Shape {
    const names = Object.keys(row);
    const key = JSON.stringify(names);
    const shape = this.shapes.get(key) ?? { names, columns: names.map((name) => this.columnOf(name)) };
    this.shapes.set(key, shape);
    this.recentShapes.unshift(shape);
    this.recentShapes.length = Math.min(this.recentShapes.length, RECENT_SHAPES);
    return shape;
  }

  private columnOf(name: string): Column {
    const column = this.columns.get(name) ?? new Column(searchedText(name));
    this.columns.set(name, column);
    return column;
  }
}
