import { useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { Modal } from '../../../ui/overlays/Modal.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import { EvidenceBody } from './EvidenceBody.tsx';
import classes from './evidence.module.css';
import { messages } from './messages.ts';

/** The contract takes no more (contract/commands/fields.ts). */
export const MAX_DESCRIPTION = 50_000;

/** The words of an evidence: a comment's text, or what is said of what was attached. */
export function EditEvidence({ row, onClose }: { row: RecordOf<'evidence'>; onClose: () => void }) {
  const { incidentId, send } = useIncident();
  const [text, setText] = useState(row.description);
  const [error, setError] = useState<string | undefined>();
  const isComment = row.type === 'comment';
  const save = async () => {
    if (isComment && text.trim() === '') {
      setError(messages.commentEmpty);
      return;
    }
    if (text === row.description) {
      onClose();
      return;
    }
    const args = { id: row.id, incidentId, changes: { description: text } };
    if (await send({ name: 'edit_evidence', args })) onClose();
    else setError(messages.failures.edit);
  };
  return (
    <Modal title={messages.editTitle} onClose={onClose}>
      <form
        className={classes.form}
        data-unsaved={text === row.description ? undefined : ''}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {!isComment && <EvidenceBody row={{ ...row, description: '' }} isCompact />}
        <TextField
          isLong
          hasFocus
          label={isComment ? messages.commentText : messages.description}
          value={text}
          maxLength={MAX_DESCRIPTION}
          error={error}
          onChange={setText}
        />
        <div className={classes.foot}>
          <Button look="quiet" onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button look="primary" type="submit">
            {messages.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
