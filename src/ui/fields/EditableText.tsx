/**
 * A text that is edited where it stands. Told when it settles (a pause, Enter, leaving the field or its page), never
 * emptied; Escape brings back what was there. While it is edited, news from elsewhere don't overwrite what is typed.
 * A long one wraps, so that all of it can be read; it is one line of text all the same.
 */
import { useEffect, useRef, useState } from 'react';
import classes from './EditableText.module.css';

/** A title has none, wherever it was pasted from. */
const LINE_BREAKS = /[\r\n]\s*/g;

interface EditableTextProps {
  label: string;
  value: string;
  delayMs: number;
  maxLength: number;
  onChosen: (value: string) => void;
  look?: 'title' | 'line';
}

/** `onChosen` gets the trimmed text, only where it differs. */
export function EditableText(props: EditableTextProps) {
  const { label, value, delayMs, maxLength, onChosen, look = 'line' } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const told = useRef(value);
  const settle = (text: string) => {
    const next = text.trim();
    if (next === '' || next === told.current) return;
    told.current = next;
    onChosen(next);
  };
  const latest = useRef({ draft, settle });
  useEffect(() => {
    latest.current = { draft, settle };
    if (draft === null) told.current = value;
  });
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => latest.current.settle(draft), delayMs);
    return () => clearTimeout(timer);
  }, [draft, delayMs]);
  useEffect(
    () => () => {
      const last = latest.current;
      if (last.draft !== null) last.settle(last.draft);
    },
    [],
  );
  return (
    <span className={`${classes.field} ${classes[look]}`} data-value={draft ?? value}>
      <textarea
        rows={1}
        aria-label={label}
        autoComplete="off"
        maxLength={maxLength}
        data-unsaved={draft === null ? undefined : ''}
        className={classes.input}
        value={draft ?? value}
        onChange={(event) => setDraft(event.currentTarget.value.replaceAll(LINE_BREAKS, ' '))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.blur();
          }
          if (event.key !== 'Escape' || draft === null) return;
          event.preventDefault();
          setDraft(null);
        }}
        onBlur={() => {
          if (draft !== null) settle(draft);
          setDraft(null);
        }}
      />
    </span>
  );
}
