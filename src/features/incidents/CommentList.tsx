import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { LiveRow } from '../../contract/live-query.ts';
import { commentParts } from '../../domain/incident/mentions.ts';
import { Age } from '../../ui/Age.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { PendingMark } from '../../ui/PendingMark.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useIncident } from './incident-context.tsx';
import { messages } from './messages.ts';
import classes from './page.module.css';
import { useNames } from './use-names.ts';
import type { RecordOf } from './use-records.ts';

const words = messages.comments;
type CommentRow = RecordOf<'comment'>;

function Body({ comment }: { comment: string }) {
  return (
    <p className={classes.body}>
      {commentParts(comment).map((part, at) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <span key={at} className={classes.mention}>
            @{part.name}
          </span>
        ),
      )}
    </p>
  );
}

function Editor({ row, onDone }: { row: CommentRow; onDone: () => void }) {
  const { incidentId, send } = useIncident();
  const [text, setText] = useState(row.comment);
  const save = async () => {
    const comment = text.trim();
    const isKept =
      comment === row.comment ||
      (await send({ name: 'edit_comment', args: { id: row.id, incidentId, comment } }));
    if (isKept) onDone();
  };
  return (
    <div className={classes.composer} data-unsaved={text === row.comment ? undefined : ''}>
      <TextField hasFocus isLong isLabelHidden label={words.write} value={text} onChange={setText} />
      <div className={classes.composerFoot}>
        <Button look="quiet" onClick={onDone}>
          {words.cancel}
        </Button>
        <Button look="primary" disabled={text.trim() === ''} onClick={() => void save()}>
          {words.save}
        </Button>
      </div>
    </div>
  );
}

/** One's own comments can be changed. */
function Own({ row, onEdit }: { row: CommentRow; onEdit: () => void }) {
  const { incidentId, send } = useIncident();
  return (
    <span className={classes.own}>
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
  by: string;
  about: string | null;
}

function Comment({ found: { row, pending }, by, about }: CommentProps) {
  const { access, userId } = useIncident();
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = access.comments && row.created_by === userId;
  return (
    <li className={classes.comment} data-comment={row.id}>
      <div className={classes.commentHead}>
        <strong>{by}</strong>
        <Age at={row.created_at} suffix=" ago" />
        {about !== null && (
          <span className={classes.about}>
            {words.on.toLowerCase()} {about}
          </span>
        )}
        {pending !== 'none' && <PendingMark state={pending} />}
        {isOwn && !isEditing && <Own row={row} onEdit={() => setIsEditing(true)} />}
      </div>
      {isEditing ? <Editor row={row} onDone={() => setIsEditing(false)} /> : <Body comment={row.comment} />}
    </li>
  );
}

interface CommentListProps {
  rows: readonly LiveRow<CommentRow>[];
  /** Given: each comment says which of them it is about, where that isn't the root. */
  hypotheses?: readonly LiveRow<RecordOf<'hypothesis'>>[];
}

export function CommentList({ rows, hypotheses = [] }: CommentListProps) {
  const { userId } = useIncident();
  const names = useNames(rows.map(({ row }) => row.created_by));
  const nameOf = ({ created_by: by, external_created_by: external }: CommentRow) => {
    if (by === userId) return words.you;
    return (by === null ? undefined : names.get(by)) ?? external ?? words.somebody;
  };
  const titleOf = ({ hypothesis_id: id }: CommentRow) =>
    hypotheses.find((found) => found.id === id && found.row.type !== 'root')?.row.title ?? null;
  if (rows.length === 0) return null;
  return (
    <ul>
      {rows.map((found) => (
        <Comment key={found.id} found={found} by={nameOf(found.row)} about={titleOf(found.row)} />
      ))}
    </ul>
  );
}
