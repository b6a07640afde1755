/** The rules of a specification on changes that storing itself finds (`transform.changes`, schema §5.2). */
import type { ItemRow } from '../items/items-query.ts';
import type { NewChange } from './store-changes.ts';

/** What a diff is called after the rules; null when it does not count. */
export type MapDiff = (
  diff: Pick<NewChange, 'changeType' | 'severity' | 'source' | 'summary' | 'patches' | 'diff'>,
  item: Record<string, unknown>,
) => Promise<Pick<NewChange, 'changeType' | 'severity' | 'summary'> | null>;

interface Found {
  row: ItemRow;
  changes: NewChange[];
}

/** The changes of each item with its diffs mapped; `ignored` gets the types of those that don't count. */
export async function mapDiffs<Entry extends Found>(
  found: readonly Entry[],
  mapDiff: MapDiff | undefined,
  ignored: string[],
): Promise<Entry[]> {
  if (mapDiff === undefined) return [...found];
  const mapped: Entry[] = [];
  for (const entry of found) {
    const changes: NewChange[] = [];
    for (const change of entry.changes) {
      const { type, name, labels, tags, config, external_id: ids } = entry.row;
      const said =
        change.changeType === 'diff'
          ? await mapDiff(change, { config_type: type, external_id: ids[0], name, labels, tags, config })
          : change;
      if (said === null) ignored.push(type);
      else changes.push({ ...change, ...said });
    }
    mapped.push({ ...entry, changes });
  }
  return mapped;
}
