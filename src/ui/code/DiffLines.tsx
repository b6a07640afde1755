/** A unified diff as lines to read: what came and went is told by its sign as well as by its ground. */
import { useState } from 'react';
import { visibleText } from '../../domain/plain-text.ts';
import { Button } from '../actions/Button.tsx';
import classes from './DiffLines.module.css';
import { messages } from './messages.ts';

/** What is shown before somebody asks for more, and with each asking. */
const FIRST_LINES = 60;
const MORE_LINES = 1000;
const MAX_LINE_CHARS = 2000;

function lookOf(line: string): string | undefined {
  if (/^(?:--- |\+\+\+ |@@ |diff |index )/.test(line)) return classes.head;
  if (line.startsWith('+')) return classes.added;
  return line.startsWith('-') ? classes.removed : undefined;
}

/** A long diff shows its first lines and a button for the rest. */
export function DiffLines({ diff, label }: { diff: string; label: string }) {
  const [count, setCount] = useState(FIRST_LINES);
  const lines = diff.replace(/\n$/, '').split(/\r?\n/);
  return (
    <div className={classes.root}>
      <pre className={classes.lines} tabIndex={0} aria-label={label} role="group">
        {lines.slice(0, count).map((line, at) => (
          <span key={at} className={`${classes.line} ${lookOf(line) ?? ''}`}>
            <bdi>{visibleText(line.slice(0, MAX_LINE_CHARS)) || ' '}</bdi>
          </span>
        ))}
      </pre>
      {lines.length > count && (
        <Button look="quiet" onClick={() => setCount(count + MORE_LINES)}>
          {messages.moreLines(lines.length - count)}
        </Button>
      )}
    </div>
  );
}
