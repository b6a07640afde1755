/** Numbers of the storage page in words. */
import { collectionSchema } from '../../contract/collection-rows.ts';
import { formatDuration } from '../../domain/time/format.ts';
import { messages } from './messages.ts';

const STEP = 1000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`: one decimal below ten, none above. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit === 0 || value >= 10 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** A collection's name for people; a name that this version doesn't know stays as it is. */
export function collectionText(name: string): string {
  const known = collectionSchema.safeParse(name);
  return known.success ? messages.names[known.data] : name;
}

/** Less is within what a round trip can tell. */
const CLOCK_TOLERANCE_MS = 2000;

/** How the device's clock stands to the server's; `offsetMs` is server − device. */
export function clockText(offsetMs: number): string {
  if (Math.abs(offsetMs) <= CLOCK_TOLERANCE_MS) return messages.clockRight;
  return messages.clockOff(formatDuration(Math.abs(offsetMs)), offsetMs > 0);
}
