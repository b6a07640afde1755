/**
 * A text that is edited where it stands. Told when it settles (a pause, Enter, leaving the field), never emptied;
 * Escape brings back what was there. While it is edited, news from elsewhere don't overwrite what is typed.
 */
import { useEffect, useRef, useState } from 'react';
import classes from './EditableText.module.css';

interface EditableTextProps {
  label: string;
  value: string;
  delayMs: number;
  maxLength: number;
  onSettle: (value: string) => void;
  look?: 'title' | 'line';
}

export function EditableText(props: EditableTextProps) {
  const { label, value, delayMs, maxLength, onSettle, look = 'line' } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const told = useRef(value);
  const settle = (text: string) => {
    const next = text.trim();
    if (next === '' || next === told.current) return;
    told.current = next;
    onSettle(next);
  };
  const latest = useRef(settle);
  useEffect(() => {
    latest.current = settle;
    if (draft === null) told.current = value;
  });
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => latest.current(draft), delayMs);
    return () => clearTimeout(timer);
  }, [draft, delayMs]);
  return (
    <input
      type="text"
      aria-label={label}
      autoComplete="off"
      maxLength={maxLength}
      data-unsaved={draft === null ? undefined : ''}
      className={`${classes.input} ${classes[look]}`}
      value={draft ?? value}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key !== 'Escape' || draft === null) return;
        event.preventDefault();
        setDraft(null);
      }}
      onBlur={() => {
        if (draft !== null) settle(draft);
        setDraft(null);
      }}
    />
  );
}
