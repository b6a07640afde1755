import { useEffect } from 'react';
import { healWall, repeat } from '../../data/device/platform-wall.ts';
import { StartingScreen } from '../gate/screens.tsx';

/** A start takes seconds; a power cut can leave what never ends. */
const STUCK_MS = 30_000;

/** The wall before it is known what it shows. Nobody is there to press a button, so it never stands here for long. */
export function WallStarting({ afterMs = STUCK_MS }: { afterMs?: number }) {
  useEffect(() => {
    let isFirst = true;
    return repeat(afterMs, async () => {
      if (!isFirst) await healWall();
      isFirst = false;
    });
  }, [afterMs]);
  return <StartingScreen />;
}
