/** What somebody knows of and is not told of again: until it is well, or until a stated time. */
import { isRecord } from '../../lib/is-record.ts';

export const ACKNOWLEDGED_KINDS = ['check', 'config', 'component', 'incident'] as const;
export type AcknowledgedKind = (typeof ACKNOWLEDGED_KINDS)[number];

/** How long a snooze may last. */
export const LONGEST_SNOOZE_MS = 30 * 24 * 3_600_000;
/** What the button on a lock screen means. */
export const LOCK_SCREEN_SNOOZE_MS = 3_600_000;

/** Snoozes that are offered, by hours. */
export const SNOOZE_HOURS = [1, 4, 8, 24] as const;

export interface Acknowledgement {
  id: string;
  about: AcknowledgedKind;
  resourceId: string;
  personId: string;
  /** ISO; null until it is well again. */
  until: string | null;
  createdAt: string;
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A row of the feed as an acknowledgement; null for another row. */
export function acknowledgementOf(row: unknown): Acknowledgement | null {
  if (!isRecord(row) || row['kind'] !== 'acknowledgement') return null;
  const [id, resourceId, personId] = [text(row['id']), text(row['resource_id']), text(row['person_id'])];
  const about = ACKNOWLEDGED_KINDS.find((kind) => kind === row['about']);
  if (id === null || resourceId === null || personId === null || about === undefined) return null;
  const createdAt = text(row['created_at']) ?? '';
  return { id, about, resourceId, personId, until: text(row['until']), createdAt };
}

/** The one that counts now: the newest whose time is not over. */
export function activeAcknowledgement(
  all: readonly Acknowledgement[],
  nowMs: number,
): Acknowledgement | null {
  const active = all.filter(({ until }) => until === null || Date.parse(until) > nowMs);
  return active.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0] ?? null;
}
