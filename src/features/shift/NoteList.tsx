import { useMemo, useState, type ReactNode } from 'react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { shiftNoteOf, type ShiftNote } from '../../domain/shift/shift-note.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { SkeletonRows } from '../../ui/feedback/Skeleton.tsx';
import { Age } from '../../ui/marks/Age.tsx';
import { messages } from './messages.ts';
import classes from './shift.module.css';

const SHOWN = 20;
const NOTES = {
  collection: 'resources' as const,
  where: [{ field: 'kind', op: 'eq' as const, value: 'shift_note' }],
  search: '',
  sort: [{ field: 'created_at', isDescending: true }],
  groupBy: null,
  window: { start: 0, end: SHOWN },
};

/** How one's own note is changed in its place; null for who may not write. */
export type Change = ((note: ShiftNote, onDone: () => void) => ReactNode) | null;

interface NoteProps {
  note: ShiftNote;
  isPending: boolean;
  isOwn: boolean;
  change: Change;
}

function Note({ note, isPending, isOwn, change }: NoteProps) {
  const [isChanging, setIsChanging] = useState(false);
  const author = useLiveRow('resources', note.createdBy);
  const name = isOwn ? messages.you : (author?.row.name ?? messages.somebody);
  return (
    <li className={classes.note}>
      <p className={classes.by}>
        <strong>{messages.by(name)}</strong>
        <Age at={note.createdAt} />
        {isPending && <span>{messages.notSent}</span>}
        {isOwn && change !== null && !isChanging && (
          <Button look="quiet" onClick={() => setIsChanging(true)}>
            {messages.edit}
          </Button>
        )}
      </p>
      {isChanging && change !== null ? (
        change(note, () => setIsChanging(false))
      ) : (
        <p className={classes.text}>{note.text}</p>
      )}
    </li>
  );
}

/** The notes that people left, the newest first, also those of this device that were not sent yet. */
export function NoteList({ userId, change }: { userId: string; change: Change }) {
  const { rows, isLoaded } = useLiveQuery(NOTES);
  const notes = useMemo(
    () =>
      rows.flatMap(({ row, pending }) => {
        const note = shiftNoteOf(row);
        return note === null ? [] : [{ note, isPending: pending !== 'none' }];
      }),
    [rows],
  );
  return (
    <section className={classes.section} aria-label={messages.notes}>
      <h2>{messages.notes}</h2>
      {!isLoaded && <SkeletonRows text={messages.gathering} />}
      {isLoaded && notes.length === 0 && <p className={classes.quiet}>{messages.none}</p>}
      <ul className={classes.list}>
        {notes.map(({ note, isPending }) => (
          <Note
            key={note.id}
            note={note}
            isPending={isPending}
            isOwn={note.createdBy === userId}
            change={change}
          />
        ))}
      </ul>
    </section>
  );
}
