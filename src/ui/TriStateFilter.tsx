import { IconFilter, IconMinus, IconPlus, IconSquare } from '@tabler/icons-react';
import { pressedTriState, unwanted, wanted, type TriState } from '../domain/tri-state.ts';
import { Button } from './Button.tsx';
import { messages } from './messages.ts';
import { Popover } from './Popover.tsx';
import classes from './TriStateFilter.module.css';

const words = messages.triState;

interface TriStateFilterProps {
  label: string;
  options: readonly string[];
  value: TriState;
  onChange: (value: TriState) => void;
}

/** Values to want, not to want, or to leave alone; each press goes one further. */
export function TriStateFilter({ label, options, value, onChange }: TriStateFilterProps) {
  const count = Object.keys(value).length;
  const all = [...new Set([...options, ...Object.keys(value)])];
  return (
    <Popover
      kind="dialog"
      label={label}
      trigger={(props) => (
        <Button {...props} title={words.summary(wanted(value), unwanted(value))}>
          <IconFilter size={15} aria-hidden />
          {label}
          {count > 0 && <span className={classes.count}>{count}</span>}
        </Button>
      )}
    >
      {() => (
        <ul className={classes.list}>
          {all.map((option) => {
            const state = value[option] ?? 0;
            const Mark = state === 1 ? IconPlus : state === -1 ? IconMinus : IconSquare;
            return (
              <li key={option}>
                <button
                  type="button"
                  className={classes.option}
                  data-state={state}
                  aria-label={words.option(option, words.states[state])}
                  onClick={() => onChange(pressedTriState(value, option))}
                >
                  <Mark size={15} aria-hidden />
                  {option}
                  <span className={classes.state}>{state === 0 ? '' : words.states[state]}</span>
                </button>
              </li>
            );
          })}
          {all.length === 0 && <li className={classes.none}>{messages.noData}</li>}
        </ul>
      )}
    </Popover>
  );
}
