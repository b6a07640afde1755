/**
 * For tests only: what two people may do to one incident at the same time, and, told apart from the product's own
 * code, what must become of the one that comes second (design §4 laws 3, 7).
 */
import { randomUUID } from 'node:crypto';
import type { Draft } from '../../commands/support/command-device.ts';

/** The incident that all of them are about. */
export interface Scene {
  incidentId: string;
  rootId: string;
  factorId: string;
  evidenceId: string;
  commentId: string;
  responderId: string;
  /** Persons who don't respond yet. */
  strangers: readonly [string, string];
}

export interface Rival {
  /** What the sender does, for the name of the test. */
  label: string;
  draft: (scene: Scene) => Draft;
  /** Things that must be there. */
  needs: readonly (keyof Scene)[];
  /** Things that it takes away for good. */
  removes?: readonly (keyof Scene)[];
  /** The field that it sets, and to what. */
  sets?: readonly [field: string, value: unknown];
}

const editIncident = (field: string, value: unknown, before: unknown): Rival => ({
  label: `${field} := ${String(value)}`,
  needs: ['incidentId'],
  sets: [`incident.${field}`, value],
  draft: ({ incidentId }) => ({
    name: 'edit_incident',
    args: { id: incidentId, changes: { [field]: value } },
    basedOn: { [field]: before },
  }),
});

const setStatus = (to: string): Rival => ({
  label: `status := ${to}`,
  needs: ['incidentId'],
  sets: ['incident.status', to],
  draft: ({ incidentId }) => ({ name: 'set_incident_status', args: { id: incidentId, from: 'open', to } }),
});

const editFactor = (field: string, value: unknown, before: unknown): Rival => ({
  label: `hypothesis ${field} := ${String(value)}`,
  needs: ['incidentId', 'factorId'],
  sets: [`factor.${field}`, value],
  draft: ({ incidentId, factorId }) => ({
    name: 'edit_hypothesis',
    args: { id: factorId, incidentId, changes: { [field]: value } },
    basedOn: { [field]: before },
  }),
});

const editEvidence = (field: string, value: unknown, before: unknown): Rival => ({
  label: `evidence ${field} := ${String(value)}`,
  needs: ['incidentId', 'evidenceId'],
  sets: [`evidence.${field}`, value],
  draft: ({ incidentId, evidenceId }) => ({
    name: 'edit_evidence',
    args: { id: evidenceId, incidentId, changes: { [field]: value } },
    basedOn: { [field]: before },
  }),
});

const editComment = (comment: string): Rival => ({
  label: `comment := ${comment}`,
  needs: ['incidentId', 'commentId'],
  sets: ['comment.comment', comment],
  draft: ({ incidentId, commentId }) => ({
    name: 'edit_comment',
    args: { id: commentId, incidentId, comment },
    basedOn: { comment: 'Seen' },
  }),
});

const addPerson = (which: 0 | 1): Rival => ({
  label: `responder ${which} comes`,
  needs: ['incidentId'],
  draft: ({ incidentId, strangers }) => ({
    name: 'add_responder',
    args: { id: randomUUID(), incidentId, type: 'person', personId: strangers[which] },
  }),
});

export const RIVALS: readonly Rival[] = [
  editIncident('title', 'Ada’s', 'Shop is slow'),
  editIncident('title', 'Bo’s', 'Shop is slow'),
  editIncident('severity', 'high', 'low'),
  editIncident('type', 'security', 'availability'),
  setStatus('mitigated'),
  setStatus('closed'),
  editFactor('title', 'Cold cache', 'Factor'),
  editFactor('status', 'disproven', 'possible'),
  editFactor('status', 'proven', 'possible'),
  {
    label: 'hypothesis goes',
    needs: [],
    removes: ['factorId', 'evidenceId', 'commentId'],
    draft: ({ incidentId, factorId }) => ({ name: 'delete_hypothesis', args: { id: factorId, incidentId } }),
  },
  {
    label: 'hypothesis below comes',
    needs: ['incidentId', 'factorId'],
    draft: ({ incidentId, factorId }) => ({
      name: 'create_hypothesis',
      args: { id: randomUUID(), incidentId, parentId: factorId, title: 'Below' },
    }),
  },
  editEvidence('definition_of_done', true, false),
  editEvidence('description', 'Seen twice', 'Seen once'),
  {
    label: 'evidence goes',
    needs: [],
    removes: ['evidenceId'],
    draft: ({ incidentId, evidenceId }) => ({
      name: 'delete_evidence',
      args: { id: evidenceId, incidentId },
    }),
  },
  {
    label: 'evidence comes',
    needs: ['incidentId', 'factorId'],
    draft: ({ incidentId, factorId }) => ({
      name: 'add_evidence',
      args: { id: randomUUID(), incidentId, hypothesisId: factorId, type: 'comment', description: 'New' },
    }),
  },
  editComment('Seen by Ada'),
  editComment('Seen by Bo'),
  {
    label: 'comment goes',
    needs: [],
    removes: ['commentId'],
    draft: ({ incidentId, commentId }) => ({ name: 'delete_comment', args: { id: commentId, incidentId } }),
  },
  {
    label: 'comment comes',
    needs: ['incidentId', 'factorId'],
    draft: ({ incidentId, factorId }) => ({
      name: 'add_comment',
      args: { id: randomUUID(), incidentId, hypothesisId: factorId, comment: 'Me too' },
    }),
  },
  addPerson(0),
  addPerson(1),
  {
    label: 'responder goes',
    needs: [],
    draft: ({ incidentId, responderId }) => ({
      name: 'remove_responder',
      args: { id: responderId, incidentId },
    }),
  },
];

/** The incident with all that hangs on it, taken away by an administrator. */
export const INCIDENT_GOES: Pick<Rival, 'label' | 'removes' | 'sets'> = {
  label: 'incident goes',
  removes: ['incidentId', 'rootId', 'factorId', 'evidenceId', 'commentId', 'responderId'],
};

/** Why the second is refused after the first was done; null when it is done as well. */
export function expectedRefusal(
  first: Pick<Rival, 'removes' | 'sets'>,
  second: Rival,
): 'gone' | 'precondition_failed' | null {
  // Who deletes wants it gone, which it is: a deletion needs nothing.
  if (second.needs.some((thing) => first.removes?.includes(thing) === true)) return 'gone';
  if (first.sets === undefined || second.sets === undefined) return null;
  const isRivalry = first.sets[0] === second.sets[0] && first.sets[1] !== second.sets[1];
  return isRivalry ? 'precondition_failed' : null;
}
