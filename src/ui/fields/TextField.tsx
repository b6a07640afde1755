import { useId } from 'react';
import classes from './Field.module.css';

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Why it can't stay as it is. */
  error?: string | undefined;
  placeholder?: string;
  isLong?: boolean;
  isLabelHidden?: boolean;
  maxLength?: number;
  /** Takes the focus when it appears. */
  hasFocus?: boolean;
}

/** A line of text, or several, with its label above and its error below. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    onChange,
    error,
    placeholder,
    isLong = false,
    isLabelHidden = false,
    hasFocus = false,
  } = props;
  const id = useId();
  const shared = {
    id,
    value,
    placeholder,
    maxLength: props.maxLength,
    autoFocus: hasFocus,
    // A dialog moves the focus when it opens, and looks for this.
    'data-autofocus': hasFocus ? '' : undefined,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
  };
  const mark = error === undefined ? '' : classes.invalid;
  return (
    <div className={classes.stacked}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : classes.caption}>
        {label}
      </label>
      {isLong ? (
        <textarea
          {...shared}
          className={`${classes.area} ${mark}`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          className={`${classes.input} ${mark}`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {error !== undefined && (
        <span id={`${id}-error`} role="alert" className={classes.error}>
          {error}
        </span>
      )}
    </div>
  );
}
