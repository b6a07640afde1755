/** The question of the relationships page, out of its address and of what this device remembers. */
import type { RelationsFace, RelationsQuestion } from '../../../contract/relations.ts';
import type { RelationsState } from './url-state.ts';

/** Deleted items are left out until somebody says otherwise. */
export const HIDE_DELETED = { key: 'areDeletedConfigsHidden', options: ['yes', 'no'] } as const;

/** What isn't filtered is left out of it. */
export function questionOf(
  configId: string,
  state: RelationsState,
  view: { face: RelationsFace; hidesDeleted: boolean },
): RelationsQuestion {
  const { isIncoming, isOutgoing, isSoft, types, labels, statuses, healths, tag } = state;
  const walk = { isIncoming, isOutgoing, isSoft, maxDepth: state.depth };
  return { configId, ...walk, types, labels, statuses, healths, tag, ...view };
}
