/** A value, or where the server finds it: `{value}` or `{valueFrom: {secretKeyRef: {name, key}}}` (contract §19.9). */
import { useState } from 'react';
import { FormSelect } from '../fields/FormSelect.tsx';
import { TextField } from '../fields/TextField.tsx';
import classes from './document.module.css';
import { messages } from './messages.ts';
import { SECRET_STARS, OFFERED, shownSecret, writtenSecret, type SecretKind } from './secret-value.ts';

const words = messages.secret;
interface SecretFieldProps {
  label: string;
  isRequired: boolean;
  isDisabled: boolean;
  error: string | undefined;
  hint: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
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
  const now = shownSecret(value);
  // A reference that is being written isn't one yet.
  const [chosen, setChosen] = useState<SecretKind>(now.kind);
  const kind = value === undefined ? chosen : now.kind;
  const refer = (part: Partial<{ name: string; key: string }>) =>
    onChange(writtenSecret({ ...now, kind, ...part }));
  const kinds = OFFERED.some((one) => one === kind) ? OFFERED : [...OFFERED, kind];
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
            const next = kinds.find((one) => one === event.currentTarget.value) ?? 'value';
            setChosen(next);
            onChange(undefined);
          }}
        >
          {kinds.map((one) => (
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
            onChange={(typed) => onChange(writtenSecret({ ...now, kind, value: typed }))}
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
            {kind !== 'serviceAccount' && (
              <TextField
                {...common}
                label={`${label}: ${words.key}`}
                placeholder={words.key}
                value={now.key}
                onChange={(key) => refer({ key })}
              />
            )}
          </>
        )}
      </div>
      {hint !== undefined && <span className={classes.hint}>{hint}</span>}
      {kind === 'value' && now.value === SECRET_STARS && !isDisabled && (
        <span className={classes.hint}>{words.unchanged}</span>
      )}
      {error !== undefined && (
        <span role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
