/** Whoever signed in on a shared tablet chooses a PIN before anything else. */
import { useState } from 'react';
import { administer } from '../../data/session/administration.ts';
import { leaveSession } from '../../data/device/platform-tablet-person.ts';
import { lockTablet, setWhoIsOn } from '../../data/device/platform-tablet.ts';
import { canEncrypt } from '../../data/tablet/tablet-keys.ts';
import { addPerson } from '../../data/tablet/tablet-safe.ts';
import { DEFAULT_SHIFT_HOURS, problemOfPin, SHIFT_HOURS } from '../../domain/tablet/locked-person.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { useDevice } from '../../ui/Device.tsx';
import { SelectField } from '../../ui/fields/SelectField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Modal } from '../../ui/overlays/Modal.tsx';
import { messages } from './messages.ts';
import classes from './tablet.module.css';

const words = messages.setup;

interface Typed {
  label: string;
  pin: string;
  again: string;
  hours: number;
}
const EMPTY: Typed = { label: '', pin: '', again: '', hours: DEFAULT_SHIFT_HOURS };

function problemsOf({ label, pin, again }: Typed): { label?: string; pin?: string; again?: string } {
  const problem = problemOfPin(pin);
  return {
    ...(label.trim() === '' ? { label: words.problems.label } : {}),
    ...(problem === null ? {} : { pin: words.problems[problem] }),
    ...(pin === again ? {} : { again: words.problems.different }),
  };
}

function Fields({
  typed,
  change,
  problems,
}: {
  typed: Typed;
  change: (part: Partial<Typed>) => void;
  problems: ReturnType<typeof problemsOf>;
}) {
  return (
    <>
      <TextField
        label={words.label}
        hint={words.labelHint}
        value={typed.label}
        maxLength={24}
        hasFocus="with-dialog"
        error={problems.label}
        onChange={(label) => change({ label })}
      />
      <TextField
        label={words.pin}
        hint={words.pinHint}
        type="password"
        value={typed.pin}
        error={problems.pin}
        onChange={(pin) => change({ pin })}
      />
      <TextField
        label={words.again}
        type="password"
        value={typed.again}
        error={problems.again}
        onChange={(again) => change({ again })}
      />
      <SelectField
        label={words.hours}
        caption="above"
        value={String(typed.hours)}
        options={SHIFT_HOURS.map((hours) => ({ value: String(hours), label: words.hoursOf(hours) }))}
        onChange={(hours) => change({ hours: Number(hours) })}
      />
    </>
  );
}

/** `onDone` when everything of this person can be locked away. */
export function PinSetup({ storeName, onDone }: { storeName: string; onDone: () => void }) {
  const device = useDevice();
  const [typed, setTyped] = useState(EMPTY);
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(canEncrypt() ? null : words.noEncryption);
  const problems = isTried ? problemsOf(typed) : {};
  const save = async () => {
    setIsTried(true);
    if (Object.keys(problemsOf(typed)).length > 0) return;
    setIsBusy(true);
    const bound = await administer({ name: 'bind_tablet_session' });
    if (!bound.ok) {
      setIsBusy(false);
      return setProblem(messages.errorText(bound.error));
    }
    const { label, pin, hours } = typed;
    const id = await addPerson({ id: device.newId(), label: label.trim(), storeName, pin, hours });
    setWhoIsOn(id);
    onDone();
  };
  const leave = async () => {
    await leaveSession();
    lockTablet();
  };
  const trySave = () => {
    save().catch((error: unknown) => {
      reportError(error);
      setIsBusy(false);
      setProblem(words.failed);
    });
  };
  return (
    <Modal title={words.title} size="very-small" onClose={() => void leave()}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          trySave();
        }}
      >
        <p>{words.lead}</p>
        <Fields typed={typed} change={(part) => setTyped({ ...typed, ...part })} problems={problems} />
        {problem !== null && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
        <div className={classes.actions}>
          <Button onClick={() => void leave()}>{words.leave}</Button>
          <Button type="submit" look="primary" disabled={isBusy || !canEncrypt()}>
            {isBusy ? words.saving : words.save}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
