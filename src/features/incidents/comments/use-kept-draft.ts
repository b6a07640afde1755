/** A comment that is being written, kept through a reload of this tab, for this user and incident. */
import { useState } from 'react';
import {
  draftOf,
  EMPTY_DRAFT,
  storedComment,
  type CommentDraft,
} from '../../../domain/incident/comment-draft.ts';
import { useDevice } from '../../../ui/Device.tsx';

/**
 * The tab's own storage: a draft outlives the page, not the tab, so that nobody finds it on a shared device after
 * the one who wrote it has gone.
 */
export function useKeptDraft(userId: string, incidentId: string) {
  const device = useDevice();
  const key = `holdfast.comment.${userId}.${incidentId}`;
  const [draft, setDraft] = useState<CommentDraft>(() => {
    const kept = device.readTabSetting(key);
    return kept === null || kept === '' ? EMPTY_DRAFT : draftOf(kept);
  });
  const keep = (next: CommentDraft) => {
    setDraft(next);
    device.writeTabSetting(key, storedComment(next));
  };
  return { draft, keep };
}
