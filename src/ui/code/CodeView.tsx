/** YAML to read: foldable, selectable, never editable. A chunk of its own, since the editor is large. */
import { yaml } from '@codemirror/lang-yaml';
import CodeMirror, { EditorState, EditorView } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { codeLook } from './code-look.ts';
import { useDevice } from '../Device.tsx';
import { messages } from './messages.ts';

const SETUP = {
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  syntaxHighlighting: false,
} as const;

/** Import it with `lazy`. */
export function CodeView({ text }: { text: string }) {
  const { styleNonce } = useDevice();
  const extensions = useMemo(
    () => [
      yaml(),
      codeLook,
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
  return <CodeMirror value={text} theme="none" editable={false} basicSetup={SETUP} extensions={extensions} />;
}
