/** Chooses one of many by a search; where the options come from is its caller's. */
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../actions/Button.tsx';
import { messages } from './messages.ts';
import { Popover } from '../overlays/Popover.tsx';
import { JudgedMark } from '../page/JudgedMark.tsx';
import type { Judged } from '../page/ThingHealth.tsx';
import { SearchBox } from './SearchBox.tsx';
import classes from './Picker.module.css';

const words = messages.picker;

export interface PickerOption {
  id: string;
  name: string;
  /** Beside the name. */
  note?: string | null;
  /** What it is, where it has a health and may be silent. */
  thing?: Judged;
}

/** What a search found. */
export interface Found {
  options: readonly PickerOption[];
  isLoading: boolean;
  /** Nothing is listed before something is typed. */
  needsSearch: boolean;
  /** What may be said below the options. */
  hint?: string | null;
}

export interface PickerListProps {
  search: string;
  /** Id of what is chosen; null for nothing. */
  chosenId: string | null;
  isClearable: boolean;
  onChoose: (option: PickerOption | null) => void;
}

interface PickerProps {
  label: string;
  /** What is chosen; null for nothing. */
  chosen: { id: string; text: ReactNode; spoken: string } | null;
  /** Lists what a search finds: a `PickerList` over what the caller looked up. */
  list: (props: PickerListProps) => ReactNode;
  onChoose: (option: PickerOption | null) => void;
  isClearable?: boolean;
  isDisabled?: boolean;
  isWrong?: boolean;
  /** Is handed the element that takes the focus. */
  attach?: (element: HTMLElement | null) => void;
}

function Choice(props: { option: PickerOption; isChosen: boolean; onChoose: () => void }) {
  const { option, isChosen, onChoose } = props;
  return (
    <li>
      <button type="button" className={classes.choice} aria-pressed={isChosen} onClick={onChoose}>
        <span className={classes.choiceText}>{option.name}</span>
        {(option.note ?? '') !== '' && <span className={classes.choiceNote}>{option.note}</span>}
        {option.thing !== undefined && <JudgedMark {...option.thing} />}
        {isChosen && <IconCheck size={15} aria-hidden />}
      </button>
    </li>
  );
}

/** What was found, to choose from. */
export function PickerList({
  search,
  chosenId,
  isClearable,
  onChoose,
  found,
}: PickerListProps & { found: Found }) {
  const { options, isLoading, needsSearch, hint } = found;
  const note = needsSearch ? words.typeToSearch : isLoading ? words.searching : words.noOptions;
  return (
    <>
      <ul className={classes.choices}>
        {isClearable && search === '' && chosenId !== null && (
          <Choice option={{ id: '', name: words.none }} isChosen={false} onChoose={() => onChoose(null)} />
        )}
        {options.map((option) => (
          <Choice
            key={option.id}
            option={option}
            isChosen={option.id === chosenId}
            onChoose={() => onChoose(option)}
          />
        ))}
      </ul>
      {options.length === 0 && (
        <p className={classes.panelNote} role="status">
          {note}
        </p>
      )}
      {(hint ?? '') !== '' && <p className={classes.panelNote}>{hint}</p>}
    </>
  );
}

function Options({
  label,
  list,
  ...props
}: Omit<PickerListProps, 'search'> & Pick<PickerProps, 'label' | 'list'>) {
  const [search, setSearch] = useState('');
  return (
    <div className={classes.panel}>
      <SearchBox
        label={words.search(label)}
        placeholder={words.search(label)}
        clearLabel={words.clearSearch}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      {list({ ...props, search })}
    </div>
  );
}

/** See the head of this file. */
export function Picker(props: PickerProps) {
  const {
    label,
    chosen,
    list,
    onChoose,
    isClearable = false,
    isDisabled = false,
    isWrong = false,
    attach,
  } = props;
  return (
    <span className={classes.root} ref={(root) => attach?.(root?.querySelector('button') ?? null)}>
      <Popover
        kind="dialog"
        label={label}
        trigger={(trigger) => (
          <Button
            {...trigger}
            className={classes.picker ?? ''}
            disabled={isDisabled}
            aria-label={words.picked(label, chosen?.spoken ?? words.choose)}
            data-wrong={isWrong ? '' : undefined}
          >
            <span className={classes.pickerText}>{chosen?.text ?? words.choose}</span>
            <IconChevronDown size={14} aria-hidden />
          </Button>
        )}
      >
        {(close) => (
          <Options
            label={label}
            list={list}
            chosenId={chosen?.id ?? null}
            isClearable={isClearable}
            onChoose={(option) => {
              close();
              onChoose(option);
            }}
          />
        )}
      </Popover>
    </span>
  );
}
