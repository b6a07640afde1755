/**
 * A search field that keeps its own text: what is typed is never overwritten by anything slower (the URL, a
 * worker's answer), so no character is lost. A new `seed` from outside (a link, a reset) replaces the text.
 */
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Ref } from 'react';
import classes from './Field.module.css';
import own from './SearchBox.module.css';
import { focusFirstRow } from '../tables/row-keys.ts';

/** The workers refuse longer questions. */
const MAX_CHARS = 1000;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  clearLabel: string;
  /** Text to start from; taken again whenever `seedId` changes. */
  seed: string;
  seedId: number;
  onChange: (text: string) => void;
  /** Key that focuses the field, shown as a hint. */
  hint?: string;
  inputRef?: Ref<HTMLInputElement>;
  className?: string;
}

/** Raise `seedId` to put `seed` in the place of what was typed. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, clearLabel, seed, seedId, onChange, hint, inputRef, className = '' } = props;
  const [typed, setTyped] = useState({ text: seed, seedId });
  const text = typed.seedId === seedId ? typed.text : seed;
  const change = (next: string) => {
    setTyped({ text: next, seedId });
    onChange(next);
  };
  return (
    <span className={`${classes.box} ${className}`}>
      <input
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={MAX_CHARS}
        enterKeyHint="search"
        className={`${classes.input} ${classes.withIcon} ${classes.withClear} ${own.search}`}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && focusFirstRow()) event.preventDefault();
          if (event.key !== 'Escape') return;
          // Once to clear it, once more to leave it.
          if (text === '') event.currentTarget.blur();
          else change('');
          event.stopPropagation();
        }}
      />
      <IconSearch size={15} className={classes.leading} aria-hidden />
      {text === '' && hint !== undefined && (
        <kbd className={classes.hint} aria-hidden="true">
          {hint}
        </kbd>
      )}
      {text !== '' && (
        <button type="button" className={classes.clear} aria-label={clearLabel} onClick={() => change('')}>
          <IconX size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}
