/** Orders of components (contract §5): by name, type, time, health, a property's value, or as their document has them. */
import type { ComponentRow } from './store/components-query.ts';

const FIELD = 'field:';
/** Worst last, so that descending begins with it. */
const RANKS = ['info', 'healthy', 'warning', 'unhealthy'];

interface Sorting {
  by: string;
  order: string;
  healthOf: (row: ComponentRow) => string;
}

type SortKey = string | number | null;

function propertyOf(row: ComponentRow, name: string): SortKey {
  const properties: unknown[] = Array.isArray(row.properties) ? row.properties : [];
  const found = properties.find(
    (property) => typeof property === 'object' && property !== null && Reflect.get(property, 'name') === name,
  );
  if (typeof found !== 'object' || found === null) return null;
  const value: unknown = Reflect.get(found, 'value') ?? Reflect.get(found, 'text');
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function keyOf(row: ComponentRow, { by, healthOf }: Sorting): SortKey {
  if (by.startsWith(FIELD)) return propertyOf(row, by.slice(FIELD.length));
  switch (by) {
    case 'type':
      return row.type;
    case 'updated_at':
      return row.updated_at;
    case 'status':
      return RANKS.indexOf(healthOf(row));
    case 'name':
      return row.name;
    default:
      return row.order;
  }
}

function compare(a: SortKey, b: SortKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

/** Those to which the document gives a place come first, then by name. */
function compareEquals(a: ComponentRow, b: ComponentRow): number {
  const places = (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY);
  return places || compare(a.name, b.name);
}

/** Sorts copies; what has no such value comes last in either direction, equals stand as their document has them. */
export function sorterOf(sorting: Sorting): (rows: ComponentRow[]) => ComponentRow[] {
  const sign = sorting.order === 'desc' ? -1 : 1;
  return (rows) => {
    const keyed = rows.map((row) => ({ row, key: keyOf(row, sorting) }));
    return keyed
      .toSorted((a, b) => {
        if (a.key === null || b.key === null)
          return Number(a.key === null) - Number(b.key === null) || compareEquals(a.row, b.row);
        return sign * compare(a.key, b.key) || compareEquals(a.row, b.row);
      })
      .map(({ row }) => row);
  };
}
