/** A comment that is being written, kept for its author: it outlives the page, and goes with the author's store. */
import { useMemo, useState } from 'react';
import { useDraft } from '../../../data/commands/use-draft.ts';
import {
  draftOf,
  EMPTY_DRAFT,
  storedComment,
  type CommentDraft,
} from '../../../domain/incident/comment-draft.ts';

/** What was written before shows until something is written here. */
export function useStoredDraft(incidentId: string) {
  const kept = useDraft(`comment:${incidentId}`);
  const [written, setWritten] = useState<CommentDraft | null>(null);
  const stored = kept.text ?? '';
  const before = useMemo(() => (stored === '' ? EMPTY_DRAFT : draftOf(stored)), [stored]);
  const keep = (next: CommentDraft) => {
    setWritten(next);
    const text = storedComment(next);
    kept.keep(text === '' ? null : text);
  };
  return { draft: written ?? before, keep };
}
