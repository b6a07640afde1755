import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { fieldLook } from './field-look.ts';
import classes from './Field.module.css';

/** One of several in a form: the browser's own control, its label above, its error below. */
export function FormSelect({ error, ...rest }: NativeSelectProps) {
  const look = fieldLook(error !== undefined);
  return (
    <NativeSelect
      {...rest}
      {...look}
      error={error}
      classNames={{
        ...look.classNames,
        wrapper: `${classes.box}`,
        input: `${classes.select} ${error === undefined ? '' : classes.invalid}`,
        section: `${classes.chevron}`,
      }}
      rightSection={<IconChevronDown size={14} aria-hidden />}
    />
  );
}
