import { IconFilterMinus, IconFilterPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { useSearchState } from '../../../ui/search/use-search-state.ts';
import { changesSearch } from '../search-schemas.ts';
import classes from './changes.module.css';
import { messages } from './messages.ts';
import { CELL_FILTERS, cellFilterLink, filterLink, filterOf, type CellFilter } from './url-state.ts';

interface FilterMarksProps {
  name: CellFilter;
  value: string | null;
  /** How the value is called, where it isn't its own name. */
  label?: string;
}

/** Wants, or doesn't want, rows with that value. */
export function FilterMarks({ name, value, label }: FilterMarksProps) {
  const [search, change] = useSearchState(changesSearch);
  if (value === null || value === '') return null;
  const state = filterOf(search, name)[value];
  const press = (wanted: 1 | -1) =>
    change(cellFilterLink(search, name, { value, state: wanted }), { isReplacing: false });
  return (
    <span className={classes.marks}>
      <IconButton label={messages.only(label ?? value)} isPressed={state === 1} onClick={() => press(1)}>
        <IconFilterPlus size={14} />
      </IconButton>
      <IconButton label={messages.without(label ?? value)} isPressed={state === -1} onClick={() => press(-1)}>
        <IconFilterMinus size={14} />
      </IconButton>
    </span>
  );
}

/** A cell's text with the marks that filter by it. */
export function FilteredCell({ children, ...props }: FilterMarksProps & { children: ReactNode }) {
  return (
    <span className={classes.filtered}>
      {children}
      <FilterMarks {...props} />
    </span>
  );
}

/** The filters that were set on cells, each to be let go. */
export function ChosenFilters({ nameOf }: { nameOf: (name: CellFilter, value: string) => string }) {
  const [search, change] = useSearchState(changesSearch);
  const chosen = CELL_FILTERS.flatMap((name) =>
    Object.entries(filterOf(search, name)).map(([value, state]) => ({ name, value, state })),
  );
  if (chosen.length === 0) return null;
  const drop = (name: CellFilter, value: string) => {
    const { [value]: _dropped, ...rest } = filterOf(search, name);
    change(filterLink(name, rest), { isReplacing: false });
  };
  return (
    <ul className={classes.chosen} aria-label={messages.filters.chosen}>
      {chosen.map(({ name, value, state }) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            className={classes.chip}
            aria-label={messages.filters.drop(messages.cellFilters[name], value)}
            onClick={() => drop(name, value)}
          >
            <span className={classes.chipName}>
              {messages.cellFilters[name]} {state === 1 ? '=' : '≠'}
            </span>
            <span className={classes.chipValue}>{nameOf(name, value)}</span>
            <IconX size={13} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
