/** Yes or no: a box with its words beside it. */
import { Checkbox } from '@mantine/core';
import type { Ref } from 'react';
import classes from './CheckField.module.css';
import shared from './Field.module.css';

interface CheckFieldProps {
  label: string;
  hint?: string | undefined;
  isChecked: boolean;
  isDisabled: boolean;
  onChange: (isChecked: boolean) => void;
  id?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/** The browser draws the tick of its own box. */
function NoIcon() {
  return null;
}

/** See the head of this file. */
export function CheckField({ hint, isChecked, isDisabled, onChange, ...rest }: CheckFieldProps) {
  return (
    <Checkbox
      {...rest}
      unstyled
      classNames={{
        body: `${classes.check}`,
        inner: `${classes.box}`,
        labelWrapper: `${classes.words}`,
        label: `${classes.label}`,
        description: `${shared.hintText}`,
      }}
      icon={NoIcon}
      description={hint}
      disabled={isDisabled}
      checked={isChecked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
