/** Chooses one of many by a search: a person, a team, or a thing that a playbook runs on. */
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import { SearchBox } from '../../../ui/fields/SearchBox.tsx';
import { Popover } from '../../../ui/overlays/Popover.tsx';
import type { PlaybookResourceKind } from '../../../contract/http/playbooks/playbooks.ts';
import { useNamed, useResources, type Found, type Option } from './found.ts';
import { messages } from './messages.ts';
import classes from './start.module.css';

/** Where the options come from. */
export type Source =
  | { kind: 'named'; of: 'people' | 'team' }
  | { kind: 'resource'; of: PlaybookResourceKind; selectors: readonly Record<string, unknown>[] };

interface PickerProps {
  label: string;
  /** What is chosen; null for nothing. */
  chosen: { id: string; text: ReactNode; spoken: string } | null;
  source: Source;
  onChoose: (option: Option | null) => void;
  isClearable?: boolean;
  isDisabled?: boolean;
  isWrong?: boolean;
}

function Choice(props: { option: Option; isChosen: boolean; onChoose: () => void }) {
  const { option, isChosen, onChoose } = props;
  return (
    <li>
      <button type="button" className={classes.choice} aria-pressed={isChosen} onClick={onChoose}>
        <span className={classes.choiceText}>{option.name}</span>
        {(option.note ?? '') !== '' && <span className={classes.choiceNote}>{option.note}</span>}
        {isChosen && <IconCheck size={15} aria-hidden />}
      </button>
    </li>
  );
}

type ListProps = Pick<PickerProps, 'chosen' | 'onChoose' | 'isClearable'> & { search: string };

function ResourceList({ source, ...props }: ListProps & { source: Extract<Source, { kind: 'resource' }> }) {
  return <List {...props} found={useResources(source.of, source.selectors, props.search)} />;
}

function NamedList({ source, ...props }: ListProps & { source: Extract<Source, { kind: 'named' }> }) {
  return <List {...props} found={useNamed(source.of, props.search)} />;
}

function List(props: ListProps & { found: Found }) {
  const { search, chosen, onChoose, isClearable = false } = props;
  const { options, isLoading, needsSearch, hint } = props.found;
  const isEmpty = options.length === 0;
  const note = needsSearch ? messages.typeToSearch : isLoading ? messages.searching : messages.noOptions;
  return (
    <>
      <ul className={classes.choices}>
        {isClearable && search === '' && chosen !== null && (
          <Choice option={{ id: '', name: messages.none }} isChosen={false} onChoose={() => onChoose(null)} />
        )}
        {options.map((option) => (
          <Choice
            key={option.id}
            option={option}
            isChosen={option.id === chosen?.id}
            onChoose={() => onChoose(option)}
          />
        ))}
      </ul>
      {isEmpty && (
        <p className={classes.panelNote} role="status">
          {note}
        </p>
      )}
      {(hint ?? '') !== '' && <p className={classes.panelNote}>{hint}</p>}
    </>
  );
}

function Options(props: Omit<ListProps, 'search'> & Pick<PickerProps, 'label' | 'source'>) {
  const { label, source, ...list } = props;
  const [search, setSearch] = useState('');
  return (
    <div className={classes.panel}>
      <SearchBox
        label={messages.search(label)}
        placeholder={messages.search(label)}
        clearLabel={messages.clearSearch}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      {source.kind === 'named' ? (
        <NamedList key={search} {...list} search={search} source={source} />
      ) : (
        <ResourceList {...list} search={search} source={source} />
      )}
    </div>
  );
}

/** See the head of this file. */
export function Picker(props: PickerProps) {
  const { label, chosen, onChoose, isDisabled = false, isWrong = false } = props;
  return (
    <Popover
      kind="dialog"
      label={label}
      trigger={(trigger) => (
        <Button
          {...trigger}
          className={classes.picker ?? ''}
          disabled={isDisabled}
          aria-label={messages.picked(label, chosen?.spoken ?? messages.none)}
          data-wrong={isWrong ? '' : undefined}
        >
          <span className={classes.pickerText}>{chosen?.text ?? messages.choose}</span>
          <IconChevronDown size={14} aria-hidden />
        </Button>
      )}
    >
      {(close) => (
        <Options
          label={label}
          source={props.source}
          chosen={chosen}
          isClearable={props.isClearable === true}
          onChoose={(option) => {
            close();
            onChoose(option);
          }}
        />
      )}
    </Popover>
  );
}
