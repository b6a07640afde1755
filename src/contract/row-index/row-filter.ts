/** Which rows pass a live question: of one row, and of all slots of a table at once. */
import type { Condition, LiveQuestion } from '../live-query.ts';
import type { Slots } from './column.ts';
import type { Entry } from './entry.ts';
import type { RowTable } from './row-table.ts';

type Asked = Pick<LiveQuestion, 'where' | 'search'>;

/** Only like with like: a row without the value is neither before nor after anything. */
function isComparable(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && (typeof a === 'string' || typeof a === 'number');
}

function valueTest(condition: Condition): (value: unknown) => boolean {
  switch (condition.op) {
    case 'eq':
      return (value) => (value ?? null) === condition.value;
    case 'not':
      return (value) => (value ?? null) !== condition.value;
    case 'gte':
      return (value) =>
        isComparable(value, condition.value) && (value as never) >= (condition.value as never);
    case 'lte':
      return (value) =>
        isComparable(value, condition.value) && (value as never) <= (condition.value as never);
    case 'in': {
      const values = new Set<unknown>(condition.values);
      return (value) => values.has(value ?? null);
    }
    case 'not-in': {
      const values = new Set<unknown>(condition.values);
      return (value) => !values.has(value ?? null);
    }
    case 'has':
      return (value) => Array.isArray(value) && value.includes(condition.value);
  }
}

function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** All conditions hold and all words occur. */
export function filterOf({ where, search }: Asked): (entry: Entry) => boolean {
  const words = wordsOf(search);
  const tests = where.map((condition) => [condition.field, valueTest(condition)] as const);
  return (entry) => {
    for (const [field, passes] of tests) if (!passes(entry.row[field])) return false;
    for (const word of words) if (!entry.text.includes(word)) return false;
    return true;
  };
}

/** The slots of a table that pass: column by column, so that each value that repeats is looked at once. */
export function narrowed(table: RowTable, from: Slots, { where, search }: Asked): Slots {
  let slots = from;
  for (const condition of where) slots = table.narrow(slots, condition.field, valueTest(condition));
  for (const word of wordsOf(search)) slots = table.narrowToWord(slots, word);
  return slots;
}
