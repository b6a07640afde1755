import type { SearchProps } from '../../../ui/tables/use-table-state.ts';
import { ChangesList } from '../changes/ChangesList.tsx';
import { useItem } from './item-context.tsx';

/** Changes of the item and, unless it is told otherwise, of what it leads to. */
export function ChangesTab(props: SearchProps) {
  const { facts } = useItem();
  return <ChangesList {...props} configId={facts.id} />;
}
