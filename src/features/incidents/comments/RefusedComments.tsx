import { plainMentions } from '../../../domain/incident/mentions.ts';
import { Button } from '../../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../../ui/actions/ConfirmButton.tsx';
import classes from './comments.module.css';
import { messages as words } from './messages.ts';
import type { RefusedComment } from './use-refused-comments.ts';

interface RefusedCommentsProps {
  refused: readonly RefusedComment[];
  /** Null for who may not comment any more: the text is shown, to be copied or dropped. */
  onEdit: ((comment: RefusedComment) => void) | null;
  onDrop: (comment: RefusedComment) => void;
}

/** What was written and not accepted: nothing of it is lost. */
export function RefusedComments({ refused, onEdit, onDrop }: RefusedCommentsProps) {
  return refused.map((one) => (
    <div key={one.commandId} className={classes.refused} role="status" data-refused={one.commandId}>
      <span>
        <strong>{words.refused}:</strong> {one.message}
      </span>
      <p className={classes.text}>{plainMentions(one.comment)}</p>
      <div className={classes.foot}>
        <ConfirmButton
          label={words.drop}
          question={words.dropQuestion}
          confirm={words.drop}
          onConfirm={() => onDrop(one)}
        />
        {onEdit !== null && <Button onClick={() => onEdit(one)}>{words.editAgain}</Button>}
      </div>
    </div>
  ));
}
