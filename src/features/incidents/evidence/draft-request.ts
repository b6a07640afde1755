import { z } from 'zod';
import type { CommandRequest } from '../../../contract/commands/all-commands.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';

interface Place {
  /** Of the evidence that is made. */
  id: string;
  incidentId: string;
  hypothesisId: string;
}

/** A draft as the command that attaches it; what JSON can't say of its memory is left out. */
export function addEvidenceRequest(
  draft: EvidenceDraft,
  { isDone = false, ...place }: Place & { isDone?: boolean },
): Extract<CommandRequest, { name: 'add_evidence' }> {
  const { evidence, ...rest } = draft;
  const memory = evidence === undefined ? null : z.json().parse(JSON.parse(JSON.stringify(evidence)));
  return { name: 'add_evidence', args: { ...place, ...rest, evidence: memory, definition_of_done: isDone } };
}
