import { WallStarting } from './WallStarting.tsx';

const RETRY_MS = 10_000;

/** Something on the wall's page failed: nobody is there to press a button, so it is loaded again until it works. */
export function WallCrashed() {
  return <WallStarting afterMs={RETRY_MS} />;
}
