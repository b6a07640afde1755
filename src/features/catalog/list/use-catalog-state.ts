/** The catalog's front as the link says it, with what this device remembers: pinned types, deleted items, columns. */
import { useCallback, useMemo, useState } from 'react';
import type { CatalogColumn } from '../../../contract/catalog-view.ts';
import { useDevice, type Device } from '../../../ui/Device.tsx';
import { useAskedText } from '../../../ui/hooks/use-search-text.ts';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { catalogSearch } from '../search-schemas.ts';
import { catalogLink, catalogState, type CatalogState } from './url-state.ts';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

/** The keys are those of former versions (contract §19.14). */
const HIDE_DELETED_KEY = 'areDeletedConfigsHidden';
const FAVORITES_KEY = 'configTypesFavorites';
const COLUMNS_KEY = 'catalogColumns';
/** Shown only by choice (spec 2 §2: hidden Deleted At and Changed). */
export const EXTRA_COLUMNS: readonly CatalogColumn[] = ['deleted_at', 'changed'];

/** A list of names; former versions wrote favourites as an object of flags. */
function parseNames(text: string | null): string[] {
  const value = jsonOrNull(text);
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === 'string');
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, isOn]) => (isOn === true ? [name] : []));
}

function isHidden(device: Device): boolean {
  const text = device.readSetting(HIDE_DELETED_KEY);
  return text === null || !['no', 'false', '"no"'].includes(text);
}

export interface Habits {
  hideDeleted: boolean;
  setHideDeleted: (isHidden: boolean) => void;
  favorites: readonly string[];
  toggleFavorite: (type: string) => void;
  extraColumns: readonly CatalogColumn[];
  toggleColumn: (column: CatalogColumn) => void;
}

function toggled<T>(list: readonly T[], one: T): T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}

/** What this device remembers of how its user looks at the catalog. */
export function useHabits(): Habits {
  const device = useDevice();
  const [hideDeleted, setHidden] = useState(() => isHidden(device));
  const [favorites, setFavorites] = useState(() => parseNames(device.readSetting(FAVORITES_KEY)));
  const [extraColumns, setColumns] = useState(() => {
    const names = parseNames(device.readSetting(COLUMNS_KEY));
    return EXTRA_COLUMNS.filter((column) => names.includes(column));
  });
  return {
    hideDeleted,
    setHideDeleted: (next) => {
      device.writeSetting(HIDE_DELETED_KEY, next ? 'yes' : 'no');
      setHidden(next);
    },
    favorites,
    toggleFavorite: (type) => {
      const next = toggled(favorites, type);
      device.writeSetting(FAVORITES_KEY, JSON.stringify(next));
      setFavorites(next);
    },
    extraColumns,
    toggleColumn: (column) => {
      const next = toggled(extraColumns, column);
      device.writeSetting(COLUMNS_KEY, JSON.stringify(next));
      setColumns(next);
    },
  };
}

export type UpdateCatalog = (change: Partial<CatalogState>, isReplacing?: boolean) => void;

/** Reads the state with the search text as it is typed, and changes it. */
export function useCatalogState() {
  const [linkedSearch, change] = useSearchState(catalogSearch);
  const linked = useMemo(() => catalogState(linkedSearch), [linkedSearch]);
  const link = useCallback(
    (text: string) => change(catalogLink({ ...linked, search: text })),
    [linked, change],
  );
  const { seed, seedId, readText, setText } = useAskedText(linked.search, link);
  const readState = useCallback(() => ({ ...linked, search: readText() }), [linked, readText]);
  const update: UpdateCatalog = useCallback(
    (part, isReplacing = true) => change(catalogLink({ ...readState(), ...part }), { isReplacing }),
    [readState, change],
  );
  return { readState, update, box: { seed, seedId, setText } };
}
