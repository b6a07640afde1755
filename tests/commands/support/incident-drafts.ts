/** For tests only: commands with plain arguments. */
import { id } from './command-device.ts';
import type { CommandDevice, Draft } from './command-device.ts';

export interface IncidentIds {
  incidentId: string;
  rootId: string;
}

export function createIncident(ids: IncidentIds, title = 'Shop is slow'): Draft {
  return { name: 'create_incident', args: { id: ids.incidentId, rootHypothesisId: ids.rootId, title } };
}

export async function newIncident(device: CommandDevice): Promise<IncidentIds> {
  const ids = { incidentId: id(), rootId: id() };
  await device.apply(createIncident(ids));
  return ids;
}

export function addHypothesis({ incidentId, rootId }: IncidentIds, hypothesisId: string): Draft {
  const args = { id: hypothesisId, incidentId, parentId: rootId, title: 'The cache is cold' };
  return { name: 'create_hypothesis', args };
}

export function addEvidence({ incidentId, rootId }: IncidentIds, evidenceId: string): Draft {
  const args = { id: evidenceId, incidentId, hypothesisId: rootId, type: 'comment', description: 'seen' };
  return { name: 'add_evidence', args };
}

export function addComment({ incidentId }: IncidentIds, commentId: string, comment = 'On it'): Draft {
  return { name: 'add_comment', args: { id: commentId, incidentId, comment } };
}

export function addPerson({ incidentId }: IncidentIds, responderId: string, personId: string): Draft {
  return { name: 'add_responder', args: { id: responderId, incidentId, type: 'person', personId } };
}

export function editIncident(
  incidentId: string,
  changes: Record<string, unknown>,
  basedOn: Record<string, unknown>,
): Draft {
  return { name: 'edit_incident', args: { id: incidentId, changes }, basedOn };
}
