/** YAML to read: searchable, foldable, never editable. A chunk of its own, since the editor is large. */
import { yaml } from '@codemirror/lang-yaml';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { EditorState, EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { useDevice } from './Device.tsx';
import { messages } from './messages.ts';

const look = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'transparent' },
  '.cm-content': { fontFamily: 'var(--mono)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
});

export function CodeView({ text }: { text: string }) {
  const { styleNonce } = useDevice();
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(
    () => [
      yaml(),
      look,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.cspNonce.of(styleNonce),
      EditorView.contentAttributes.of({ 'aria-label': messages.yaml, 'aria-readonly': 'true' }),
    ],
    [styleNonce],
  );
  return (
    <CodeMirror
      value={text}
      theme={scheme}
      editable={false}
      basicSetup={{ highlightActiveLine: false, highlightActiveLineGutter: false, foldGutter: true }}
      extensions={extensions}
    />
  );
}
