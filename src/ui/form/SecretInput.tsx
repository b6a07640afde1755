import { useState } from 'react';
import shared from '../fields/Field.module.css';
import { messages } from '../messages.ts';
import { controlClass, FieldFrame, textOf, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './form.module.css';

const words = messages.secret;
type Kind = 'value' | 'secret' | 'configmap';
const KINDS: readonly Kind[] = ['value', 'secret', 'configmap'];
/** What the server shows of a secret that it keeps; sent back, it stays as it is (contract §10). */
const MASK = '***';

interface Reference {
  kind: Kind;
  name: string;
  key: string;
}

function parseReference(text: string): Reference {
  const [, kind, name = '', key = ''] = /^(secret|configmap):\/\/([^/]*)\/?(.*)$/.exec(text) ?? [];
  return { kind: kind === 'secret' || kind === 'configmap' ? kind : 'value', name, key };
}

/** A secret itself, or where it is found: `secret://name/key`, `configmap://name/key`. */
export function SecretInput(props: FieldProps & { isLarge?: boolean }) {
  const field = useField(props);
  const text = textOf(field.value);
  const parsed = parseReference(text);
  // A reference that is being written isn't one yet.
  const [kind, setKind] = useState<Kind>(parsed.kind);
  const part = (name: 'name' | 'key', label: string) => (
    <input
      aria-label={`${props.label}: ${label}`}
      placeholder={label}
      autoComplete="off"
      disabled={field.control.disabled}
      className={controlClass('input', field)}
      value={parsed[name]}
      onBlur={field.blur}
      onChange={(event) => {
        const next = { ...parsed, [name]: event.currentTarget.value };
        field.change(`${kind}://${next.name}/${next.key}`);
      }}
    />
  );
  const common = {
    ...field.control,
    'aria-label': props.label,
    value: text === MASK ? '' : text,
    placeholder: text === MASK ? words.kept : '',
    onBlur: field.blur,
  };
  return (
    <FieldFrame {...props} field={field} isGroup>
      <div className={classes.secret}>
        <select
          aria-label={words.kind(props.label)}
          className={shared.select}
          disabled={field.control.disabled}
          value={kind}
          onChange={(event) => {
            const next = KINDS.find((one) => one === event.currentTarget.value) ?? 'value';
            setKind(next);
            field.change(next === 'value' ? '' : `${next}:///`);
          }}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </select>
        {kind !== 'value' && (
          <span className={classes.reference}>
            {part('name', words.name)}
            {part('key', words.key)}
          </span>
        )}
        {kind === 'value' && props.isLarge === true && (
          <textarea
            {...common}
            className={controlClass('area', field)}
            spellCheck={false}
            onChange={(event) => field.change(event.currentTarget.value)}
          />
        )}
        {kind === 'value' && props.isLarge !== true && (
          <input
            {...common}
            type="password"
            autoComplete="new-password"
            className={controlClass('input', field)}
            onChange={(event) => field.change(event.currentTarget.value)}
          />
        )}
      </div>
    </FieldFrame>
  );
}
