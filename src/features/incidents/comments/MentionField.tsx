/**
 * The text of a comment, with people offered after an `@`. Arrows choose, Enter or Tab takes, Escape closes; a tap
 * takes, too. The field shows names; the draft knows whom they stand for.
 */
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useLiveQuery } from '../../../data/queries/use-live-query.ts';
import {
  editDraft,
  insertMention,
  mentionQuery,
  type CommentDraft,
} from '../../../domain/incident/comment-draft.ts';
import { Avatar } from '../../../ui/marks/Avatar.tsx';
import look from '../../../ui/fields/Field.module.css';
import { IS_SOMEBODY } from '../../../data/queries/somebody.ts';
import classes from './comments.module.css';
import { messages as words } from './messages.ts';

/** As many as can be told apart at a glance. */
const MAX_PEOPLE = 6;

interface Person {
  id: string;
  name: string;
  avatar: string | null;
}

/** People whose name has what was typed; none while nobody is about to be mentioned. */
function usePeople(search: string | null): readonly Person[] {
  const { rows } = useLiveQuery({
    collection: 'resources',
    where: [...IS_SOMEBODY],
    search: search ?? '',
    sort: [{ field: 'name', isDescending: false }],
    groupBy: null,
    window: { start: 0, end: MAX_PEOPLE },
  });
  if (search === null) return [];
  return rows.flatMap(({ id, row: { name, avatar } }) =>
    typeof name === 'string' && name !== ''
      ? [{ id, name, avatar: typeof avatar === 'string' ? avatar : null }]
      : [],
  );
}

interface PeopleProps {
  id: string;
  people: readonly Person[];
  active: number;
  onTake: (person: Person) => void;
}

function People({ id, people, active, onTake }: PeopleProps) {
  return (
    <ul id={id} role="listbox" aria-label={words.people} className={classes.people}>
      {people.map((person, at) => (
        <li
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className={classes.person}
          // The field keeps the focus, and with it the keyboard of a phone.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(person)}
        >
          <span aria-hidden="true">
            <Avatar name={person.name} image={person.avatar} />
          </span>
          {person.name}
        </li>
      ))}
    </ul>
  );
}

interface MentionFieldProps {
  label: string;
  draft: CommentDraft;
  error?: string | undefined;
  hasFocus?: boolean;
  onChange: (draft: CommentDraft) => void;
  /** Ctrl+Enter, or the command key with it. */
  onSubmit: () => void;
}

/** `onSubmit` is called for Ctrl or ⌘ with Enter. */
export function MentionField(props: MentionFieldProps) {
  const { label, draft, error, hasFocus = false, onChange, onSubmit } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const placeCaret = useRef<number | null>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const query = caret === null ? null : mentionQuery(draft, caret);
  const asked = query === null || query.at === closedAt ? null : query;
  const people = usePeople(asked?.text ?? null);
  const active = Math.min(chosen, people.length - 1);
  useLayoutEffect(() => {
    if (placeCaret.current === null) return;
    area.current?.setSelectionRange(placeCaret.current, placeCaret.current);
    placeCaret.current = null;
  });

  const take = (person: Person | undefined) => {
    if (asked === null || caret === null || person === undefined) return;
    const next = insertMention(draft, { at: asked.at, end: caret }, person);
    placeCaret.current = next.caret;
    setCaret(next.caret);
    setChosen(0);
    onChange(next.draft);
    area.current?.focus();
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setChosen((active + 1) % people.length),
    ArrowUp: () => setChosen((active - 1 + people.length) % people.length),
    Enter: () => take(people[active]),
    Tab: () => take(people[active]),
    Escape: () => setClosedAt(asked?.at ?? null),
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, its keys are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
      return;
    }
    const act = people.length > 0 ? keys[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const isOpen = people.length > 0;
  const describedBy = error === undefined ? {} : { 'aria-describedby': `${id}-error` };
  const suggested = isOpen
    ? { 'aria-controls': `${id}-people`, 'aria-activedescendant': `${id}-people-${active}` }
    : {};
  return (
    <div className={classes.field}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      {/* oxlint-disable-next-line react/forbid-elements -- the caret is read and set while names are offered */}
      <textarea
        ref={area}
        id={id}
        className={`${look.area} ${classes.area}`}
        placeholder={words.placeholder}
        value={draft.text}
        autoFocus={hasFocus}
        aria-autocomplete="list"
        aria-invalid={error !== undefined}
        {...describedBy}
        {...suggested}
        onChange={(event) => {
          const { value, selectionStart } = event.currentTarget;
          setCaret(selectionStart);
          setChosen(0);
          if (!value.includes('@')) setClosedAt(null);
          onChange(editDraft(draft, value, selectionStart));
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setCaret(null)}
        onKeyDown={press}
      />
      {isOpen && <People id={`${id}-people`} people={people} active={active} onTake={take} />}
      {error !== undefined && (
        <span id={`${id}-error`} role="alert" className={look.error}>
          {error}
        </span>
      )}
    </div>
  );
}
