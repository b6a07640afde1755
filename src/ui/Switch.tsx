import classes from './Field.module.css';

/** On or off, at once. */
export function Switch(props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { label, isOn, onChange } = props;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className={classes.switch}
      onClick={() => onChange(!isOn)}
    >
      <span className={classes.track} aria-hidden="true" />
      {label}
    </button>
  );
}
