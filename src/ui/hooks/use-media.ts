/** Media queries that hold or not, each asked of the browser once: rows and pages look at them whenever they are drawn. */
import { createContext, useContext, useSyncExternalStore } from 'react';

interface MediaStore {
  get: () => boolean;
  subscribe: (listener: () => void) => () => void;
}

const stores = new Map<string, MediaStore>();

function storeOf(query: string): MediaStore {
  const known = stores.get(query);
  if (known !== undefined) return known;
  const list = window.matchMedia(query);
  const store: MediaStore = {
    get: () => list.matches,
    subscribe: (listener) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
  };
  stores.set(query, store);
  return store;
}

/**
 * How much room there is for parts that share the screen with a pane beside them: `narrow` is no wider than a hand-held
 * screen, and they take that form; in `half` of it there is none for what needs a wide one.
 */
export const Pane = createContext<'whole' | 'half' | 'narrow'>('whole');

function isSoInPane(query: string, pane: 'half' | 'narrow', isSo: boolean): boolean {
  if (query === WIDE || query === ROOMY) return false;
  return isSo || (pane === 'narrow' && query === PHONE);
}

/** True while the media query holds. */
export function useMedia(query: string): boolean {
  const pane = useContext(Pane);
  const { subscribe, get } = storeOf(query);
  const isSo = useSyncExternalStore(subscribe, get);
  return pane === 'whole' ? isSo : isSoInPane(query, pane, isSo);
}

/** A hand-held screen: rows take two lines, filters come from below. */
export const PHONE = '(max-width: 719px)';
/** Wide enough for the filter panel to stand beside the list. */
export const WIDE = '(min-width: 1280px)';
/** Room for all controls above the list. */
export const ROOMY = '(min-width: 1100px)';
/** A tablet that lies: what was chosen in a list stands beside it. */
export const BESIDE = '(min-width: 1024px) and (orientation: landscape) and (pointer: coarse)';
const COARSE = '(pointer: coarse)';

const ROW_PX = { compact: 36, comfortable: 44 };
const TOUCH_ROW_PX = { compact: 44, comfortable: 52 };
const PHONE_ROW_PX = { compact: 60, comfortable: 68 };

/** Height of a list row, px: what lists need to know before they measure anything. */
export function useRowHeight(density: 'compact' | 'comfortable'): number {
  const isPhone = useMedia(PHONE);
  const isCoarse = useMedia(COARSE);
  if (isPhone) return PHONE_ROW_PX[density];
  return isCoarse ? TOUCH_ROW_PX[density] : ROW_PX[density];
}
