import { formatCount } from '../../domain/format-count.ts';
import { IconFilter, IconMinus, IconPlus, IconSquare } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { pressedTriState, unwanted, wanted, type TriState } from '../../domain/tri-state.ts';
import { Button } from '../actions/Button.tsx';
import { messages as shared } from '../messages.ts';
import { messages } from './messages.ts';
import { Popover } from '../overlays/Popover.tsx';
import { SearchBox } from './SearchBox.tsx';
import classes from './TriStateFilter.module.css';

const words = messages.triState;
/** From so many selected values on, the button counts instead of naming (contract §19.1). */
const COUNT_FROM = 4;
/** A longer list gets a search. */
const SEARCH_FROM = 12;
/** More help nobody: the search finds the others. */
const MAX_SHOWN = 200;

interface TriStateFilterProps {
  label: string;
  options: readonly string[];
  value: TriState;
  onChange: (value: TriState) => void;
  /** How many things have a value. */
  totals?: ReadonlyMap<string, number>;
  /** How a value is written, where it isn't itself. */
  textOf?: (option: string) => string;
  /** Told while the menu is open: what it offers may be worked out only then. */
  onOpen?: (isOpen: boolean) => void;
}

function Option(props: Omit<TriStateFilterProps, 'label' | 'options'> & { option: string }) {
  const { option, value, totals, textOf, onChange } = props;
  const state = value[option] ?? 0;
  const Mark = state === 1 ? IconPlus : state === -1 ? IconMinus : IconSquare;
  const text = textOf?.(option) ?? option;
  const total = totals?.get(option);
  const count = total === undefined ? '' : formatCount(total);
  return (
    <li>
      <button
        type="button"
        className={classes.option}
        data-state={state}
        aria-label={words.option(text, words.states[state])}
        onClick={() => onChange(pressedTriState(value, option))}
      >
        <Mark size={15} aria-hidden />
        <span className={classes.text}>{text}</span>
        <span className={classes.state}>{state === 0 ? count : words.states[state]}</span>
      </button>
    </li>
  );
}

/** What is selected comes first, in the order in which the menu found it when it was opened. */
function Menu(props: TriStateFilterProps) {
  const { label, options, value, textOf, onOpen } = props;
  const [search, setSearch] = useState('');
  const [first] = useState(() => Object.keys(value));
  useEffect(() => {
    onOpen?.(true);
    return () => onOpen?.(false);
  }, [onOpen]);
  const all = [...new Set([...first, ...options, ...Object.keys(value)])];
  const text = search.trim().toLowerCase();
  const found = all.filter((option) => (textOf?.(option) ?? option).toLowerCase().includes(text));
  return (
    <>
      {all.length > SEARCH_FROM && (
        <div className={classes.search}>
          <SearchBox
            label={words.search(label)}
            placeholder={words.search(label)}
            clearLabel={words.clearSearch}
            seed=""
            seedId={0}
            onChange={setSearch}
          />
        </div>
      )}
      <ul className={classes.list}>
        {found.slice(0, MAX_SHOWN).map((option) => (
          <Option key={option} {...props} option={option} />
        ))}
        {found.length === 0 && <li className={classes.none}>{shared.noData}</li>}
        {found.length > MAX_SHOWN && <li className={classes.none}>{words.more(found.length - MAX_SHOWN)}</li>}
      </ul>
    </>
  );
}

/** Values to want, not to want, or to leave alone; each press goes one further. */
export function TriStateFilter(props: TriStateFilterProps) {
  const { label, value } = props;
  const textOf = (option: string) => props.textOf?.(option) ?? option;
  const count = Object.keys(value).length;
  const summary = words.summary(wanted(value).map(textOf), unwanted(value).map(textOf));
  return (
    <Popover
      kind="dialog"
      label={label}
      trigger={(trigger) => (
        <Button {...trigger} title={summary} isPressed={count > 0}>
          <IconFilter size={15} aria-hidden />
          {label}
          {count > 0 && <span className={classes.count}>{count < COUNT_FROM ? summary : count}</span>}
        </Button>
      )}
    >
      {() => <Menu {...props} />}
    </Popover>
  );
}
