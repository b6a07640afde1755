/**
 * A document to read: numbered, foldable, searchable, never editable, and never markup. A chunk of its own, since
 * the editor is large. It writes nothing: the text is ready when it comes.
 */
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { foldAll, unfoldAll } from '@codemirror/language';
import { openSearchPanel, search } from '@codemirror/search';
import { IconFold, IconSearch, IconViewportTall } from '@tabler/icons-react';
import CodeMirror, { EditorState, EditorView, type ReactCodeMirrorRef } from '@uiw/react-codemirror';
import { useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import type { WrittenDocument } from '../../../contract/written-document.ts';
import { useWrittenDocument } from '../../../data/queries/catalog/use-catalog.ts';
import { IconButton } from '../../../ui/actions/Button.tsx';
import { codeLook } from '../../../ui/code/code-look.ts';
import { useDevice } from '../../../ui/Device.tsx';
import { SkeletonRows } from '../../../ui/feedback/Skeleton.tsx';
import { messages as ui } from '../../../ui/messages.ts';
import classes from './document.module.css';
import { messages } from './messages.ts';

const words = messages.document;

const SETUP = {
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  syntaxHighlighting: false,
  autocompletion: false,
} as const;

interface DocumentViewProps {
  label: string;
  document: WrittenDocument;
  /** Beside the document's own tools. */
  tools?: ReactNode;
}

/** `tools` stand beside its own buttons. Import it with `lazy`. */
export function DocumentView({ label, document, tools }: DocumentViewProps) {
  const { styleNonce } = useDevice();
  const editor = useRef<ReactCodeMirrorRef>(null);
  const { form, text } = document;
  const extensions = useMemo(
    () => [
      ...(form === 'json' ? [json()] : form === 'yaml' ? [yaml()] : []),
      codeLook,
      search({ top: true }),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.cspNonce.of(styleNonce),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
    ],
    [form, label, styleNonce],
  );
  const command = (run: (view: EditorView) => unknown) => () => {
    const view = editor.current?.view;
    if (view === undefined) return;
    run(view);
  };
  return (
    <div className={classes.document}>
      <div className={classes.tools}>
        {tools}
        <span className={classes.own}>
          <IconButton label={words.search} onClick={command(openSearchPanel)}>
            <IconSearch size={16} />
          </IconButton>
          {form !== 'text' && (
            <>
              <IconButton label={words.fold} onClick={command(foldAll)}>
                <IconFold size={16} />
              </IconButton>
              <IconButton label={words.unfold} onClick={command(unfoldAll)}>
                <IconViewportTall size={16} />
              </IconButton>
            </>
          )}
        </span>
      </div>
      <div className={classes.code}>
        <CodeMirror
          ref={editor}
          value={text}
          theme="none"
          editable={false}
          height="100%"
          basicSetup={SETUP}
          extensions={extensions}
        />
      </div>
    </div>
  );
}

/** Some JSON of a change, written out. */
export function JsonView({ label, json: text }: { label: string; json: string | null }) {
  const { document, error } = useWrittenDocument(text, 'json');
  if (error !== null) return <p role="alert">{messages.errorText(error)}</p>;
  if (document === null) return <SkeletonRows text={ui.loading} />;
  return <DocumentView label={label} document={document} />;
}
