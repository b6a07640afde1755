/** A comment on one hypothesis, written where that stands in the action plan; `@` mentions as everywhere. */
import { useState } from 'react';
import { EMPTY_DRAFT, storedComment } from '../../../domain/incident/comment-draft.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useOneAtATime } from '../../../ui/hooks/one-at-a-time.ts';
import { useIncident } from '../incident-context.tsx';
import classes from './comments.module.css';
import { MentionField } from './MentionField.tsx';
import { messages as words } from './messages.ts';

interface AddCommentProps {
  hypothesisId: string;
  label: string;
  onClose: () => void;
}

/** Closed when the comment is kept; what couldn't be kept stays in the field. */
export function AddComment({ hypothesisId, label, onClose }: AddCommentProps) {
  const { incidentId, follow } = useIncident();
  const device = useDevice();
  const toasts = useToasts();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const comment = storedComment(draft).trim();
  const once = useOneAtATime();
  const send = async () => {
    if (comment === '') return;
    const args = { id: device.newId(), incidentId, hypothesisId, comment };
    const problem = await follow({ name: 'add_comment', args }, (settled) => {
      // Its words stand above the comments then, to be sent again (spec 3 §8).
      if (settled.kind === 'refused') toasts.error(settled.message);
    });
    if (problem === null) onClose();
    else toasts.error(words.errorText(problem));
  };
  const submit = () => void once(send);
  return (
    <form
      className={classes.composer}
      data-unsaved={comment === '' ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        // What was written goes only when somebody says so.
        if (event.key === 'Escape' && comment === '') onClose();
      }}
    >
      <MentionField hasFocus label={label} draft={draft} onChange={setDraft} onSubmit={submit} />
      <div className={classes.foot}>
        <span className={classes.keys}>{words.keys}</span>
        <Button look="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button look="primary" type="submit" disabled={comment === ''}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}
