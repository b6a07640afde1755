/**
 * Linking as commands: the incident if it is new, the hypothesis if it is new, then each evidence. They share ids,
 * so the outbox keeps their order, and what hangs on something refused is held back with it (design §4 law 8).
 */
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { INCIDENT_SEVERITIES, INCIDENT_TYPES } from '../../../domain/incident/incident.ts';
import { addEvidenceRequest } from '../evidence/draft-request.ts';
import type { LinkValues } from './link-schema.ts';

interface Wanted {
  values: LinkValues;
  drafts: readonly EvidenceDraft[];
  /** The root of the incident that was chosen, where it has one. */
  rootId: string | null;
  newId: () => string;
}

export interface LinkPlan {
  incidentId: string;
  requests: CommandRequest[];
}

/** What has to be sent, in order; null while the choices are incomplete. */
export function linkPlan({ values, drafts, rootId, newId }: Wanted): LinkPlan | null {
  const { incident, hypothesis } = values;
  if (incident === null) return null;
  const requests: CommandRequest[] = [];
  const isNew = incident.kind === 'new';
  const incidentId = isNew ? newId() : incident.id;
  const root = isNew ? newId() : rootId;
  if (isNew && root !== null) {
    requests.push({
      name: 'create_incident',
      args: {
        id: incidentId,
        rootHypothesisId: root,
        title: incident.title,
        type: INCIDENT_TYPES.find((type) => type === values.type),
        severity: INCIDENT_SEVERITIES.find((severity) => severity === values.severity),
      },
    });
  }
  let hypothesisId = isNew ? root : null;
  if (hypothesis?.kind === 'existing') hypothesisId = hypothesis.id;
  if (hypothesis?.kind === 'new') {
    hypothesisId = newId();
    const place = { parentId: root, type: root === null ? ('root' as const) : ('factor' as const) };
    const args = { id: hypothesisId, incidentId, title: hypothesis.title, ...place };
    requests.push({ name: 'create_hypothesis', args });
  }
  if (hypothesisId === null) return null;
  for (const draft of drafts)
    requests.push(addEvidenceRequest(draft, { id: newId(), incidentId, hypothesisId }));
  return { incidentId, requests };
}
