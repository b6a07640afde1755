/** A row as it is shown, with what it is searched by. Never changed, only replaced. */
import type { ReplicatedRow } from '../collections.ts';
import type { Pending } from '../live-query.ts';

export interface Entry {
  readonly row: ReplicatedRow;
  readonly pending: Pending;
  /** Lower case; words are looked for in it. */
  readonly text: string;
}

const SEARCHED = [
  'name',
  'title',
  'description',
  'comment',
  'summary',
  'type',
  'change_type',
  'namespace',
  'id',
  'incident_id',
  'external_id',
  'definition',
] as const;

/** What comes after is not searched: a pasted log would cost every search its time. */
const MAX_VALUE_CHARS = 2000;
/** What a playbook does is looked for in all of it: there are few of them. */
const MAX_DEFINITION_CHARS = 100_000;

function addText(parts: string[], value: unknown): void {
  if (typeof value === 'string' && value !== '') parts.push(value.slice(0, MAX_VALUE_CHARS));
  else if (typeof value === 'number') parts.push(String(value));
  else if (Array.isArray(value)) for (const one of value) addText(parts, one);
}

function addPairs(parts: string[], value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    addText(parts, value);
    return;
  }
  for (const [key, one] of Object.entries(value)) parts.push(`${key}=${String(one)}`);
}

const PAIRS = ['labels', 'tags'] as const;
const OWN: ReadonlySet<string> = new Set(SEARCHED);

/** How a column is searched; null for one that isn't. */
export function searchedText(column: string): ((value: unknown) => string) | null {
  const isPairs = column === 'labels' || column === 'tags';
  if (!isPairs && !OWN.has(column)) return null;
  const add = isPairs ? addPairs : addText;
  const maxChars = column === 'definition' ? MAX_DEFINITION_CHARS : MAX_VALUE_CHARS;
  return (value) => {
    if (typeof value === 'string') return value.slice(0, maxChars);
    const parts: string[] = [];
    add(parts, value);
    return parts.join('\n');
  };
}

function textOf(row: ReplicatedRow): string {
  const parts: string[] = [];
  for (const field of SEARCHED) addText(parts, row[field]);
  for (const field of PAIRS) addPairs(parts, row[field]);
  return parts.join('\n').toLowerCase();
}

/** The text is made when somebody looks for words in it. */
class RowEntry implements Entry {
  readonly row: ReplicatedRow;
  readonly pending: Pending;
  private known: string | null = null;

  constructor(row: ReplicatedRow, pending: Pending) {
    this.row = row;
    this.pending = pending;
  }

  get text(): string {
    this.known ??= textOf(this.row);
    return this.known;
  }
}

/** A row with what its pending commands say. */
export function entryOf(row: ReplicatedRow, pending: Pending): Entry {
  return new RowEntry(row, pending);
}
