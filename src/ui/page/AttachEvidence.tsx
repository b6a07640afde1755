/**
 * The door from any screen to the incidents (spec 3 §6 'Attach as Evidence'): a screen says what it shows, the app
 * says whether this user may attach it and does the rest. It knows nothing of incidents itself.
 */
import { IconPaperclip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { createContext, useContext } from 'react';
import type { EvidenceDraft } from '../../domain/incident/evidence-draft.ts';
import { Button, IconButton } from '../actions/Button.tsx';
import { messages } from '../messages.ts';

export interface AttachEvidenceApi {
  /** Null: this user may not, or the incidents are switched off. */
  attach: ((drafts: readonly EvidenceDraft[]) => void) | null;
  /** Whether the pages of incidents can be opened. */
  hasIncidents: boolean;
}

const SHUT: AttachEvidenceApi = { attach: null, hasIncidents: false };
const AttachEvidenceContext = createContext(SHUT);

/** Given by the shell. */
export function AttachProvider({ door, children }: { door: AttachEvidenceApi; children: ReactNode }) {
  return <AttachEvidenceContext value={door}>{children}</AttachEvidenceContext>;
}

/** Whether incidents can be opened and attached to from here. */
export function useAttachEvidence(): AttachEvidenceApi {
  return useContext(AttachEvidenceContext);
}

interface AttachButtonProps {
  /** What is attached, as it is at the moment of the press. */
  draft: () => EvidenceDraft | readonly EvidenceDraft[];
  look?: 'button' | 'icon';
}

/** Attaches what is shown as evidence; nothing where that isn't allowed. */
export function AttachButton({ draft, look = 'button' }: AttachButtonProps) {
  const { attach } = useAttachEvidence();
  if (attach === null) return null;
  const press = () => attach([draft()].flat());
  if (look === 'icon') {
    return (
      <IconButton label={messages.attach} onClick={press}>
        <IconPaperclip size={16} />
      </IconButton>
    );
  }
  return (
    <Button onClick={press}>
      <IconPaperclip size={15} aria-hidden />
      {messages.attach}
    </Button>
  );
}
