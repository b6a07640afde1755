/** Where the wizard is, and what was chosen so far. It knows no screen; leaving a step back keeps what it held. */
import type { EvidenceDraft } from '../../../../domain/incident/evidence-draft.ts';
import type { EvidenceType } from '../../../../domain/incident/incident.ts';
import type { Chosen } from './candidate.ts';
import { logDraft, type OpenedLog } from './LogSteps.tsx';

export interface WizardState {
  type: EvidenceType | null;
  /** The last step: a look at what was found, or the lines of a log. */
  isReviewing: boolean;
  chosen: Chosen;
  /** How each was called when it was found. */
  names: ReadonlyMap<string, string>;
  /** A comment, or a pasted log. */
  text: string;
  log: OpenedLog | null;
  selected: ReadonlySet<number>;
  logDescription: string;
}

export const EMPTY_WIZARD: WizardState = {
  type: null,
  isReviewing: false,
  chosen: new Map(),
  names: new Map(),
  text: '',
  log: null,
  selected: new Set(),
  logDescription: '',
};

/** True when closing would lose something. */
export function hasContent({ chosen, text, log }: WizardState): boolean {
  return chosen.size > 0 || text.trim() !== '' || log !== null;
}

/** A log was opened: its lines are next. */
export function withLog(state: WizardState, log: OpenedLog): WizardState {
  return { ...state, log, isReviewing: true, selected: new Set(), logDescription: log.name };
}

/** What was found and chosen; each keeps the name that it had then. */
export function withChosen(state: WizardState, chosen: Chosen): WizardState {
  const names = new Map([...chosen].map(([id, { description }]) => [id, state.names.get(id) ?? description]));
  // Nothing is left to look at: back to where more is found.
  return { ...state, chosen, names, isReviewing: state.isReviewing && chosen.size > 0 };
}

/** What would be attached now; empty while nothing was chosen. */
export function draftsOf({
  type,
  text,
  log,
  selected,
  logDescription,
  chosen,
}: WizardState): EvidenceDraft[] {
  if (type === 'comment') return text.trim() === '' ? [] : [{ type, description: text.trim() }];
  if (type === 'log')
    return log === null || selected.size === 0 ? [] : [logDraft(log, selected, logDescription.trim()).draft];
  return [...chosen.values()];
}
