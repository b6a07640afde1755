/** What a command is about, by a name for people. Arguments are read loosely: every command names it alike. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import { ACKNOWLEDGED_COLLECTION } from '../../../src/contract/commands/acknowledge-commands.ts';
import { ACKNOWLEDGED_KINDS } from '../../../src/domain/notification/acknowledgement.ts';
import { recordOf } from '../../../src/lib/is-record.ts';

export interface ItemSubject {
  collection: 'incidents' | 'checks' | 'configs' | 'components';
  id: string;
}

/** Of an acknowledgement. */
function resourceSubject(kind: unknown, id: string): ItemSubject | null {
  const named = ACKNOWLEDGED_KINDS.find((one) => one === kind);
  return named === undefined ? null : { collection: ACKNOWLEDGED_COLLECTION[named], id };
}

/** The incident or check that a command is about; null when it names none. */
export function subjectOf(args: unknown): ItemSubject | null {
  const { checkId, incidentId, id, kind, resourceId } = recordOf(args);
  if (typeof resourceId === 'string') return resourceSubject(kind, resourceId);
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
