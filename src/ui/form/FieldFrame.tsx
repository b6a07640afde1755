import type { ReactNode } from 'react';
import { useId } from 'react';
import { useController } from 'react-hook-form';
import shared from '../fields/Field.module.css';
import classes from './form.module.css';

export interface FieldProps {
  /** Path of the value in the form. */
  name: string;
  label: string;
  /** Marked for people; what is required is the form's schema's to say. */
  isRequired?: boolean;
  hint?: string;
  isDisabled?: boolean;
}

/** A field's place in the form: its value, and what its control must carry to be understood. */
export interface BoundField {
  value: unknown;
  change: (value: unknown) => void;
  blur: () => void;
  error: string | undefined;
  control: {
    id: string;
    'aria-invalid': boolean;
    'aria-required': boolean;
    'aria-describedby': string | undefined;
    disabled: boolean;
    ref: (element: HTMLElement | null) => void;
  };
}

/** One field of the form around it: its value, its error, and what ties its control to both. */
export function useField({ name, isRequired = false, hint, isDisabled = false }: FieldProps): BoundField {
  const id = useId();
  const { field, fieldState } = useController({ name });
  const error = fieldState.error?.message;
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return {
    value: field.value,
    change: field.onChange,
    blur: field.onBlur,
    error,
    control: {
      id,
      'aria-invalid': error !== undefined,
      'aria-required': isRequired,
      'aria-describedby': described === '' ? undefined : described,
      disabled: isDisabled,
      ref: field.ref,
    },
  };
}

interface FieldFrameProps extends FieldProps {
  field: BoundField;
  children: ReactNode;
  /** The control is a group of controls, which a label can't point at. */
  isGroup?: boolean;
}

/** The label above, the control, then its hint and what is wrong with it. */
export function FieldFrame({ label, isRequired, hint, field, children, isGroup = false }: FieldFrameProps) {
  const { id } = field.control;
  const caption = (
    <>
      {label}
      {isRequired === true && (
        <span aria-hidden="true" className={classes.required}>
          *
        </span>
      )}
    </>
  );
  const below = (
    <>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      )}
      {field.error !== undefined && (
        <span id={`${id}-error`} role="alert" className={shared.error}>
          {field.error}
        </span>
      )}
    </>
  );
  if (isGroup) {
    return (
      <fieldset className={classes.group} aria-describedby={field.control['aria-describedby']}>
        <legend className={shared.caption}>{caption}</legend>
        {children}
        {below}
      </fieldset>
    );
  }
  return (
    <div className={shared.stacked}>
      <label htmlFor={id} className={shared.caption}>
        {caption}
      </label>
      {children}
      {below}
    </div>
  );
}

/** The classes of a control, marked while it is wrong. */
export function controlClass(kind: 'input' | 'area' | 'select', field: BoundField): string {
  return `${shared[kind]} ${field.error === undefined ? '' : shared.invalid}`;
}

/** A value as a text field shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
