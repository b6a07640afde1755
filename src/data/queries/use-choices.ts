import type { LiveQuestion } from '../../contract/live-query.ts';
import { useLiveQuery } from './use-live-query.ts';

/** As many as a dialog shows (spec 2 §2); others are found by a search. */
const SHOWN = 50;

interface Choices {
  /** By name; null while they are not known. */
  choices: readonly { id: string; name: string; aside: string | null; thing: Thing }[] | null;
  /** How many match. */
  total: number;
}
interface Thing {
  kind: 'config' | 'component';
  id: string;
}

const KINDS = { configs: 'config', components: 'component' } as const;

/** What a dialog offers of a collection, for a search. */
export function useChoices(
  collection: keyof typeof KINDS,
  { where, search }: Pick<LiveQuestion, 'where' | 'search'>,
): Choices {
  const { rows, total, isLoaded } = useLiveQuery({
    collection,
    where,
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: SHOWN },
  });
  const choices = rows.map(({ id, row }) => ({
    id,
    name: row.name ?? id,
    aside: row.type ?? null,
    thing: { kind: KINDS[collection], id },
  }));
  return { choices: isLoaded ? choices : null, total };
}
