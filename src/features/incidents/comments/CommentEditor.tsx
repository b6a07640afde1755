import { useState } from 'react';
import { draftOf, storedComment } from '../../../domain/incident/comment-draft.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import classes from './comments.module.css';
import { MentionField } from './MentionField.tsx';
import { messages as words } from './messages.ts';

/** One's own comment, to be changed. */
export function CommentEditor({ row, onDone }: { row: RecordOf<'comment'>; onDone: () => void }) {
  const { incidentId, follow } = useIncident();
  const toasts = useToasts();
  const [draft, setDraft] = useState(() => draftOf(row.comment));
  const comment = storedComment(draft).trim();
  const save = async () => {
    if (comment === '') return;
    const request = { name: 'edit_comment', args: { id: row.id, incidentId, comment } } as const;
    const problem =
      comment === row.comment
        ? null
        : await follow(request, (settled) => {
            if (settled.kind === 'refused') toasts.error(settled.message);
          });
    if (problem === null) onDone();
    else toasts.error(words.errorText(problem));
  };
  return (
    <div className={classes.composer} data-unsaved={comment === row.comment ? undefined : ''}>
      <MentionField
        hasFocus
        label={words.write}
        draft={draft}
        onChange={setDraft}
        onSubmit={() => void save()}
      />
      <div className={classes.foot}>
        <Button look="quiet" onClick={onDone}>
          {words.cancel}
        </Button>
        <Button look="primary" disabled={comment === ''} onClick={() => void save()}>
          {words.save}
        </Button>
      </div>
    </div>
  );
}
