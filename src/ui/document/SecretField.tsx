/** A value, or where the server finds it: `{value}` or `{valueFrom: {secretKeyRef: {name, key}}}` (contract §19.9). */
import { useState } from 'react';
import { z } from 'zod';
import { FormSelect } from '../fields/FormSelect.tsx';
import { TextField } from '../fields/TextField.tsx';
import classes from './document.module.css';
import { messages } from './messages.ts';

const words = messages.secret;
const REFERENCES = ['secretKeyRef', 'configMapKeyRef'] as const;
type Kind = 'value' | (typeof REFERENCES)[number];

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const reference = z.object({ name: text.catch(''), key: text.catch('') });
const shape = z.union([
  text.transform((value) => ({ value })),
  z.object({
    value: text.optional(),
    valueFrom: z
      .object({ secretKeyRef: reference.optional(), configMapKeyRef: reference.optional() })
      .optional(),
  }),
]);

interface SecretFieldProps {
  label: string;
  isRequired: boolean;
  isDisabled: boolean;
  error: string | undefined;
  hint: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** What stands there, as this field shows it. */
function shown(value: unknown): { kind: Kind; value: string; name: string; key: string } {
  const nothing = { kind: 'value' as Kind, value: '', name: '', key: '' };
  const read = shape.safeParse(value);
  if (!read.success) return nothing;
  const from = 'valueFrom' in read.data ? read.data.valueFrom : undefined;
  for (const kind of REFERENCES) {
    const found = from?.[kind];
    if (found !== undefined) return { ...nothing, kind, ...found };
  }
  return { ...nothing, value: read.data.value ?? '' };
}

/** See the head of this file. */
export function SecretField({
  label,
  isRequired,
  isDisabled,
  error,
  hint,
  value,
  onChange,
}: SecretFieldProps) {
  const now = shown(value);
  // A reference that is being written isn't one yet.
  const [chosen, setChosen] = useState<Kind>(now.kind);
  const kind = value === undefined ? chosen : now.kind;
  const refer = (part: Partial<{ name: string; key: string }>) => {
    const next = { name: now.name, key: now.key, ...part };
    onChange(next.name === '' && next.key === '' ? undefined : { valueFrom: { [kind]: next } });
  };
  const common = { isLabelHidden: true, isDisabled };
  return (
    <fieldset className={classes.group}>
      <legend>
        {label}
        {isRequired && ' *'}
      </legend>
      <div className={classes.secret}>
        <FormSelect
          aria-label={words.from(label)}
          disabled={isDisabled}
          value={kind}
          onChange={(event) => {
            const next = REFERENCES.find((one) => one === event.currentTarget.value) ?? 'value';
            setChosen(next);
            onChange(undefined);
          }}
        >
          {(['value', ...REFERENCES] as const).map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </FormSelect>
        {kind === 'value' ? (
          <TextField
            {...common}
            label={label}
            type="password"
            isWrong={error !== undefined}
            value={now.value}
            onChange={(typed) => onChange(typed === '' ? undefined : { value: typed })}
          />
        ) : (
          <>
            <TextField
              {...common}
              label={`${label}: ${words.name}`}
              placeholder={words.name}
              value={now.name}
              onChange={(name) => refer({ name })}
            />
            <TextField
              {...common}
              label={`${label}: ${words.key}`}
              placeholder={words.key}
              value={now.key}
              onChange={(key) => refer({ key })}
            />
          </>
        )}
      </div>
      {hint !== undefined && <span className={classes.hint}>{hint}</span>}
      {error !== undefined && (
        <span role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
