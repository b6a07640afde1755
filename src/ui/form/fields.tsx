/** The plain form fields. Each takes the path of its value; what is allowed is the form's schema's to say. */
import { CheckField } from '../fields/CheckField.tsx';
import { FormSelect } from '../fields/FormSelect.tsx';
import type { SelectOption } from '../fields/SelectField.tsx';
import { TextField } from '../fields/TextField.tsx';
import { FieldCaption, textOf, useField, type FieldProps } from './FieldFrame.tsx';

interface TextInputProps extends FieldProps {
  isLong?: boolean;
  placeholder?: string;
  type?: 'text' | 'email' | 'number' | 'password' | 'datetime-local';
  /** Offered while typing. */
  suggestions?: readonly string[];
  /** Takes the focus when its dialog opens. */
  hasFocus?: boolean;
}

/** A line of text, or several; a number stays the text that was typed until the form's schema reads it. */
export function TextInput({ type = 'text', hasFocus = false, ...props }: TextInputProps) {
  const { value, error, change, blur, attach } = useField(props);
  return (
    <TextField
      {...props}
      label={<FieldCaption {...props} />}
      type={type === 'number' ? 'decimal' : type}
      hasFocus={hasFocus ? 'with-dialog' : false}
      value={textOf(value)}
      error={error}
      onChange={change}
      onBlur={blur}
      inputRef={attach}
    />
  );
}

/** One of several; `placeholder` stands for none. */
export function SelectInput(props: FieldProps & { options: readonly SelectOption[]; placeholder?: string }) {
  const { options, placeholder, hint } = props;
  const { value: current, control, error, change, blur, attach } = useField(props);
  const value = textOf(current);
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <FormSelect
      id={control.id}
      label={<FieldCaption {...props} />}
      description={hint}
      error={error}
      aria-required={control['aria-required']}
      disabled={control.disabled}
      ref={attach}
      value={value}
      onBlur={blur}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled}>
          {option.label}
        </option>
      ))}
      {!isKnown && <option value={value}>{value}</option>}
    </FormSelect>
  );
}

/** Yes or no. */
export function CheckInput(props: FieldProps) {
  const { value, control, change, blur, attach } = useField(props);
  return (
    <CheckField
      id={control.id}
      label={props.label}
      hint={props.hint}
      isDisabled={control.disabled}
      ref={attach}
      isChecked={value === true}
      onBlur={blur}
      onChange={change}
    />
  );
}
