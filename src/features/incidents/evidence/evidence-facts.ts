import { EVIDENCE_TYPES } from '../../../domain/incident/incident.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import type { RecordOf } from '../use-records.ts';

/** What the body of an evidence needs, of one that is attached or of one that is about to be. */
export interface EvidenceFacts {
  type: string;
  description: string;
  evidence: unknown;
  /** ISO; null for what isn't attached yet. */
  attachedAt: string | null;
  configId: string | null;
  changeId: string | null;
  insightId: string | null;
  componentId: string | null;
  checkId: string | null;
}

/** The facts of an evidence of an incident. */
export function factsOfRow(row: RecordOf<'evidence'>): EvidenceFacts {
  return {
    type: row.type,
    description: row.description,
    evidence: row.evidence,
    attachedAt: row.created_at,
    configId: row.config_id,
    changeId: row.config_change_id,
    insightId: row.config_analysis_id,
    componentId: row.component_id,
    checkId: row.check_id,
  };
}

/** The facts of an evidence that isn't attached yet. */
export function factsOfDraft(draft: EvidenceDraft): EvidenceFacts {
  return {
    type: draft.type,
    description: draft.description,
    evidence: draft.evidence ?? null,
    attachedAt: null,
    configId: draft.config_id ?? null,
    changeId: draft.config_change_id ?? null,
    insightId: draft.config_analysis_id ?? null,
    componentId: draft.component_id ?? null,
    checkId: draft.check_id ?? null,
  };
}

/**
 * What kind of thing an evidence is about. Its type says so; one of a type that we don't know (other servers have
 * `component`, and may have more) is about what it refers to.
 */
export function subjectOf({
  type,
  componentId,
  checkId,
  insightId,
  changeId,
  configId,
}: EvidenceFacts): string {
  if (EVIDENCE_TYPES.some((known) => known === type)) return type;
  const subjects = [
    ['topology', componentId],
    ['check', checkId],
    ['config_analysis', insightId],
    ['config_change', changeId],
    ['config', configId],
  ] as const;
  return subjects.find(([, id]) => id !== null)?.[0] ?? type;
}
