import { useEffect } from 'react';
import { whenIdle } from '../../data/client/platform.ts';
import { useAfterFirstLoad } from '../shell/use-after-first-load.ts';

/** Loads what a page leads to while nobody waits for anything else, so that it is there when it is pressed. */
export function useIdlePreload(preload: () => Promise<unknown>): void {
  const isTime = useAfterFirstLoad();
  useEffect(() => {
    // Without a network it is loaded, or missed, when it is pressed.
    if (isTime) whenIdle(() => void preload().catch(() => undefined));
  }, [isTime, preload]);
}
