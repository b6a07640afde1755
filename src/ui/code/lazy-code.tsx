/** The reader and the editor of code, loaded when first shown: they are large. Without them there is the plain text. */
import { useState } from 'react';
import type { CodeEditorProps } from './CodeEditor.tsx';
import { lazyPart } from '../page/lazy-part.tsx';
import classes from './lazy-code.module.css';

function PlainText({ text }: { text: string }) {
  return <pre className={classes.text}>{text}</pre>;
}

function PlainEditor({ label, text, isReadOnly, minHeight = '200px', onChange, onWhole }: CodeEditorProps) {
  const [written, setWritten] = useState({ over: text, value: text });
  const value = written.over === text ? written.value : text;
  const handleChange = (next: string) => {
    setWritten({ over: text, value: next });
    onChange(next);
  };
  return (
    <textarea
      className={classes.editor}
      style={{ minHeight }}
      aria-label={label}
      readOnly={isReadOnly}
      spellCheck={false}
      value={value}
      onChange={(event) => handleChange(event.currentTarget.value)}
      onBlur={() => onWhole?.(value)}
    />
  );
}

/** YAML to read (CodeView.tsx). */
export const CodeView = lazyPart(async () => (await import('./CodeView.tsx')).CodeView, PlainText);

/** YAML or an expression to write (CodeEditor.tsx). */
export const CodeEditor = lazyPart(async () => (await import('./CodeEditor.tsx')).CodeEditor, PlainEditor);
