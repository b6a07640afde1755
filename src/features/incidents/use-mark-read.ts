import { useEffect, useRef } from 'react';
import { sendCommand } from '../../data/commands/commands.ts';
import { useUnread } from '../../data/queries/incidents/use-unread.ts';
import { useDevice } from '../../ui/Device.tsx';

/** Looked at for this many seconds, what is on the page counts as read; a glance on the way elsewhere doesn't. */
const LOOK_TICKS = 2;
/** While a lively incident is open, not every comment is a mark of its own. */
const GAP_MS = 10_000;

/** Keeps how far the user has read an incident, while `isShown` and somebody looks at the page. */
export function useMarkRead(incidentId: string, isShown: boolean): void {
  const device = useDevice();
  const newestAt = useUnread().newest.get(incidentId) ?? null;
  const sentMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!isShown || newestAt === null) return undefined;
    let ticks = 0;
    // Ticks come only while the page is visible.
    return device.onTick(() => {
      ticks += 1;
      const nowMs = device.now();
      if (ticks < LOOK_TICKS || nowMs - sentMs.current < GAP_MS) return;
      sentMs.current = nowMs;
      // What couldn't be kept on this device stays new, and is tried again.
      void sendCommand({
        name: 'mark_incident_read',
        args: { id: device.newId(), incidentId, readAt: newestAt },
      });
    });
  }, [device, incidentId, isShown, newestAt]);
}
