/** Colour scheme and density: remembered on this device, under the keys that index.html reads before paint. */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { applyDensity, readSetting, writeSetting } from './platform.ts';

export type Density = 'compact' | 'comfortable';

const SCHEME_KEY = 'colorScheme';
const DENSITY_KEY = 'density';

const isScheme = (text: string | null): text is MantineColorScheme =>
  text === 'light' || text === 'dark' || text === 'auto';

export const colorSchemeManager: MantineColorSchemeManager = {
  get(fallback) {
    const kept = readSetting(SCHEME_KEY);
    return isScheme(kept) ? kept : fallback;
  },
  set: (value) => writeSetting(SCHEME_KEY, value),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => writeSetting(SCHEME_KEY, 'auto'),
};

interface DensityValue {
  density: Density;
  setDensity: (density: Density) => void;
}

const DensityContext = createContext<DensityValue>({ density: 'compact', setDensity: () => {} });

/** Compact unless this device remembers otherwise. */
export function DensityProvider({ children }: { children: ReactNode }) {
  const [density, setKept] = useState<Density>(() =>
    readSetting(DENSITY_KEY) === 'comfortable' ? 'comfortable' : 'compact',
  );
  const setDensity = useCallback((next: Density) => {
    writeSetting(DENSITY_KEY, next);
    applyDensity(next);
    setKept(next);
  }, []);
  const value = useMemo(() => ({ density, setDensity }), [density, setDensity]);
  return <DensityContext value={value}>{children}</DensityContext>;
}

/** The density and how to change it. */
export function useDensity(): DensityValue {
  return useContext(DensityContext);
}
