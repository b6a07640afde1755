/** The plain form fields. Each takes the path of its value; what is allowed is the form's schema's to say. */
import { IconChevronDown } from '@tabler/icons-react';
import shared from '../fields/Field.module.css';
import type { SelectOption } from '../fields/SelectField.tsx';
import { controlClass, FieldFrame, textOf, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './form.module.css';

interface TextInputProps extends FieldProps {
  isLong?: boolean;
  placeholder?: string;
  type?: 'text' | 'email' | 'number';
  /** Offered while typing. */
  suggestions?: readonly string[];
  /** Takes the focus when its dialog opens. */
  hasFocus?: boolean;
}

/** A line of text, or several; a number stays the text that was typed until the form's schema reads it. */
export function TextInput(props: TextInputProps) {
  const { isLong = false, placeholder, type = 'text', hasFocus = false, suggestions } = props;
  const field = useField(props);
  const listId = `${field.control.id}-list`;
  const common = {
    ...field.control,
    placeholder,
    value: textOf(field.value),
    autoComplete: 'off',
    onBlur: field.blur,
    'data-autofocus': hasFocus ? '' : undefined,
  };
  return (
    <FieldFrame {...props} field={field}>
      {isLong ? (
        <textarea
          {...common}
          className={controlClass('area', field)}
          onChange={(event) => field.change(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          type={type === 'number' ? 'text' : type}
          inputMode={type === 'number' ? 'decimal' : undefined}
          list={suggestions === undefined ? undefined : listId}
          className={controlClass('input', field)}
          onChange={(event) => field.change(event.currentTarget.value)}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  );
}

/** One of several; `placeholder` stands for none. */
export function SelectInput(props: FieldProps & { options: readonly SelectOption[]; placeholder?: string }) {
  const { options, placeholder } = props;
  const field = useField(props);
  const value = textOf(field.value);
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <FieldFrame {...props} field={field}>
      <span className={shared.box}>
        <select
          {...field.control}
          className={controlClass('select', field)}
          value={value}
          onBlur={field.blur}
          onChange={(event) => field.change(event.currentTarget.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.isDisabled}>
              {option.label}
            </option>
          ))}
          {!isKnown && <option value={value}>{value}</option>}
        </select>
        <IconChevronDown size={14} className={shared.chevron} aria-hidden />
      </span>
    </FieldFrame>
  );
}

/** Yes or no. */
export function CheckInput(props: FieldProps) {
  const field = useField(props);
  return (
    <div className={shared.stacked}>
      <label className={classes.check}>
        <input
          {...field.control}
          type="checkbox"
          checked={field.value === true}
          onBlur={field.blur}
          onChange={(event) => field.change(event.currentTarget.checked)}
        />
        {props.label}
      </label>
      {props.hint !== undefined && (
        <span id={`${field.control.id}-hint`} className={classes.hint}>
          {props.hint}
        </span>
      )}
    </div>
  );
}
