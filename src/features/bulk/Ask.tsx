/** What is asked before something is done to many: what it needs to be told, or whether it is meant. */
import { nounOf, type BulkKind, type BulkVerb } from '../../domain/bulk/bulk-verbs.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import type { ChosenThing } from '../../ui/page/Bulk.tsx';
import type { Asked } from './bulk-parts.ts';
import { LabelDialog, MoveDialog, RoleDialog } from './ChangeDialogs.tsx';
import { isDirect } from './direct-steps.ts';
import { messages } from './messages.ts';
import { AcknowledgeDialog, AssignDialog } from './PeopleDialogs.tsx';
import { StatusDialog } from './StatusDialog.tsx';

interface AskProps {
  verb: BulkVerb;
  kind: BulkKind;
  chosen: readonly ChosenThing[];
  onAsk: (asked: Asked) => void;
  onClose: () => void;
}

const AT_ONCE = ['run', 'resend', 'pause', 'resume', 'end', 'activate'] as const;
type AtOnce = (typeof AT_ONCE)[number];

/** What is done without a question: it can be taken back, or does no harm. */
export function askedAtOnce(verb: BulkVerb): Asked | null {
  const found: AtOnce | undefined = AT_ONCE.find((one) => one === verb);
  return found === undefined ? null : { do: found };
}

/** See the head of this file. */
export function Ask({ verb, kind, chosen, onAsk, onClose }: AskProps) {
  const dialog = { onApply: onAsk, onClose };
  switch (verb) {
    case 'label':
      return <LabelDialog {...dialog} />;
    case 'move':
      return <MoveDialog {...dialog} />;
    case 'role':
      return <RoleDialog {...dialog} />;
    case 'assign':
      return <AssignDialog {...dialog} />;
    case 'acknowledge':
      return <AcknowledgeDialog {...dialog} isOver={kind === 'incidents'} />;
    case 'status':
      return <StatusDialog {...dialog} chosen={chosen} />;
    case 'delete':
    case 'revoke':
    case 'cancel':
    case 'deactivate': {
      const what = messages.count(chosen.length, nounOf(kind));
      const { title, text, confirm } = messages.confirmation(verb, what, !isDirect(kind));
      return (
        <ConfirmDialog
          title={title}
          question={text}
          confirm={confirm}
          onConfirm={() => onAsk({ do: verb })}
          onClose={onClose}
        />
      );
    }
    case 'run':
    case 'resend':
    case 'pause':
    case 'resume':
    case 'end':
    case 'activate':
      return null;
  }
}
