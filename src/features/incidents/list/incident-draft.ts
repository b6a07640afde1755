/** What somebody began to write about a new incident; kept for them, so that a slip of the thumb costs nothing. */
import { useState } from 'react';
import { useDraft } from '../../../data/commands/use-draft.ts';
import { jsonOrNull } from '../../../lib/json-or-null.ts';

const KEY = 'incident';

export interface IncidentDraft {
  title: string;
  description: string;
  type: string;
  severity: string;
  status: string;
  commanderId: string | null;
  communicatorId: string | null;
}

/** Spec 3 §4. */
export const EMPTY_DRAFT: IncidentDraft = {
  title: '',
  description: '',
  type: 'availability',
  severity: 'low',
  status: 'open',
  commanderId: null,
  communicatorId: null,
};

/** A kept draft; what doesn't look like one is none. */
export function parseDraft(text: string | null): IncidentDraft | null {
  const value = jsonOrNull(text);
  if (typeof value !== 'object' || value === null) return null;
  const found = value as Partial<Record<keyof IncidentDraft, unknown>>;
  const textOf = (field: 'title' | 'description' | 'type' | 'severity' | 'status') =>
    typeof found[field] === 'string' ? found[field] : EMPTY_DRAFT[field];
  const idOf = (field: 'commanderId' | 'communicatorId') =>
    typeof found[field] === 'string' ? found[field] : null;
  return {
    title: textOf('title'),
    description: textOf('description'),
    type: textOf('type'),
    severity: textOf('severity'),
    status: textOf('status'),
    commanderId: idOf('commanderId'),
    communicatorId: idOf('communicatorId'),
  };
}

export interface DraftState {
  draft: IncidentDraft;
  /** It was begun before this form was opened. */
  isKept: boolean;
  change: (part: Partial<IncidentDraft>) => void;
  /** Done with it, one way or the other. */
  forget: () => void;
  startOver: () => void;
}

/** What a link brings along wins over what was kept. */
export function useIncidentDraft(prefill: Pick<IncidentDraft, 'title' | 'description'>): DraftState {
  const kept = useDraft(KEY);
  const [typed, setTyped] = useState<IncidentDraft | null>(
    prefill.title === '' && prefill.description === '' ? null : { ...EMPTY_DRAFT, ...prefill },
  );
  const before = typed === null ? parseDraft(kept.text ?? null) : null;
  const [wasKept, setWasKept] = useState(false);
  const draft = typed ?? before ?? EMPTY_DRAFT;
  return {
    draft,
    isKept: before !== null || wasKept,
    change(part) {
      const next = { ...draft, ...part };
      kept.keep(next.title === '' && next.description === '' ? null : JSON.stringify(next));
      if (before !== null) setWasKept(true);
      setTyped(next);
    },
    forget: () => kept.keep(null),
    startOver() {
      kept.keep(null);
      setWasKept(false);
      setTyped(EMPTY_DRAFT);
    },
  };
}
