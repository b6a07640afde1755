import { IconDots, IconPencil, IconCircle, IconCircleCheck, IconTargetOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { isByHand } from '../../../domain/incident/done-state.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { MenuItem, Popover } from '../../../ui/overlays/Popover.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { EvidenceBody } from '../evidence/EvidenceBody.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import classes from './done.module.css';
import { DoneResult } from './DoneResult.tsx';
import { EditDone } from './EditDone.tsx';
import { messages } from './messages.ts';

const words = messages;
type EvidenceRow = RecordOf<'evidence'>;
type Asking = 'edit' | 'resolve' | 'remove';

function Menu({ row, onAsk }: { row: EvidenceRow; onAsk: (what: Asking) => void }) {
  const isDone = row.done === true;
  return (
    <Popover
      kind="menu"
      label={words.menu}
      trigger={(props) => (
        <IconButton {...props} label={words.menu}>
          <IconDots size={16} aria-hidden />
        </IconButton>
      )}
    >
      {(close) => {
        const ask = (what: Asking) => () => {
          close();
          onAsk(what);
        };
        return (
          <>
            <MenuItem icon={<IconPencil size={16} />} onSelect={ask('edit')}>
              {row.type === 'comment' ? words.editComment : words.editScript}
            </MenuItem>
            {isByHand(row) && (
              <MenuItem
                icon={isDone ? <IconCircle size={16} /> : <IconCircleCheck size={16} />}
                onSelect={ask('resolve')}
              >
                {isDone ? words.unresolve : words.resolve}
              </MenuItem>
            )}
            <MenuItem icon={<IconTargetOff size={16} />} onSelect={ask('remove')}>
              {words.remove}
            </MenuItem>
          </>
        );
      }}
    </Popover>
  );
}

function Resolving({ row, onClose }: { row: EvidenceRow; onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const isDone = row.done === true;
  const action = isDone ? words.unresolve : words.resolve;
  return (
    <ConfirmDialog
      title={action}
      question={isDone ? words.unresolveQuestion : words.resolveQuestion}
      confirm={action}
      onConfirm={() => {
        void send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes: { done: !isDone } } });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function Removing({ row, onClose }: { row: EvidenceRow; onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const toasts = useToasts();
  const remove = async () => {
    onClose();
    const changes = { definition_of_done: false };
    if (!(await send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes } })))
      toasts.error(words.failures.unmark);
  };
  return (
    <ConfirmDialog
      title={words.removeTitle}
      question={words.removeQuestion}
      confirm={words.remove}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}

/** One evidence of the definition of done: what it is, how it stands, and what can be done with it (spec 3 §2). */
export function DoneItem({ found: { row, pending } }: { found: LiveRow<EvidenceRow> }) {
  const { access } = useIncident();
  const [asked, setAsked] = useState<Asking | null>(null);
  const close = () => setAsked(null);
  return (
    <li className={classes.item} data-evidence={row.id}>
      <div className={classes.itemMain}>
        <EvidenceBody row={row} isCompact />
        {!isByHand(row) && <code className={classes.script}>{row.script}</code>}
        <DoneResult row={row} />
        {pending !== 'none' && <PendingMark state={pending} hasText />}
      </div>
      {access.evidences && <Menu row={row} onAsk={setAsked} />}
      {asked === 'edit' && <EditDone row={row} onClose={close} />}
      {asked === 'resolve' && <Resolving row={row} onClose={close} />}
      {asked === 'remove' && <Removing row={row} onClose={close} />}
    </li>
  );
}
