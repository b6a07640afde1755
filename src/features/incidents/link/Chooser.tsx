/**
 * Chooses one of what is there, or makes something new of what was typed (the combobox pattern, its list always in
 * sight: nothing moves under the thumb when the field is left).
 */
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../ui/actions/Button.tsx';
import shared from '../../../ui/fields/Field.module.css';
import { FieldFrame, inputClass, useField } from '../../../ui/form/FieldFrame.tsx';
import { Tag } from '../../../ui/marks/Tag.tsx';
import classes from './chooser.module.css';
import type { Choice } from './link-schema.ts';
import { messages } from './messages.ts';

const words = messages;
const TITLE_LENGTH = 500;

export interface Offer {
  id: string;
  title: string;
  hint: string;
}

interface ChooserProps {
  /** Path of the choice in the form. */
  name: 'incident' | 'hypothesis';
  label: string;
  value: Choice | null;
  onChoose: (choice: Choice | null) => void;
  query: string;
  onQuery: (query: string) => void;
  placeholder: string;
  offers: readonly Offer[];
  /** How many there are, with those that aren't offered. */
  total: number;
  /** Said when nothing matches. */
  empty: string;
  hint?: string;
  isRequired?: boolean;
}

interface Entry {
  key: string;
  choice: Choice;
  hint: string | null;
}

function entriesOf(offers: readonly Offer[], query: string): Entry[] {
  const title = query.trim();
  const found = offers.map((offer) => ({
    key: offer.id,
    choice: { kind: 'existing' as const, id: offer.id, title: offer.title },
    hint: offer.hint,
  }));
  if (title === '') return found;
  return [...found, { key: 'new', choice: { kind: 'new' as const, title }, hint: null }];
}

function Chosen(props: { choice: Choice; label: string; onChange: () => void }) {
  const { choice, label, onChange } = props;
  return (
    <div className={classes.chosen}>
      <span className={classes.title}>{choice.title}</span>
      {choice.kind === 'new' && <Tag value={words.isNew} />}
      <Button look="quiet" aria-label={words.changeOf(label)} onClick={onChange}>
        {words.change}
      </Button>
    </div>
  );
}

function useActive(count: number) {
  const [active, setActive] = useState(-1);
  return { active: active < count ? active : -1, setActive };
}

function Search(props: ChooserProps & { hasFocus: boolean }) {
  const { name, label, onChoose, query, onQuery, placeholder, offers, total, empty, hasFocus } = props;
  const field = useField({ name, label, ...(props.isRequired === true ? { isRequired: true } : {}) });
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const entries = entriesOf(offers, query);
  const { active, setActive } = useActive(entries.length);
  useEffect(() => {
    if (hasFocus) input.current?.focus();
  }, [hasFocus]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const next = (active + step + entries.length) % entries.length;
      setActive(active === -1 && step === -1 ? entries.length - 1 : next);
    }
    if (event.key !== 'Enter') return;
    // Choosing is not sending.
    event.preventDefault();
    const entry = entries[active] ?? (query.trim() === '' ? undefined : entries.at(-1));
    if (entry !== undefined) onChoose(entry.choice);
  };
  return (
    <FieldFrame {...props} field={field}>
      <input
        {...field.control}
        ref={(element) => {
          input.current = element;
          field.attach(element);
        }}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : `${listId}-${active}`}
        autoComplete="off"
        maxLength={TITLE_LENGTH}
        placeholder={placeholder}
        className={inputClass(field)}
        value={query}
        onChange={(event) => {
          setActive(-1);
          onQuery(event.currentTarget.value);
        }}
        onKeyDown={handleKey}
      />
      {entries.length > 0 && (
        <ul id={listId} role="listbox" aria-label={label} className={classes.list}>
          {entries.map(({ key, choice, hint }, at) => (
            <li
              key={key}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === active}
              className={`${classes.option} ${at === active ? classes.active : ''}`}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              <span className={`${classes.title} ${choice.kind === 'new' ? classes.create : ''}`}>
                {choice.kind === 'new' ? words.create(choice.title) : choice.title}
              </span>
              {hint !== null && <span className={classes.hint}>{hint}</span>}
            </li>
          ))}
        </ul>
      )}
      {offers.length === 0 && <p className={classes.note}>{empty}</p>}
      {total > offers.length && <p className={classes.note}>{words.more(total - offers.length)}</p>}
    </FieldFrame>
  );
}

/** A choice with its search; what was chosen stands in its place and can be changed. */
export function Chooser(props: ChooserProps) {
  const { label, value, onChoose } = props;
  const [wasChanged, setWasChanged] = useState(false);
  if (value === null) return <Search {...props} hasFocus={wasChanged} />;
  return (
    <div className={shared.stacked}>
      <span className={shared.caption}>{label}</span>
      <Chosen
        choice={value}
        label={label}
        onChange={() => {
          setWasChanged(true);
          onChoose(null);
        }}
      />
    </div>
  );
}
