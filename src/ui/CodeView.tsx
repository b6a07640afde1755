/** YAML to read: foldable, selectable, never editable. A chunk of its own, since the editor is large. */
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import CodeMirror, { EditorState, EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { useDevice } from './Device.tsx';
import { messages } from './messages.ts';

const look = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-content': { fontFamily: 'var(--mono)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
});

/** Neutral tones and the accent: red, orange, green and grey are kept for health. */
const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--ink)', fontWeight: '600' },
  { tag: [tags.comment, tags.punctuation, tags.separator], color: 'var(--ink-3)' },
]);

export function CodeView({ text }: { text: string }) {
  const { styleNonce } = useDevice();
  const extensions = useMemo(
    () => [
      yaml(),
      look,
      syntaxHighlighting(colors),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.cspNonce.of(styleNonce),
      EditorView.contentAttributes.of({
        'aria-label': messages.yaml,
        'aria-readonly': 'true',
        tabindex: '0',
      }),
    ],
    [styleNonce],
  );
  return (
    <CodeMirror
      value={text}
      theme="none"
      editable={false}
      basicSetup={{ highlightActiveLine: false, highlightActiveLineGutter: false, syntaxHighlighting: false }}
      extensions={extensions}
    />
  );
}
