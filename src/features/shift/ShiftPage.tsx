/**
 * The hand-over of a shift: a note that this device makes of what it knows, gone over by whoever leaves, and the notes of
 * those before. All of it works without a network: what is written goes through the outbox.
 */
import { useState } from 'react';
import type { SessionUser } from '../../contract/session-user.ts';
import { sendCommand, nowOnServer } from '../../data/commands/commands.ts';
import { useDraft } from '../../data/commands/use-draft.ts';
import { may } from '../../domain/access/matrix.ts';
import type { ShiftNote } from '../../domain/shift/shift-note.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { messages } from './messages.ts';
import { NoteList } from './NoteList.tsx';
import classes from './shift.module.css';
import { useShiftText } from './use-shift-facts.ts';

const HOUR_MS = 3_600_000;
const HOURS = [4, 6, 8, 10, 12];
const USUAL_HOURS = 8;
const DRAFT = 'shift-note';

function useSave(): (note: { noteId: string; text: string; shiftFrom: string }) => Promise<boolean> {
  const toasts = useToasts();
  return async (args) => {
    const answer = await sendCommand({ name: 'save_shift_note', args });
    if (answer.ok) toasts.success(messages.saved);
    else toasts.error(messages.errorText(answer.error));
    return answer.ok;
  };
}

interface NoteFormProps {
  value: string;
  onChange: (text: string) => void;
  saveText: string;
  onSave: () => void;
  onDrop: (() => void) | null;
  dropText: string;
}

function NoteForm({ value, onChange, saveText, onSave, onDrop, dropText }: NoteFormProps) {
  return (
    <>
      <TextField label={messages.note} hint={messages.noteHint} value={value} onChange={onChange} isLong />
      <div className={classes.actions}>
        <Button look="primary" disabled={value.trim() === ''} onClick={onSave}>
          {saveText}
        </Button>
        {onDrop !== null && <Button onClick={onDrop}>{dropText}</Button>}
      </div>
    </>
  );
}

/** A new note: what the device gathered, until somebody writes into it. */
function NewNote({ userId }: { userId: string }) {
  const device = useDevice();
  const save = useSave();
  const draft = useDraft(DRAFT);
  const [hours, setHours] = useState(USUAL_HOURS);
  const [openedAtMs] = useState(nowOnServer);
  const fromMs = openedAtMs - hours * HOUR_MS;
  const gathered = useShiftText(userId, fromMs);
  const written = draft.text ?? null;
  const value = written ?? gathered;
  const send = async () => {
    const shiftFrom = new Date(fromMs).toISOString();
    if (await save({ noteId: device.newId(), text: value ?? '', shiftFrom })) draft.keep(null);
  };
  return (
    <section className={classes.section} aria-label={messages.write}>
      <div className={classes.head}>
        <h2>{messages.write}</h2>
        <SelectField
          label={messages.began}
          value={String(hours)}
          options={HOURS.map((one) => ({ value: String(one), label: messages.hoursAgo(one) }))}
          onChange={(chosen) => setHours(Number(chosen))}
        />
      </div>
      {value === null ? (
        <p role="status">{messages.gathering}</p>
      ) : (
        <NoteForm
          value={value}
          onChange={(text) => draft.keep(text)}
          saveText={messages.save}
          onSave={() => void send()}
          onDrop={written === null ? null : () => draft.keep(null)}
          dropText={messages.again}
        />
      )}
    </section>
  );
}

/** One's own note that was left already, changed. */
function ChangedNote({ note, onDone }: { note: ShiftNote; onDone: () => void }) {
  const save = useSave();
  const [text, setText] = useState(note.text);
  const send = async () => {
    if (await save({ noteId: note.id, text, shiftFrom: note.shiftFrom })) onDone();
  };
  return (
    <NoteForm
      value={text}
      onChange={setText}
      saveText={messages.saveAgain}
      onSave={() => void send()}
      onDrop={onDone}
      dropText={messages.stop}
    />
  );
}

/** `reader` is who is signed in. */
export function ShiftPage({ reader }: { reader: SessionUser }) {
  const mayWrite = may(reader.roles, 'comments', 'write');
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className={classes.columns}>
        <NoteList
          userId={reader.id}
          change={mayWrite ? (note, onDone) => <ChangedNote note={note} onDone={onDone} /> : null}
        />
        {mayWrite ? <NewNote userId={reader.id} /> : <p className={classes.quiet}>{messages.mayNotWrite}</p>}
      </div>
    </Page>
  );
}
