/**
 * YAML (and so JSON) to write, with what is wrong in it marked as it is typed; or an expression, which only the
 * server can judge. A chunk of its own, since the editor is large. The text is its own; the caller is told of each
 * change.
 */
import { yaml } from '@codemirror/lang-yaml';
import { linter, lintGutter } from '@codemirror/lint';
import { search } from '@codemirror/search';
import { useCallbackRef } from '@mantine/hooks';
import CodeMirror, { EditorState, EditorView, type ViewUpdate } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import { codeLook } from './code-look.ts';
import { useDevice } from '../Device.tsx';
import { lintYaml, schemaOf } from './yaml-lint.ts';

/** Linting waits for a pause. */
const LINT_DELAY_MS = 400;

const EXPRESSION_SETUP = { syntaxHighlighting: false, autocompletion: false, foldGutter: false } as const;
const YAML_SETUP = { ...EXPRESSION_SETUP, foldGutter: true } as const;

/** See the head of this file. */
export interface CodeEditorProps {
  label: string;
  text: string;
  schema: unknown;
  isReadOnly: boolean;
  onChange: (text: string) => void;
  /** Told of the text when something was pasted or dropped, and when the editor is left. */
  onWhole?: ((text: string) => void) | undefined;
  language?: 'yaml' | 'expression';
  minHeight?: string;
}

function yamlExtensions(schema: unknown) {
  const validator = schemaOf(schema);
  return [
    yaml(),
    lintGutter(),
    linter(
      (view) =>
        lintYaml(view.state.doc.toString(), validator).map((problem) => ({
          from: Math.min(problem.from, view.state.doc.length),
          to: Math.min(problem.to, view.state.doc.length),
          severity: 'error' as const,
          message: problem.message,
        })),
      { delay: LINT_DELAY_MS },
    ),
  ];
}

/** `schema` is a JSON schema; `onChange` gets the whole text. */
export function CodeEditor(props: CodeEditorProps) {
  const {
    label,
    text,
    schema,
    isReadOnly,
    onChange,
    onWhole,
    language = 'yaml',
    minHeight = '200px',
  } = props;
  const { styleNonce } = useDevice();
  const extensions = useMemo(() => {
    return [
      ...(language === 'yaml' ? yamlExtensions(schema) : []),
      codeLook,
      search({ top: true }),
      EditorView.lineWrapping,
      EditorState.readOnly.of(isReadOnly),
      EditorView.cspNonce.of(styleNonce),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-readonly': String(isReadOnly),
        tabindex: '0',
      }),
    ];
  }, [styleNonce, schema, isReadOnly, label, language]);
  // With another function, or other settings, the editor would set up all of its parts anew.
  const handleChange = useCallbackRef((changed: string, { transactions }: ViewUpdate) => {
    onChange(changed);
    const isPasted = transactions.some(
      (one) => one.isUserEvent('input.paste') || one.isUserEvent('input.drop'),
    );
    if (isPasted) onWhole?.(changed);
  });
  return (
    <CodeMirror
      value={text}
      theme="none"
      editable={!isReadOnly}
      minHeight={minHeight}
      maxHeight="56vh"
      // Tab leaves the editor: a keyboard must not be caught in it.
      indentWithTab={false}
      basicSetup={language === 'yaml' ? YAML_SETUP : EXPRESSION_SETUP}
      extensions={extensions}
      onChange={handleChange}
      onBlur={() => onWhole?.(text)}
    />
  );
}
