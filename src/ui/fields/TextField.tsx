import { Textarea, TextInput } from '@mantine/core';
import { useId, type ReactNode, type RefCallback } from 'react';
import { fieldLook } from './field-look.ts';

interface TextFieldProps {
  label: ReactNode;
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Why it can't stay as it is. */
  error?: string | undefined;
  /** Wrong, and said so elsewhere. */
  isWrong?: boolean;
  hint?: string | undefined;
  placeholder?: string | undefined;
  /** `decimal` is a text that is typed with the keys of numbers. */
  type?: 'text' | 'email' | 'decimal' | 'password' | 'datetime-local' | 'time';
  isLong?: boolean;
  isLabelHidden?: boolean;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** Undefined: as the browser does it. */
  isSpellChecked?: boolean;
  maxLength?: number;
  /** Offered while typing. */
  suggestions?: readonly string[] | undefined;
  /** Takes the focus when it appears, or only when its dialog opens. */
  hasFocus?: boolean | 'with-dialog';
  inputRef?: RefCallback<HTMLElement>;
  /** Puts the input beside something else of its line, such as its unit. */
  around?: (input: ReactNode) => ReactNode;
}

/** A line of text, or several, with its label above and its error below. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    error,
    hint,
    type = 'text',
    isLong = false,
    hasFocus = false,
    suggestions,
    onChange,
  } = props;
  const id = useId();
  const common = {
    ...fieldLook(error !== undefined || props.isWrong === true, {
      isLong,
      isLabelHidden: props.isLabelHidden === true,
    }),
    id,
    label,
    error,
    description: hint,
    value: props.value,
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    disabled: props.isDisabled === true,
    autoFocus: hasFocus === true,
    // A dialog moves the focus when it opens, and looks for this.
    'data-autofocus': hasFocus === false ? undefined : '',
    ...(props.isWrong === true ? { 'aria-invalid': true } : {}),
    spellCheck: props.isSpellChecked,
    'aria-required': props.isRequired === true ? true : undefined,
    onBlur: props.onBlur,
    ref: props.inputRef,
    ...(props.around === undefined ? {} : { inputContainer: props.around }),
  };
  if (isLong) return <Textarea {...common} onChange={(event) => onChange(event.currentTarget.value)} />;
  const listId = `${id}-list`;
  return (
    <>
      <TextInput
        {...common}
        type={type === 'decimal' ? 'text' : type}
        inputMode={type === 'decimal' ? 'decimal' : undefined}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        list={suggestions === undefined ? undefined : listId}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {suggestions !== undefined && (
        <datalist id={listId}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </>
  );
}
