import { useState } from 'react';
import { TextField } from '../fields/TextField.tsx';
import { messages } from './messages.ts';
import { FieldFrame, textOf, useField, type FieldProps } from './FieldFrame.tsx';
import { FormSelect } from '../fields/FormSelect.tsx';
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
  const [, kind, name = '', key = ''] = /^(secret|configmap):\/\/([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  return { kind: kind === 'secret' || kind === 'configmap' ? kind : 'value', name, key };
}

/** A secret itself, or where it is found: `secret://name/key`, `configmap://name/key`. */
export function SecretInput(props: FieldProps & { isLarge?: boolean }) {
  const field = useField(props);
  const text = textOf(field.value);
  const parsed = parseReference(text);
  // A reference that is being written isn't one yet.
  const [kind, setKind] = useState<Kind>(parsed.kind);
  const common = { isLabelHidden: true, isDisabled: field.control.disabled, onBlur: field.blur };
  const part = (name: 'name' | 'key', label: string) => (
    <TextField
      {...common}
      label={`${props.label}: ${label}`}
      placeholder={label}
      isWrong={field.error !== undefined}
      value={parsed[name]}
      onChange={(typed) => {
        const next = { ...parsed, [name]: typed };
        field.change(`${kind}://${next.name}/${next.key}`);
      }}
    />
  );
  return (
    <FieldFrame {...props} field={field} isGroup>
      <div className={classes.secret}>
        <FormSelect
          aria-label={words.kind(props.label)}
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
        </FormSelect>
        {kind === 'value' ? (
          <TextField
            {...common}
            label={props.label}
            isWrong={field.error !== undefined}
            isRequired={field.control['aria-required']}
            type="password"
            isLong={props.isLarge === true}
            isSpellChecked={false}
            placeholder={text === MASK ? words.kept : ''}
            value={text === MASK ? '' : text}
            inputRef={field.attach}
            onChange={field.change}
          />
        ) : (
          <span className={classes.reference}>
            {part('name', words.name)}
            {part('key', words.key)}
          </span>
        )}
      </div>
    </FieldFrame>
  );
}
