/** Which rows pass a live question. */
import type { Condition, LiveQuestion } from '../../../src/contract/live-query.ts';
import type { Entry } from './entry.ts';

type Passes = (entry: Entry) => boolean;

/** Only like with like: a row without the value is neither before nor after anything. */
function isComparable(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && (typeof a === 'string' || typeof a === 'number');
}

function passesCondition(condition: Condition): Passes {
  const { field } = condition;
  switch (condition.op) {
    case 'eq':
      return ({ row }) => (row[field] ?? null) === condition.value;
    case 'not':
      return ({ row }) => (row[field] ?? null) !== condition.value;
    case 'gte':
      return ({ row }) =>
        isComparable(row[field], condition.value) && (row[field] as never) >= (condition.value as never);
    case 'lte':
      return ({ row }) =>
        isComparable(row[field], condition.value) && (row[field] as never) <= (condition.value as never);
    case 'in': {
      const values = new Set<unknown>(condition.values);
      return ({ row }) => values.has(row[field] ?? null);
    }
    case 'not-in': {
      const values = new Set<unknown>(condition.values);
      return ({ row }) => !values.has(row[field] ?? null);
    }
  }
}

/** All conditions hold and all words occur. Asked of every row at each keystroke, so it is kept plain. */
export function filterOf({ where, search }: Pick<LiveQuestion, 'where' | 'search'>): Passes {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const tests = where.map(passesCondition);
  return (entry) => {
    for (const passes of tests) if (!passes(entry)) return false;
    for (const word of words) if (!entry.text.includes(word)) return false;
    return true;
  };
}
