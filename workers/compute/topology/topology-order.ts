/**
 * The order of cards (spec 2 §2): by health, name, type, time, or a headline property. What is equal in that stands as the
 * document has it (schema §6.1, `order`), then by name.
 */
import type { HealthState } from '../../../src/domain/check/health.ts';
import { propertiesOf } from '../../../src/domain/topology/property.ts';
import type { RowTable } from '../../../src/contract/row-index/row-table.ts';
import type { TopologyModel } from './topology-model.ts';

const FIELD = 'field:';
const RANKS: Readonly<Record<HealthState, number>> = { unhealthy: 4, warning: 3, unknown: 2, healthy: 1 };
const INFO_RANK = 0;

type SortKey = string | number | null;

/** Worst highest; what is for information only comes last. */
export function healthRank(model: TopologyModel, id: string): number {
  const { state, status } = model.shown(id);
  return state === 'unknown' && status === 'info' ? INFO_RANK : RANKS[state];
}

function propertyKey(table: RowTable, id: string, name: string): SortKey {
  const slot = table.slotOf(id);
  const column = slot === undefined ? null : table.valueAt(slot, 'properties');
  const found = propertiesOf(column).find((property) => property.name === name);
  if (found === undefined) return null;
  const { value, text } = found;
  if (typeof value === 'number') return value;
  const number = Number(value ?? text ?? Number.NaN);
  return Number.isFinite(number) ? number : (value ?? text);
}

function keyReader(model: TopologyModel, sortBy: string): (id: string) => SortKey {
  const { table, nodes } = model;
  if (sortBy.startsWith(FIELD)) return (id) => propertyKey(table, id, sortBy.slice(FIELD.length));
  switch (sortBy) {
    case 'name':
      return () => null;
    case 'type':
      return (id) => nodes.get(id)?.component.type ?? null;
    case 'updated_at':
      return (id) => {
        const at = table.valueAt(table.slotOf(id) ?? -1, 'updated_at');
        return typeof at === 'string' ? Date.parse(at) : null;
      };
    default:
      return (id) => healthRank(model, id);
  }
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [String(a), String(b)];
  return Number(x > y) - Number(x < y);
}

const comparePlaces = (a: number, b: number) => Number(a > b) - Number(a < b);

/** A copy in order; what has no such value comes last in either direction. */
export function inOrder(
  model: TopologyModel,
  ids: readonly string[],
  { sortBy, isDescending }: { sortBy: string; isDescending: boolean },
): string[] {
  const sign = isDescending ? -1 : 1;
  const nameSign = sortBy === 'name' ? sign : 1;
  const keyOf = keyReader(model, sortBy);
  const keyed = ids.map((id) => {
    const { sortName = id, order = Number.POSITIVE_INFINITY } = model.nodes.get(id) ?? {};
    return { id, key: keyOf(id), name: sortName, place: sortBy === 'name' ? 0 : order };
  });
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) {
        if (a.key !== b.key) return Number(a.key === null) - Number(b.key === null);
      } else {
        const order = sign * compareKeys(a.key, b.key);
        if (order !== 0) return order;
      }
      return (
        comparePlaces(a.place, b.place) || nameSign * compareKeys(a.name, b.name) || compareKeys(a.id, b.id)
      );
    })
    .map(({ id }) => id);
}

/** The components right under one, worst first. */
export function worstFirst(model: TopologyModel, ids: readonly string[]): string[] {
  return inOrder(model, ids, { sortBy: 'status', isDescending: true });
}
