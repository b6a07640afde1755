/** Chooses one person or component of those that this device knows: a search, then the matches. */
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useLiveQuery } from '../../data/queries/use-live-query.ts';
import { useLiveRow } from '../../data/queries/use-live-row.ts';
import { Button } from '../../ui/actions/Button.tsx';
import { Popover } from '../../ui/overlays/Popover.tsx';
import { SearchBox } from '../../ui/fields/SearchBox.tsx';
import { JudgedMark } from '../../ui/page/JudgedMark.tsx';
import { messages as shared } from './messages.ts';
import { IS_AUTHOR, IS_SOMEBODY } from '../../data/queries/somebody.ts';
import classes from './resource-picker.module.css';
import { PAGE_ROWS } from './page-rows.ts';

/** A person to be asked for something, anybody who made something, or a component. */
type Kind = 'person' | 'author' | 'component';
type Named = { id: string; name?: unknown };

const words = shared.picker;
const PLACES = {
  person: { collection: 'resources', where: IS_SOMEBODY },
  author: { collection: 'resources', where: IS_AUTHOR },
  component: { collection: 'components', where: [] },
} as const;

interface ResourcePickerProps {
  label: string;
  kind: Kind;
  value: string | null;
  /** What no choice is called. */
  none: string;
  onChange: (id: string | null) => void;
  /** The label stands above, in the button, or is only spoken. */
  caption?: 'above' | 'inside' | 'hidden';
}

const nameOf = ({ id, name }: Named) => (typeof name === 'string' && name !== '' ? name : id);

function Choice(props: {
  text: string;
  isChosen: boolean;
  onChoose: () => void;
  /** Of a component. */
  componentId?: string;
}) {
  const { componentId } = props;
  return (
    <li>
      <button type="button" className={classes.choice} aria-pressed={props.isChosen} onClick={props.onChoose}>
        <span className={classes.text}>{props.text}</span>
        {componentId !== undefined && <JudgedMark kind="component" id={componentId} />}
        {props.isChosen && <IconCheck size={15} aria-hidden />}
      </button>
    </li>
  );
}

function Matches({ kind, value, none, onChange }: Omit<ResourcePickerProps, 'label'>) {
  const [search, setSearch] = useState('');
  const { collection, where } = PLACES[kind];
  const { rows, total, isLoaded } = useLiveQuery({
    collection,
    where: [...where],
    search,
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: PAGE_ROWS },
  });
  return (
    <div className={classes.panel}>
      <SearchBox
        label={words.search[kind]}
        placeholder={words.search[kind]}
        clearLabel={words.clearSearch}
        seed=""
        seedId={0}
        onChange={setSearch}
      />
      <ul className={classes.matches}>
        {search === '' && <Choice text={none} isChosen={value === null} onChoose={() => onChange(null)} />}
        {rows.map(({ id, row }) => (
          <Choice
            key={id}
            text={nameOf(row)}
            isChosen={id === value}
            onChoose={() => onChange(id)}
            {...(kind === 'component' ? { componentId: id } : {})}
          />
        ))}
      </ul>
      {isLoaded && total === 0 && <p className={classes.note}>{words.noMatch}</p>}
      {total > rows.length && rows.length > 0 && (
        <p className={classes.note}>{words.more(total - rows.length)}</p>
      )}
    </div>
  );
}

/** `none` is what stands there while nothing is chosen. */
export function ResourcePicker(props: ResourcePickerProps) {
  const { label, kind, value, none, onChange, caption = 'inside' } = props;
  const found = useLiveRow(PLACES[kind].collection, value ?? '');
  // An id says nothing to anybody: it stands there only where the name is known not to be.
  const named = found === undefined ? words.loading : nameOf(found?.row ?? { id: value ?? '' });
  const chosen = value === null ? none : named;
  const picker = (
    <Popover
      kind="dialog"
      label={label}
      trigger={(trigger) => (
        <Button
          {...trigger}
          className={classes.button ?? ''}
          aria-label={words.button(label, chosen)}
          isPressed={caption === 'inside' && value !== null}
        >
          {caption === 'inside' && (
            // With its colon, as the name says it: what is read aloud is what is seen.
            <span className={classes.inside}>{words.button(label, '')}</span>
          )}
          <span className={classes.text}>{chosen}</span>
          <IconChevronDown size={14} aria-hidden />
        </Button>
      )}
    >
      {(close) => (
        <Matches
          kind={kind}
          value={value}
          none={none}
          onChange={(id) => {
            close();
            onChange(id);
          }}
        />
      )}
    </Popover>
  );
  if (caption !== 'above') return picker;
  return (
    <div className={classes.stacked}>
      <span className={classes.caption} aria-hidden="true">
        {label}
      </span>
      {picker}
    </div>
  );
}
