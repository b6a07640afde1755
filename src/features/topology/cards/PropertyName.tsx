/** What a property is called; what else is said of it opens by a press, a finger, Enter, or the mouse that rests on it. */
import { Popover } from '../../../ui/overlays/Popover.tsx';
import classes from './property.module.css';

const HOVER = { openDelayMs: 400, closeDelayMs: 150, within: 'dl' };

/** `tooltip` is null where nothing else is said. */
export function PropertyName({ label, tooltip }: { label: string; tooltip: string | null }) {
  if (tooltip === null || tooltip === '') return label;
  return (
    <Popover
      kind="dialog"
      label={label}
      hover={HOVER}
      trigger={(trigger) => (
        <button type="button" className={classes.hint} {...trigger}>
          {label}
        </button>
      )}
    >
      {() => <p className={classes.tooltip}>{tooltip}</p>}
    </Popover>
  );
}
