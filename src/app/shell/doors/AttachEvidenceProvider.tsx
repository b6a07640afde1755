/** Opens the dialog that links what a screen shows to an incident, for who may write incidents (spec 3 §6). */
import type { ReactNode } from 'react';
import { Suspense, useMemo, useState } from 'react';
import type { SessionUser } from '../../../contract/session-user.ts';
import { isFeatureOn } from '../../../domain/access/flags.ts';
import { may } from '../../../domain/access/matrix.ts';
import type { Viewer } from '../../../domain/access/screens.ts';
import type { EvidenceDraft } from '../../../domain/incident/evidence-draft.ts';
import { AttachProvider, type AttachEvidenceApi } from '../../../ui/page/AttachEvidence.tsx';
import { LinkToIncident } from '../lazy-parts.tsx';

interface AttachEvidenceProviderProps {
  user: SessionUser;
  viewer: Viewer;
  children: ReactNode;
}

/** What incidents there are for this user, as the door of the screens says it. */
function useDoor(viewer: Viewer, onAttach: (drafts: readonly EvidenceDraft[]) => void): AttachEvidenceApi {
  return useMemo(() => {
    const { roles, properties, isChecksOnly } = viewer;
    const areOn = !isChecksOnly && properties !== null && isFeatureOn('incidents', properties);
    return {
      hasIncidents: areOn && may(roles, 'incident', 'read'),
      attach: areOn && may(roles, 'incident', 'write') ? onAttach : null,
    };
  }, [viewer, onAttach]);
}

/** Who may not write incidents is offered nothing. */
export function AttachEvidenceProvider({ user, viewer, children }: AttachEvidenceProviderProps) {
  const [drafts, setDrafts] = useState<readonly EvidenceDraft[] | null>(null);
  const door = useDoor(viewer, setDrafts);
  return (
    <AttachProvider door={door}>
      {children}
      {drafts !== null && (
        <Suspense fallback={null}>
          <LinkToIncident drafts={drafts} reader={user} onClose={() => setDrafts(null)} />
        </Suspense>
      )}
    </AttachProvider>
  );
}
