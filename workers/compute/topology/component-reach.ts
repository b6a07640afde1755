/** Which components and items the counts of a component are about: its own and those of everything under it. */
import type { ComponentReach } from '../../../src/contract/topology-view.ts';
import { textsOf } from './component-nodes.ts';
import { valueOf } from './topology-cards.ts';
import type { TopologyModel } from './topology-model.ts';

/** In an order that stays while the same are under it; of an unknown component nothing. */
export function componentReach(model: TopologyModel, id: string): ComponentReach {
  const isLoaded = model.isLoaded();
  if (!isLoaded || !model.nodes.has(id)) return { isLoaded, componentIds: [], configIds: [] };
  const reached = new Set([id]);
  // A set that grows while it is walked: each id once.
  for (const one of reached) for (const child of model.childIds(one)) reached.add(child);
  const configIds = new Set([...reached].flatMap((one) => textsOf(valueOf(model, one, 'config_ids'))));
  return { isLoaded, componentIds: [...reached].toSorted(), configIds: [...configIds].toSorted() };
}
