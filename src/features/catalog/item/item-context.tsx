import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';
import type { ConfigDetail } from '../../../contract/http/catalog/config-item.ts';
import type { Loadable } from '../../../data/client/loadable.ts';
import type { ItemFacts } from './item-facts.ts';

export interface Item {
  facts: ItemFacts;
  detail: Loadable<ConfigDetail>;
}

const ItemContext = createContext<Item | null>(null);

/** Gives the item of the page to all its parts. */
export function ItemProvider({ item, children }: { item: Item; children: ReactNode }) {
  return <ItemContext value={item}>{children}</ItemContext>;
}

/** The item whose page this is; for what the page shows. */
export function useItem(): Item {
  const item = useContext(ItemContext);
  if (item === null) throw new Error('Only shown within an item’s page');
  return item;
}
