import { IconPencil, IconTrash } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState } from 'react';
import type { LiveRow } from '../../../contract/live-query.ts';
import { Age } from '../../../ui/marks/Age.tsx';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { ConfirmButton } from '../../../ui/actions/ConfirmButton.tsx';
import { PendingMark } from '../../../ui/marks/PendingMark.tsx';
import { ArrivedLate } from '../ArrivedLate.tsx';
import { useIncident } from '../incident-context.tsx';
import pageClasses from '../page.module.css';
import type { RecordOf } from '../use-records.ts';
import { CommentEditor } from './CommentEditor.tsx';
import classes from './comments.module.css';
import { CommentText } from './CommentText.tsx';
import { messages as words } from './messages.ts';
import { useCommentPeople } from './use-comment-people.ts';

type CommentRow = RecordOf<'comment'>;

/** One's own comments can be changed. */
function Own({ row, onEdit }: { row: CommentRow; onEdit: () => void }) {
  const { incidentId, send } = useIncident();
  return (
    <span className={pageClasses.own}>
      <IconButton label={words.edit} onClick={onEdit}>
        <IconPencil size={15} />
      </IconButton>
      <ConfirmButton
        label={words.delete}
        icon={<IconTrash size={15} />}
        question={words.deleteQuestion}
        confirm={words.deleteConfirm}
        onConfirm={() => void send({ name: 'delete_comment', args: { id: row.id, incidentId } })}
      />
    </span>
  );
}

interface CommentProps {
  found: LiveRow<CommentRow>;
  author: string;
  /** Where it came from; null when it was written here. */
  origin: string | null;
  about: string | null;
  /** A link led to it. */
  isFocused: boolean;
}

/** A new comment draws none of the others again. */
const Comment = memo(function Comment({ found, author, origin, about, isFocused }: CommentProps) {
  const { row, pending } = found;
  const { access, userId } = useIncident();
  const [isEditing, setIsEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    item.current?.scrollIntoView({ block: 'center' });
    item.current?.focus({ preventScroll: true });
  }, [isFocused]);
  const isOwn = access.comments && row.created_by === userId && row.external_created_by === null;
  return (
    <li
      ref={item}
      className={`${pageClasses.comment} ${isFocused ? classes.focused : ''}`}
      data-comment={row.id}
      {...(isFocused ? { tabIndex: -1, 'aria-current': 'true' } : {})}
    >
      <div className={pageClasses.commentHead}>
        <strong>{author}</strong>
        {origin !== null && <span data-outside="">{origin}</span>}
        <Age at={row.created_at} suffix=" ago" />
        <ArrivedLate row={row} />
        {about !== null && (
          <span className={pageClasses.about}>
            {words.on.toLowerCase()} {about}
          </span>
        )}
        {pending !== 'none' && <PendingMark state={pending} />}
        {isOwn && !isEditing && <Own row={row} onEdit={() => setIsEditing(true)} />}
      </div>
      {isEditing ? (
        <CommentEditor row={row} onDone={() => setIsEditing(false)} />
      ) : (
        <CommentText comment={row.comment} />
      )}
    </li>
  );
});

interface CommentListProps {
  rows: readonly LiveRow<CommentRow>[];
  /** Given: each comment says which of them it is about, where that isn't the root. */
  hypotheses?: readonly LiveRow<RecordOf<'hypothesis'>>[];
  /** The comment that a link leads to. */
  focusedComment?: string | null;
}

/** `focusedComment` is the one that a link leads to. */
export function CommentList({ rows, hypotheses = [], focusedComment = null }: CommentListProps) {
  const authorOf = useCommentPeople(rows);
  const titleOf = ({ hypothesis_id: id }: CommentRow) =>
    hypotheses.find((found) => found.id === id && found.row.type !== 'root')?.row.title ?? null;
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((found) => {
        const { name, origin } = authorOf(found.row);
        return (
          <Comment
            key={found.id}
            found={found}
            author={name}
            origin={origin}
            about={titleOf(found.row)}
            isFocused={found.id === focusedComment}
          />
        );
      })}
    </ul>
  );
}
