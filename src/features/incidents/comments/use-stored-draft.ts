/** A comment that is being written, kept for its author: it outlives the page, and goes with the author's store. */
import { useMemo, useRef, useState } from 'react';
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
  const latest = useRef<CommentDraft>(EMPTY_DRAFT);
  const keep = (next: CommentDraft) => {
    latest.current = next;
    setWritten(next);
    const text = storedComment(next);
    kept.keep(text === '' ? null : text);
  };
  /**
   * Empties the field at once. What was written is forgotten when it is kept elsewhere (`isMoved`), else it comes
   * back, before what was written meanwhile.
   */
  const move = async (isMoved: Promise<boolean>) => {
    const moved = written ?? before;
    latest.current = EMPTY_DRAFT;
    setWritten(EMPTY_DRAFT);
    const isGone = await isMoved;
    const since = storedComment(latest.current);
    if (isGone && since === '') kept.keep(null);
    if (!isGone) keep(since === '' ? moved : draftOf(`${storedComment(moved)}\n${since}`));
  };
  return { draft: written ?? before, keep, move };
}
