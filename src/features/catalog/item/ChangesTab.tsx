import { ChangesList } from '../changes/ChangesList.tsx';
import { useItem } from './item-context.tsx';

/** Changes of the item and, unless it is told otherwise, of what it leads to. */
export function ChangesTab() {
  const { facts } = useItem();
  return <ChangesList configId={facts.id} />;
}
