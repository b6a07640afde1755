import { FieldFrame, useField, type FieldProps } from './FieldFrame.tsx';
import classes from './ChoicesInput.module.css';

/** Options that stand together. */
export interface ChoiceGroup {
  name: string;
  options: readonly { value: string; label: string }[];
}

/** Several of many, all in sight, in groups; the value is the list of what is chosen, in the order of the options. */
export function ChoicesInput(props: FieldProps & { groups: readonly ChoiceGroup[] }) {
  const field = useField(props);
  const chosen = new Set<unknown>(Array.isArray(field.value) ? field.value : []);
  const known = props.groups.flatMap(({ options }) => options.map(({ value }) => value));
  // What this version doesn't offer stays chosen.
  const others = [...chosen].filter((value) => !known.includes(String(value)));
  const toggle = (value: string) => {
    const isOn = chosen.has(value);
    const next = known.filter((one) => (one === value ? !isOn : chosen.has(one)));
    field.change([...next, ...others]);
  };
  return (
    <FieldFrame {...props} field={field} isGroup>
      {props.groups.map(({ name, options }, at) => (
        <div key={name} className={classes.group} role="group" aria-label={name}>
          <span className={classes.name} aria-hidden="true">
            {name}
          </span>
          <div className={classes.options}>
            {options.map(({ value, label }, index) => (
              <label key={value} className={classes.option} data-on={chosen.has(value)}>
                <input
                  type="checkbox"
                  // The form sends the focus to the first of them when the value is wrong.
                  ref={at === 0 && index === 0 ? field.attach : undefined}
                  checked={chosen.has(value)}
                  disabled={field.control.disabled}
                  aria-label={`${name} ${label}`}
                  onChange={() => toggle(value)}
                  onBlur={field.blur}
                />
                {label}
              </label>
            ))}
          </div>
        </div>
      ))}
    </FieldFrame>
  );
}
