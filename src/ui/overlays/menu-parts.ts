import { createContext, use, type ComponentType, type ReactNode } from 'react';

export interface MenuItemProps {
  icon?: ReactNode;
  /** Stands at the end of the line. */
  trailing?: ReactNode;
  children: ReactNode;
  /** Of items that choose one of several: the chosen one carries a tick. */
  isChecked?: boolean;
  /** Of one that is switched on and off by itself: it carries a tick while it is on. */
  isOn?: boolean;
  onSelect: () => void;
}

/** The parts of an open menu: they come with its panel, so that a page with closed menus does without them. */
export interface MenuParts {
  Item: ComponentType<MenuItemProps>;
  Label: ComponentType<{ className: string | undefined; children: ReactNode }>;
  Divider: ComponentType;
}

export const MenuPartsContext = createContext<MenuParts | null>(null);

/** What the menu around it is made of. */
export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === null) throw new Error('A part of a menu stands outside of one');
  return parts;
}
