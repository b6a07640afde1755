import type { KeyboardEvent, ReactNode } from 'react';
import { useRef } from 'react';
import classes from './Segmented.module.css';

interface SegmentedProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}

/** One of a few, all in sight. Arrows move, as in any radio group. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, value, options, onChange } = props;
  const isIcons = options.every(({ icon }) => icon !== undefined);
  const root = useRef<HTMLDivElement>(null);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const now = options.findIndex((option) => option.value === value);
    const at = (now + step + options.length) % options.length;
    const next = options[at];
    if (next === undefined) return;
    onChange(next.value);
    root.current?.querySelectorAll('button')[at]?.focus();
  };
  return (
    <div
      ref={root}
      className={isIcons ? `${classes.root} ${classes.icons}` : classes.root}
      role="radiogroup"
      aria-label={label}
      onKeyDown={handleKey}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          className={classes.option}
          {...(option.icon === undefined ? {} : { 'aria-label': option.label, title: option.label })}
          onClick={() => onChange(option.value)}
        >
          {option.icon ?? option.label}
        </button>
      ))}
    </div>
  );
}
