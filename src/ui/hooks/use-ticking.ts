import { useSyncExternalStore } from 'react';
import { formatAge } from '../../domain/time/format.ts';
import { useDevice } from '../Device.tsx';

/** A text that depends on the clock: read each second, rendered anew only when it changes. */
export function useTicking(textAt: (nowMs: number) => string): string {
  const device = useDevice();
  return useSyncExternalStore(device.onTick, () => textAt(device.now()));
}

/** The age of an instant, such as `4m`; empty for none. */
export function useAge(atMs: number | null): string {
  return useTicking((nowMs) => (atMs === null || Number.isNaN(atMs) ? '' : formatAge(nowMs - atMs)));
}
