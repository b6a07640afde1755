/** A unified diff, as it is or side by side. A chunk of its own, since the editor and its merge view are large. */
import { MergeView } from '@codemirror/merge';
import {
  Decoration,
  EditorState,
  EditorView,
  lineNumbers,
  RangeSetBuilder,
  type DecorationSet,
  type Extension,
  type Text,
} from '@uiw/react-codemirror';
import { useEffect, useMemo, useRef } from 'react';
import { parseUnifiedDiff, sidesOf, type DiffSide } from '../../../domain/catalog/unified-diff.ts';
import { codeLook } from '../../../ui/code/code-look.ts';
import { useDevice } from '../../../ui/Device.tsx';
import classes from './changes.module.css';
import { messages } from './messages.ts';

const words = messages.detail;

/** Added and removed told by their sign and place; red and green are kept for health. */
const diffLook = EditorView.theme({
  '.cm-diffAdded': { backgroundColor: 'color-mix(in srgb, var(--accent) 16%, transparent)' },
  '.cm-diffRemoved': { backgroundColor: 'color-mix(in srgb, var(--ink) 9%, transparent)' },
  '.cm-diffHead': { color: 'var(--ink-3)' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 8%, transparent)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 12%, transparent)' },
  '&.cm-merge-a .cm-changedText': {
    background: 'color-mix(in srgb, var(--ink) 20%, transparent)',
    textDecoration: 'line-through',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--accent) 34%, transparent)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--line-strong)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--accent)' },
});

function common(styleNonce: string, label: string): Extension[] {
  return [
    codeLook,
    diffLook,
    EditorView.lineWrapping,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.cspNonce.of(styleNonce),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
  ];
}

function numbering({ numbers }: DiffSide): Extension {
  return lineNumbers({
    formatNumber: (line) => {
      const number = numbers[line - 1];
      return typeof number === 'number' ? String(number) : words.gapRest;
    },
  });
}

/** What was on the left, what is on the right; unchanged parts that the diff leaves out are said. */
export function SplitDiff({ diff }: { diff: string }) {
  const { styleNonce } = useDevice();
  const root = useRef<HTMLDivElement>(null);
  const sides = useMemo(() => sidesOf(parseUnifiedDiff(diff), words.gapRest), [diff]);
  useEffect(() => {
    if (root.current === null) return;
    const side = (part: DiffSide, label: string) => ({
      doc: part.lines.join('\n'),
      extensions: [numbering(part), ...common(styleNonce, label)],
    });
    const view = new MergeView({
      a: side(sides.before, words.before),
      b: side(sides.after, words.after),
      parent: root.current,
      gutter: true,
    });
    return () => view.destroy();
  }, [sides, styleNonce]);
  return (
    <>
      <div className={classes.sides} aria-hidden="true">
        <span>{words.before}</span>
        <span>{words.after}</span>
      </div>
      <div ref={root} />
    </>
  );
}

const MARKS = {
  '+': Decoration.line({ class: 'cm-diffAdded' }),
  '-': Decoration.line({ class: 'cm-diffRemoved' }),
  '@': Decoration.line({ class: 'cm-diffHead' }),
};

function lineMarks(doc: Text): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  let from = 0;
  for (const text of doc.iterLines()) {
    const isHead = /^(?:--- |\+\+\+ |@@ |diff |index |===)/.test(text);
    const sign = text.charAt(0);
    const mark = isHead ? MARKS['@'] : sign === '+' || sign === '-' ? MARKS[sign] : null;
    if (mark !== null) marks.add(from, from, mark);
    from += text.length + 1;
  }
  return marks.finish();
}

/** The diff's own text, coloured. */
export function UnifiedDiff({ diff }: { diff: string }) {
  const { styleNonce } = useDevice();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (root.current === null) return;
    const view = new EditorView({
      parent: root.current,
      state: EditorState.create({
        doc: diff,
        extensions: [
          ...common(styleNonce, words.tabs.unified),
          EditorView.decorations.compute(['doc'], ({ doc }) => lineMarks(doc)),
        ],
      }),
    });
    return () => view.destroy();
  }, [diff, styleNonce]);
  return <div ref={root} />;
}
