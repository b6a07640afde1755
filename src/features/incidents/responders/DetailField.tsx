import type { FormField } from '../../../domain/incident/responder-form.ts';
import { FormSelect } from '../../../ui/fields/FormSelect.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { messages as words } from './messages.ts';
import classes from './responders.module.css';

/** A field that has no word of ours is called as the other system calls it. */
export const fieldWord = (name: string): string =>
  Object.hasOwn(words.fields, name) ? (words.fields[name] ?? name) : name;

interface DetailFieldProps {
  field: FormField;
  error: string | undefined;
  onChange: (value: string) => void;
}

function Choice({ field, error, onChange }: DetailFieldProps) {
  const { name, isDisabled, needs, value } = field;
  return (
    <FormSelect
      label={fieldWord(name)}
      value={value}
      disabled={isDisabled}
      aria-required
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{isDisabled && needs !== null ? words.needs(fieldWord(needs)) : words.choose}</option>
      {(field.options ?? []).map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </FormSelect>
  );
}

/** One field of the details: a choice where the options are known, else free text. */
export function DetailField(props: DetailFieldProps) {
  const { field, error, onChange } = props;
  // What can't be filled yet is shown as a choice that is closed, whether or not it will have options.
  if (field.options !== null || field.isDisabled) return <Choice {...props} />;
  return (
    <div className={field.isLong ? classes.wide : ''}>
      <TextField
        label={fieldWord(field.name)}
        value={field.value}
        isLong={field.isLong}
        error={error}
        onChange={onChange}
      />
    </div>
  );
}
