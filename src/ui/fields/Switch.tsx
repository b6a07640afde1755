import type { ReactNode } from 'react';
import classes from './Field.module.css';

/** On or off, at once. */
export function Switch(props: {
  label: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  /** Why it can't be changed now; null when it can. */
  lockedBy?: string | null;
}) {
  const { label, isOn, onChange, lockedBy = null } = props;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className={classes.switch}
      disabled={lockedBy !== null}
      {...(lockedBy === null ? {} : { title: lockedBy })}
      onClick={() => onChange(!isOn)}
    >
      <span className={classes.track} aria-hidden="true" />
      {label}
    </button>
  );
}
