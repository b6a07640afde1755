import { Input } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { fieldLook } from '../fields/field-look.ts';
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
  /** Decorative, before the words of the label. */
  icon?: ReactNode;
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
  };
  /** Tells the form which element is focused when the value is wrong. */
  attach: (element: HTMLElement | null) => void;
}

/** One field of the form around it: its value, its error, and what ties its control to both. */
export function useField({ name, isRequired = false, hint, isDisabled = false }: FieldProps): BoundField {
  const id = useId();
  const { field, fieldState } = useController({ name });
  const error = fieldState.error?.message;
  const described = [hint === undefined ? '' : `${id}-description`, error === undefined ? '' : `${id}-error`]
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
    },
    attach: field.ref,
  };
}

interface FieldFrameProps extends FieldProps {
  field: BoundField;
  children: ReactNode;
  /** The control is a group of controls, which a label can't point at. */
  isGroup?: boolean;
  /** The control shows the words of its label itself. */
  isCaptionHidden?: boolean;
}

/** The words of a label, after its icon, with the star of what is required. */
export function FieldCaption({ label, isRequired, icon }: Pick<FieldProps, 'label' | 'isRequired' | 'icon'>) {
  return (
    <>
      {icon !== undefined && <span className={classes.captionIcon}>{icon}</span>}
      {label}
      {isRequired === true && (
        <span aria-hidden="true" className={classes.required}>
          *
        </span>
      )}
    </>
  );
}

/** The label above, the control, then its hint and what is wrong with it. */
export function FieldFrame(all: FieldFrameProps) {
  const { field, children, isGroup = false, isCaptionHidden = false, ...props } = all;
  const { id } = field.control;
  const look = fieldLook(field.error !== undefined);
  if (!isGroup) {
    return (
      <Input.Wrapper
        {...look}
        id={id}
        label={<FieldCaption {...props} />}
        description={props.hint}
        error={field.error}
      >
        {children}
      </Input.Wrapper>
    );
  }
  return (
    <fieldset className={classes.group} aria-describedby={field.control['aria-describedby']}>
      <legend className={isCaptionHidden ? 'visually-hidden' : shared.caption}>
        <FieldCaption {...props} />
      </legend>
      {children}
      {props.hint !== undefined && (
        <span id={`${id}-description`} className={shared.hintText}>
          {props.hint}
        </span>
      )}
      {field.error !== undefined && (
        <span id={`${id}-error`} role="alert" className={shared.error}>
          {field.error}
        </span>
      )}
    </fieldset>
  );
}

/** The classes of a text field that is not one of the kit's, marked while it is wrong. */
export function inputClass(field: BoundField): string {
  return `${shared.input} ${field.error === undefined ? '' : shared.invalid}`;
}

/** A value as a text field shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
