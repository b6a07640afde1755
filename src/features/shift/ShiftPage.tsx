/**
 * The hand-over of a shift: a note that this device makes of what it knows, gone over by whoever leaves, and the notes of
 * those before. All of it works without a network: what is written goes through the outbox.
 */
import { useState, type ReactNode } from 'react';
import type { SessionUser } from '../../contract/session-user.ts';
import { sendCommand, nowOnServer } from '../../data/commands/commands.ts';
import { useDraft } from '../../data/commands/use-draft.ts';
import { may } from '../../domain/access/matrix.ts';
import type { ShiftNote } from '../../domain/shift/shift-note.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { CopyButton } from '../../ui/feedback/CopyButton.tsx';
import { useToasts } from '../../ui/feedback/Toasts.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { useOneAtATime } from '../../ui/hooks/one-at-a-time.ts';
import { Page } from '../../ui/page/Page.tsx';
import { messages } from './messages.ts';
import { NoteList } from './NoteList.tsx';
import classes from './shift.module.css';
import { useShiftText } from './use-shift-facts.ts';

const HOUR_MS = 3_600_000;
const HOURS = [4, 6, 8, 10, 12];
const USUAL_HOURS = 8;
const DRAFT = 'shift-note';

type NoteRequest = Extract<
  Parameters<typeof sendCommand>[0],
  { name: 'save_shift_note' | 'edit_shift_note' }
>;

function useSave(): (request: NoteRequest) => Promise<boolean> {
  const toasts = useToasts();
  return async (request) => {
    const answer = await sendCommand(request);
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

/** When the shift began, and the field that says so. */
function useShiftHours(): { fromMs: number; hoursField: ReactNode } {
  const [hours, setHours] = useState(USUAL_HOURS);
  // A whole second: what is counted and what is listed begin at the same moment.
  const [openedAtMs] = useState(() => Math.floor(nowOnServer() / 1000) * 1000);
  const hoursField = (
    <SelectField
      label={messages.began}
      value={String(hours)}
      options={HOURS.map((one) => ({ value: String(one), label: messages.hoursAgo(one) }))}
      onChange={(chosen) => setHours(Number(chosen))}
    />
  );
  return { fromMs: openedAtMs - hours * HOUR_MS, hoursField };
}

/** What the device gathered, for who may leave no note: to be read out, or copied. */
function ShiftSummary({ userId }: { userId: string }) {
  const { fromMs, hoursField } = useShiftHours();
  const gathered = useShiftText(userId, fromMs);
  return (
    <section className={classes.section} aria-label={messages.summary}>
      <div className={classes.head}>
        <h2>{messages.summary}</h2>
        {hoursField}
      </div>
      <p className={classes.quiet}>{messages.mayNotWrite}</p>
      {gathered === null ? (
        <p role="status">{messages.gathering}</p>
      ) : (
        <>
          <p className={classes.text}>{gathered}</p>
          <div className={classes.actions}>
            <CopyButton text={gathered} label={messages.copy} />
          </div>
        </>
      )}
    </section>
  );
}

/** A new note: what the device gathered, until somebody writes into it. */
function NewNote({ userId }: { userId: string }) {
  const device = useDevice();
  const save = useSave();
  const once = useOneAtATime();
  const draft = useDraft(DRAFT);
  const { fromMs, hoursField } = useShiftHours();
  const gathered = useShiftText(userId, fromMs);
  const written = draft.text ?? null;
  const value = written ?? gathered;
  const send = async () => {
    const shiftFrom = new Date(fromMs).toISOString();
    const args = { noteId: device.newId(), text: value ?? '', shiftFrom };
    if (await save({ name: 'save_shift_note', args })) draft.keep(null);
  };
  return (
    <section className={classes.section} aria-label={messages.write}>
      <div className={classes.head}>
        <h2>{messages.write}</h2>
        {hoursField}
      </div>
      {value === null ? (
        <p role="status">{messages.gathering}</p>
      ) : (
        <NoteForm
          value={value}
          onChange={(text) => draft.keep(text)}
          saveText={messages.save}
          onSave={() => void once(send)}
          onDrop={written === null ? null : () => draft.keep(null)}
          dropText={messages.again}
        />
      )}
    </section>
  );
}

/** One's own note that was left already, changed; what is written is kept like that of a new one. */
function ChangedNote({ note, onDone }: { note: ShiftNote; onDone: () => void }) {
  const save = useSave();
  const once = useOneAtATime();
  const draft = useDraft(`${DRAFT}:${note.id}`);
  const text = draft.text ?? note.text;
  const end = () => {
    draft.keep(null);
    onDone();
  };
  const send = async () => {
    if (await save({ name: 'edit_shift_note', args: { noteId: note.id, text } })) end();
  };
  return (
    <NoteForm
      value={text}
      onChange={(next) => draft.keep(next)}
      saveText={messages.saveAgain}
      onSave={() => void once(send)}
      onDrop={end}
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
        {mayWrite ? <NewNote userId={reader.id} /> : <ShiftSummary userId={reader.id} />}
      </div>
    </Page>
  );
}
