/** What a command is about, by a name for people. Arguments are read loosely: every command names it alike. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { recordOf } from '../../../src/lib/is-record.ts';

export interface ItemSubject {
  collection: 'incidents' | 'checks';
  id: string;
}

/** The incident or check that a command is about; null when it names none. */
export function subjectOf(args: unknown): ItemSubject | null {
  const { checkId, incidentId, id } = recordOf(args);
  if (typeof checkId === 'string') return { collection: 'checks', id: checkId };
  const incident = typeof incidentId === 'string' ? incidentId : id;
  return typeof incident === 'string' ? { collection: 'incidents', id: incident } : null;
}

/** Number and title, or the name; null where it has none. */
export function nameOf(row: ReplicatedRow | null): string | null {
  const { incident_id: number, title, name } = recordOf(row);
  const words = [number, title ?? name].filter((word) => typeof word === 'string' && word !== '');
  return words.length === 0 ? null : words.join(' ');
}
