import { IconBackspace } from '@tabler/icons-react';
import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../ui/actions/Button.tsx';
import { messages } from './messages.ts';
import classes from './tablet.module.css';

const words = messages.locked;
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const MAX_LENGTH = 12;

interface PinPadProps {
  label: string;
  problem: string | null;
  isBusy: boolean;
  onPin: (pin: string) => void;
  onBack: () => void;
}

/** A PIN, typed or pressed on keys that a thumb finds. */
export function PinPad({ label, problem, isBusy, onPin, onBack }: PinPadProps) {
  const id = useId();
  const [pin, setPin] = useState('');
  const press = (digit: string) => setPin((typed) => (typed + digit).slice(0, MAX_LENGTH));
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || pin === '') return;
    onPin(pin);
    setPin('');
  };
  return (
    <form className={classes.pin} onSubmit={send}>
      <label htmlFor={id}>{messages.locked.pinOf(label)}</label>
      <input
        id={id}
        className={classes.field}
        type="password"
        inputMode="none"
        autoComplete="off"
        autoFocus
        value={pin}
        maxLength={MAX_LENGTH}
        aria-invalid={problem !== null}
        onChange={({ currentTarget }) => setPin(currentTarget.value.replaceAll(/\D/g, ''))}
      />
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <div className={classes.keys}>
        {DIGITS.map((digit) => (
          <Button
            key={digit}
            className={classes.key}
            aria-label={words.digit(digit)}
            onClick={() => press(digit)}
          >
            {digit}
          </Button>
        ))}
        <Button className={classes.key} onClick={onBack}>
          {words.back}
        </Button>
        <Button className={classes.key} aria-label={words.digit('0')} onClick={() => press('0')}>
          0
        </Button>
        <Button
          className={classes.key}
          aria-label={words.erase}
          onClick={() => setPin((typed) => typed.slice(0, -1))}
        >
          <IconBackspace size={22} aria-hidden />
        </Button>
      </div>
      <Button type="submit" look="primary" disabled={isBusy || pin === ''}>
        {isBusy ? words.opening : words.open}
      </Button>
    </form>
  );
}
