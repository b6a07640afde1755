import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './Field.module.css';

export interface SelectOption {
  value: string;
  label: string;
  isDisabled?: boolean;
  /** Options that share a group are listed under its name. */
  group?: string;
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  /** The label stands before the field, above it, or is only spoken. */
  caption?: 'beside' | 'above' | 'hidden';
  className?: string;
}

function Option({ option }: { option: SelectOption }) {
  return (
    <option value={option.value} disabled={option.isDisabled}>
      {option.label}
    </option>
  );
}

/** A choice of one. The browser's own control: right on every device, and no code. */
export function SelectField(props: SelectFieldProps) {
  const { label, value, options, onChange, caption = 'beside', className = '' } = props;
  const id = useId();
  const groups = [...new Set(options.flatMap((option) => option.group ?? []))];
  return (
    <div className={`${caption === 'above' ? classes.stacked : classes.field} ${className}`}>
      <label htmlFor={id} className={caption === 'hidden' ? 'visually-hidden' : classes.caption}>
        {label}
      </label>
      <span className={classes.box}>
        <select
          id={id}
          className={classes.select}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) =>
            option.group === undefined ? <Option key={option.value} option={option} /> : null,
          )}
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {options.map((option) =>
                option.group === group ? <Option key={option.value} option={option} /> : null,
              )}
            </optgroup>
          ))}
        </select>
        <IconChevronDown size={14} className={classes.chevron} aria-hidden />
      </span>
    </div>
  );
}
