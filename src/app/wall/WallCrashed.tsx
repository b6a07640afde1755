import { useEffect } from 'react';
import { reloadIfServed, repeat } from '../../data/device/platform-wall.ts';
import { StartingScreen } from '../gate/screens.tsx';

const RETRY_MS = 10_000;

/** Something on the wall's page failed: nobody is there to press a button, so it is loaded again until it works. */
export function WallCrashed() {
  useEffect(() => repeat(RETRY_MS, reloadIfServed), []);
  return <StartingScreen />;
}
