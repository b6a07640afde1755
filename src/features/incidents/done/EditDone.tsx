import { useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { EvidenceBody } from '../evidence/EvidenceBody.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import classes from './done.module.css';
import { messages } from './messages.ts';
import { ScriptField, type ScriptSubject } from './ScriptField.tsx';

const words = messages;
type EvidenceRow = RecordOf<'evidence'>;

interface EditProps {
  row: EvidenceRow;
  onClose: () => void;
}

function subjectOf(row: EvidenceRow): ScriptSubject {
  return {
    evidence_id: row.id,
    config_id: row.config_id,
    config_change_id: row.config_change_id,
    config_analysis_id: row.config_analysis_id,
    component_id: row.component_id,
    check_id: row.check_id,
  };
}

function Actions({ onClose }: Pick<EditProps, 'onClose'>) {
  return (
    <div className={classes.actions}>
      <Button look="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button look="primary" type="submit">
        {words.save}
      </Button>
    </div>
  );
}

function EditScript({ row, onClose }: EditProps) {
  const { incidentId, send } = useIncident();
  const before = row.script ?? '';
  const [script, setScript] = useState(before);
  const save = async () => {
    const next = script.trim() === '' ? null : script.trim();
    const isKept =
      next === row.script ||
      (await send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes: { script: next } } }));
    if (isKept) onClose();
  };
  return (
    <Modal title={words.editScript} size="very-small" onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={script === before ? undefined : ''}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <EvidenceBody row={row} isCompact />
        <ScriptField
          label={words.editor.label}
          type={row.type}
          script={script}
          subject={subjectOf(row)}
          onChange={setScript}
        />
        <Actions onClose={onClose} />
      </form>
    </Modal>
  );
}

function EditComment({ row, onClose }: EditProps) {
  const { incidentId, send } = useIncident();
  const [text, setText] = useState(row.description);
  const [error, setError] = useState<string | undefined>();
  const save = async () => {
    const description = text.trim();
    if (description === '') {
      setError(words.noComment);
      return;
    }
    const isKept =
      description === row.description ||
      (await send({ name: 'edit_evidence', args: { id: row.id, incidentId, changes: { description } } }));
    if (isKept) onClose();
  };
  return (
    <Modal title={words.editComment} size="very-small" onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={text === row.description ? undefined : ''}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          hasFocus
          isLong
          label={words.comment}
          value={text}
          error={error}
          maxLength={50_000}
          onChange={setText}
        />
        <Actions onClose={onClose} />
      </form>
    </Modal>
  );
}

/** What there is to edit of an evidence here: a comment's words, else the script (spec 3 §2). */
export function EditDone(props: EditProps) {
  return props.row.type === 'comment' ? <EditComment {...props} /> : <EditScript {...props} />;
}
