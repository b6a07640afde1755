/**
 * A value that is typed as a text: a number, a list, one a line, or YAML. What is typed and means nothing yet stays in
 * the field and out of the document.
 */
import { useState } from 'react';
import { TextField } from '../fields/TextField.tsx';

interface TypedFieldProps {
  label: string;
  hint: string | undefined;
  isRequired: boolean;
  isDisabled: boolean;
  isLong: boolean;
  suggestions?: readonly string[] | undefined;
  placeholder?: string | undefined;
  type?: 'text' | 'decimal' | 'password';
  error: string | undefined;
  value: unknown;
  /** The value as it is typed. */
  write: (value: unknown) => string;
  /** What a text means; says why it means nothing. */
  read: (text: string) => { ok: true; value: unknown } | { ok: false; message: string };
  onChange: (value: unknown) => void;
}

/** See the head of this file. */
export function TypedField({ value, write, read, onChange, error, ...rest }: TypedFieldProps) {
  const written = write(value);
  const [typed, setTyped] = useState(written);
  const meant = read(typed);
  // Somebody else changed the value: what was typed before is old.
  const isOld = meant.ok && write(meant.value) !== written;
  return (
    <TextField
      {...rest}
      isSpellChecked={false}
      error={meant.ok || isOld ? error : meant.message}
      value={isOld ? written : typed}
      onChange={(text) => {
        setTyped(text);
        const next = read(text);
        if (next.ok) onChange(next.value);
      }}
    />
  );
}
