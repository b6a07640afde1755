import type { ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './Button.module.css';

type Look = 'quiet' | 'outline' | 'primary';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look;
  isPressed?: boolean;
}

function classOf(shape: string | undefined, { look = 'outline', isPressed = false, className }: ButtonProps) {
  return [shape, classes[look], isPressed ? classes.pressed : '', className ?? ''].join(' ');
}

/** A button with words. */
export function Button(props: ButtonProps) {
  const { look: _look, isPressed, className: _className, ...rest } = props;
  return (
    <button type="button" {...rest} {...pressed(isPressed)} className={classOf(classes.button, props)} />
  );
}

function pressed(isPressed: boolean | undefined) {
  return isPressed === undefined ? {} : { 'aria-pressed': isPressed };
}

/** A button with an icon alone; `label` is its name and its tooltip. */
export function IconButton(props: ButtonProps & { label: string; children: ReactNode }) {
  const { look: _look, isPressed, className: _className, label, ...rest } = props;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      {...pressed(isPressed)}
      className={classOf(classes.icon, { look: 'quiet', ...props })}
    />
  );
}

/** The look of a button for a link. */
export function buttonClass(look: Look = 'outline', shape: 'button' | 'icon' = 'button'): string {
  return classOf(classes[shape], { look });
}
