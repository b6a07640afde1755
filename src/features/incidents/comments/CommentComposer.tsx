import { useEffect, useRef, useState } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { dropCommand } from '../../../data/commands/commands.ts';
import { draftOf, storedComment } from '../../../domain/incident/comment-draft.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { useDevice } from '../../../ui/Device.tsx';
import { SelectField } from '../../../ui/fields/SelectField.tsx';
import { useToasts } from '../../../ui/feedback/Toasts.tsx';
import { useIncident } from '../incident-context.tsx';
import type { RecordOf } from '../use-records.ts';
import classes from './comments.module.css';
import { MentionField } from './MentionField.tsx';
import { messages as words } from './messages.ts';
import { RefusedComments } from './RefusedComments.tsx';
import { useStoredDraft } from './use-stored-draft.ts';
import { useRefusedComments, type RefusedComment } from './use-refused-comments.ts';

interface CommentComposerProps {
  hypotheses: readonly LiveRow<RecordOf<'hypothesis'>>[];
  /** Until it is known which there are, nothing can be sent. */
  isLoaded: boolean;
}

/** A new comment about one hypothesis; the root one unless another is chosen. */
export function CommentComposer({ hypotheses, isLoaded }: CommentComposerProps) {
  const { incidentId, access, follow } = useIncident();
  const device = useDevice();
  const toasts = useToasts();
  const { draft, keep, move } = useStoredDraft(incidentId);
  const refused = useRefusedComments(incidentId);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string | undefined>();
  const root = hypotheses.find(({ row }) => row.type === 'root') ?? hypotheses[0];
  const hypothesisId = hypotheses.some(({ id }) => id === chosen) ? chosen : (root?.id ?? null);
  const isEmpty = draft.text.trim() === '';
  // A refusal comes later, when something else may have been written.
  const isFree = useRef(isEmpty);
  useEffect(() => {
    isFree.current = isEmpty;
  });
  // A field that is gone holds nothing: what is refused then stays in the outbox.
  useEffect(
    () => () => {
      isFree.current = false;
    },
    [],
  );

  /** Back into the field; it leaves the outbox, or it would be there twice. */
  const returnToField = (one: Pick<RefusedComment, 'commandId' | 'comment' | 'hypothesisId'>) => {
    setChosen(one.hypothesisId);
    keep(draftOf(one.comment));
    void dropCommand(one.commandId);
  };
  const submit = async () => {
    if (!access.comments || !isLoaded) return;
    const comment = storedComment(draft).trim();
    if (comment === '' || hypothesisId === null) {
      setError(comment === '' ? words.noText : words.noHypothesis);
      return;
    }
    setError(undefined);
    const args = { id: device.newId(), incidentId, hypothesisId, comment };
    const sending = follow({ name: 'add_comment', args }, (settled) => {
      if (settled.kind === 'done') return;
      toasts.error(settled.message);
      // With its incident the field goes, too; the outbox stays.
      if (isFree.current && settled.code !== 'gone') returnToField({ ...args, commandId: settled.commandId });
    });
    await move(
      sending.then(
        (problem) => problem === null,
        () => false,
      ),
    );
    const problem = await sending;
    if (problem !== null) toasts.error(words.errorText(problem));
  };
  // Who lost the right to comment while writing keeps what was written.
  if (!access.comments && isEmpty && refused.length === 0) return null;
  return (
    <form
      className={classes.composer}
      data-unsaved={isEmpty ? undefined : 'kept'}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <RefusedComments
        refused={refused}
        onEdit={access.comments ? returnToField : null}
        onDrop={({ commandId }) => void dropCommand(commandId)}
      />
      <MentionField
        label={words.write}
        draft={draft}
        error={error}
        onChange={keep}
        onSubmit={() => void submit()}
      />
      <div className={classes.foot}>
        {access.comments ? (
          <span className={classes.keys}>{words.keys}</span>
        ) : (
          <span role="status">{words.mayNot}</span>
        )}
        {hypotheses.length > 1 && (
          <SelectField
            label={words.on}
            className={classes.about ?? ''}
            value={hypothesisId ?? ''}
            options={hypotheses.map(({ id, row }) => ({ value: id, label: row.title }))}
            onChange={setChosen}
          />
        )}
        <Button look="primary" type="submit" disabled={isEmpty || !access.comments || !isLoaded}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}
