import type { HealthFrame, SyncStatus } from '../../contract/worker.ts';

/** True while what is on the device is on its way to the page; never for a device that has nothing to read. */
export function isBeingRead(
  { isLoaded }: Pick<HealthFrame, 'isLoaded'>,
  { firstLoad, connection, asOfMs }: Pick<SyncStatus, 'firstLoad' | 'connection' | 'asOfMs'>,
): boolean {
  const hasNothing = firstLoad !== null || (connection !== 'connecting' && asOfMs === null);
  return !isLoaded && !hasNothing;
}
