import {
  IconCheck,
  IconCircleCheck,
  IconDots,
  IconPencil,
  IconTargetArrow,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { MenuItem, Popover } from '../../../ui/overlays/Popover.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { ArrivedLate } from '../ArrivedLate.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import { EditEvidence } from './EditEvidence.tsx';
import { EvidencePlaybooks } from './EvidencePlaybooks.tsx';
import { EvidenceBody } from './EvidenceBody.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';

type EvidenceRow = RecordOf<'evidence'>;
type Asking = 'edit' | 'remove' | 'resolve' | null;

/** Removes it for good, once that was confirmed; what the server refuses later says Refusals. */
function useRemove(row: EvidenceRow): () => Promise<void> {
  const { incidentId, send } = useIncident();
  const toasts = useToasts();
  return async () => {
    const isSafe = await send({ name: 'delete_evidence', args: { id: row.id, incidentId } });
    if (!isSafe) toasts.error(messages.failures.remove);
  };
}

function Menu({ row, onAsk }: { row: EvidenceRow; onAsk: (what: Asking) => void }) {
  const { incidentId, send } = useIncident();
  const toasts = useToasts();
  const isDone = row.definition_of_done;
  const toggle = async () => {
    const changes = { definition_of_done: !isDone };
    const isSafe = await send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes } });
    if (!isSafe) toasts.error(isDone ? messages.failures.removeFromDone : messages.failures.addToDone);
  };
  return (
    <Popover
      kind="menu"
      label={messages.menu}
      trigger={(trigger) => (
        <IconButton label={messages.menu} className={classes.itemMenu ?? ''} {...trigger}>
          <IconDots size={16} />
        </IconButton>
      )}
    >
      {(close) => {
        const after = (act: () => void) => () => {
          close();
          act();
        };
        return (
          <>
            <MenuItem icon={<IconPencil size={15} />} onSelect={after(() => onAsk('edit'))}>
              {messages.edit}
            </MenuItem>
            <MenuItem icon={<IconTargetArrow size={15} />} onSelect={after(() => void toggle())}>
              {isDone ? messages.removeFromDone : messages.addToDone}
            </MenuItem>
            {row.type === 'comment' && isDone && (
              <MenuItem icon={<IconCheck size={15} />} onSelect={after(() => onAsk('resolve'))}>
                {row.done === true ? messages.unresolve : messages.resolve}
              </MenuItem>
            )}
            <MenuItem icon={<IconTrash size={15} />} onSelect={after(() => onAsk('remove'))}>
              {messages.remove}
            </MenuItem>
          </>
        );
      }}
    </Popover>
  );
}

function Dialogs({ row, asking, onClose }: { row: EvidenceRow; asking: Asking; onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const remove = useRemove(row);
  const isResolved = row.done === true;
  switch (asking) {
    case null:
      return null;
    case 'edit':
      return <EditEvidence row={row} onClose={onClose} />;
    case 'remove':
      return (
        <ConfirmDialog
          title={messages.removeTitle}
          question={messages.removeQuestion}
          confirm={messages.remove}
          onConfirm={() => void remove().then(onClose)}
          onClose={onClose}
        />
      );
    case 'resolve': {
      const changes = { done: !isResolved };
      return (
        <ConfirmDialog
          title={isResolved ? messages.unresolve : messages.resolve}
          question={isResolved ? messages.unresolveQuestion : messages.resolveQuestion}
          confirm={isResolved ? messages.unresolve : messages.resolve}
          onConfirm={() => {
            void send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes } });
            onClose();
          }}
          onClose={onClose}
        />
      );
    }
  }
}

/** One evidence: what it says, whether it belongs to the definition of done, and what can be done with it. */
export const EvidenceItem = memo(function EvidenceItem({ found }: { found: LiveRow<EvidenceRow> }) {
  const { row, pending } = found;
  const { access } = useIncident();
  const [asking, setAsking] = useState<Asking>(null);
  const isResolved = row.definition_of_done && row.done === true;
  return (
    <li className={classes.item} data-evidence={row.id}>
      <div className={classes.root}>
        <EvidenceBody row={row} />
        <ArrivedLate row={row} className={classes.late} />
        {(row.definition_of_done || pending !== 'none') && (
          <div className={classes.marks}>
            {row.definition_of_done && <Tag value={messages.inDone} />}
            {isResolved && (
              <span className={classes.resolved}>
                <IconCircleCheck size={14} aria-hidden /> {messages.resolved}
              </span>
            )}
            {pending !== 'none' && <PendingMark state={pending} />}
          </div>
        )}
      </div>
      <EvidencePlaybooks row={row} />
      {access.evidences && <Menu row={row} onAsk={setAsking} />}
      <Dialogs row={row} asking={asking} onClose={() => setAsking(null)} />
    </li>
  );
});
