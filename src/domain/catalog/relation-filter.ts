/** Which related items pass the filters of the relationships page (spec 3 §2; tri-states as in contract §19.1). */
import { unwanted, wanted, type TriState } from '../tri-state.ts';

export interface FilteredItem {
  type: string;
  status: string | null;
  health: string | null;
  labels: Readonly<Record<string, string>>;
  tags: Readonly<Record<string, string>>;
  deletedAt: string | null;
}

export interface RelationFilter {
  hidesDeleted: boolean;
  types: TriState;
  labels: TriState;
  statuses: TriState;
  healths: TriState;
  tag: { key: string; value: string } | null;
}

type Passes = (item: FilteredItem) => boolean;

/** Health that nobody knows is `unknown` (schema §5.6). */
export function healthValue(health: string | null): string {
  return health === null || health === '' ? 'unknown' : health;
}

function oneOf(filter: TriState, valueOf: (item: FilteredItem) => string): Passes | null {
  const [yes, no] = [new Set(wanted(filter)), new Set(unwanted(filter))];
  if (yes.size === 0 && no.size === 0) return null;
  return (item) => {
    const value = valueOf(item);
    return (yes.size === 0 || yes.has(value)) && !no.has(value);
  };
}

function pairOf(text: string): [key: string, value: string] {
  const at = text.indexOf(':');
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** One value of each wanted key, none of the unwanted. */
function labelled(filter: TriState): Passes | null {
  const yes = new Map<string, Set<string>>();
  for (const text of wanted(filter)) {
    const [key, value] = pairOf(text);
    yes.set(key, (yes.get(key) ?? new Set()).add(value));
  }
  const no = unwanted(filter).map(pairOf);
  if (yes.size === 0 && no.length === 0) return null;
  return ({ labels }) =>
    [...yes].every(([key, values]) => values.has(labels[key] ?? '')) &&
    no.every(([key, value]) => labels[key] !== value);
}

/** The filter as one test. */
export function relationTest(filter: RelationFilter): Passes {
  const { tag } = filter;
  const tests: Passes[] = [
    filter.hidesDeleted ? (item: FilteredItem) => item.deletedAt === null : null,
    oneOf(filter.types, (item) => item.type),
    oneOf(filter.statuses, (item) => item.status ?? ''),
    oneOf(filter.healths, (item) => healthValue(item.health)),
    labelled(filter.labels),
    tag === null ? null : ({ tags }: FilteredItem) => tags[tag.key] === tag.value,
  ].filter((test) => test !== null);
  return (item) => tests.every((test) => test(item));
}
