import type { ReactNode } from 'react';
import type { EvidenceDraft } from '../../../../domain/incident/evidence-draft.ts';

/** Something of this device that can be attached. */
export interface Candidate {
  id: string;
  name: string;
  icon: ReactNode;
  /** Its health or severity, as it is drawn. */
  mark: ReactNode;
  facts: readonly (string | null | undefined)[];
  /** ISO; when it was last heard of. */
  at: string | null | undefined;
  draft: EvidenceDraft;
}

/** Candidates under one heading. */
export interface CandidateGroup {
  title: string;
  candidates: readonly Candidate[];
}

/** What was chosen, by id. */
export type Chosen = ReadonlyMap<string, EvidenceDraft>;

/** More at once is a report, not evidence. */
export const MAX_CHOSEN = 20;
