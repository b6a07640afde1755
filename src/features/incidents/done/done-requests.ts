/** What joins the definition of done, as commands (spec 3 §2). */
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { addEvidenceRequest } from '../evidence/draft-request.ts';

interface Place {
  incidentId: string;
  hypothesisId: string;
  newId: () => string;
}

/** A script for each type of evidence; an empty one stands for 'by hand'. */
export type Scripts = Readonly<Record<string, string>>;

function scriptOf(type: string, scripts: Scripts): string | null {
  const script = (scripts[type] ?? '').trim();
  return type === 'comment' || script === '' ? null : script;
}

/** Evidence that the incident has already. */
export function joinRequest(
  incidentId: string,
  { id, type }: { id: string; type: string },
  scripts: Scripts,
): CommandRequest {
  const changes = { definition_of_done: true, script: scriptOf(type, scripts) };
  return { name: 'edit_evidence', args: { id, incidentId, changes } };
}

/** Evidence that is new. */
export function draftRequest(draft: EvidenceDraft, place: Place, scripts: Scripts): CommandRequest {
  const { incidentId, hypothesisId, newId } = place;
  const at = { id: newId(), incidentId, hypothesisId, isDone: true };
  const { name, args } = addEvidenceRequest(draft, at);
  return { name, args: { ...args, script: scriptOf(draft.type, scripts) } };
}

/** Something that a person does and then marks as resolved. */
export function manualRequest(
  { description, isDone }: { description: string; isDone: boolean },
  { incidentId, hypothesisId, newId }: Place,
): CommandRequest {
  const args = { id: newId(), incidentId, hypothesisId, type: 'comment' as const, description };
  return { name: 'add_evidence', args: { ...args, definition_of_done: true, done: isDone } };
}
