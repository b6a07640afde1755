/** A subject that has a health: how it is now beside how it was when it was attached. */
import { useLiveRow } from '../../../data/queries/use-live-row.ts';
import { changedSince, readSnapshot } from '../../../domain/incident/evidence-snapshot.ts';
import { messages } from './messages.ts';

/** `row` is null when the subject isn't there any more, undefined until it was looked for. */
export function useHealthSubject<Collection extends 'configs' | 'components'>(
  collection: Collection,
  { id, evidence }: { id: string | null; evidence: unknown },
) {
  const found = useLiveRow(collection, id ?? '');
  const before = readSnapshot(evidence);
  const now = found?.row ?? before;
  return {
    row: found && found.row,
    before,
    now,
    name: now.name ?? (found === undefined ? messages.loadingName : id) ?? messages.unnamed,
    hasChanged: found ? changedSince(before, found.row, ['health', 'status']).length > 0 : false,
  };
}
