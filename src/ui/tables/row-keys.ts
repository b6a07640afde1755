/**
 * The keys of every list: arrows, `j` and `k` go from row to row, Page Up and Page Down a screen of them, Home and End to the first
 * and the last one, whether it is in the page yet or not. Enter is the row's own: rows are links, buttons, or take the
 * focus themselves. Owns where the focus goes, and nothing of how rows look.
 */
import type { KeyboardEvent, RefObject } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import { lookupTable } from '../../lib/lookup-table.ts';

const ROWS = ':is([data-row-link], [data-row-kind]):is(a, button, [tabindex])';
/** Where rows lead nowhere, the first thing in the list that can be used. */
const IN_LISTS = ':is(tbody, ul, ol, [role="list"]) :is(a, button:not(:disabled), input)';
/** As react-virtuoso and FixedRows mark what scrolls, and each row. */
const SCROLLER = ':is([data-virtuoso-scroller], [data-row-scroller])';
const ITEM = '[data-index]';
const PAGE_ROWS = 15;

const next = (at: number, last: number) => Math.min(at + 1, last);
const previous = (at: number) => Math.max(at - 1, 0);

const MOVES = lookupTable<(at: number, last: number) => number>({
  ArrowDown: next,
  j: next,
  ArrowUp: previous,
  k: previous,
  PageDown: (at, last) => Math.min(at + PAGE_ROWS, last),
  PageUp: (at) => Math.max(at - PAGE_ROWS, 0),
  Home: () => 0,
  End: (_, last) => last,
});

function moveOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) {
  return ctrlKey || metaKey || altKey || shiftKey ? undefined : MOVES[key];
}

/** Goes to the first row of the page's list; false where there is none that takes the focus. */
export function focusFirstRow(): boolean {
  for (const selector of [ROWS, IN_LISTS]) {
    for (const row of document.querySelectorAll<HTMLElement>(`main ${selector}`)) {
      row.focus();
      // What is hidden, or behind a dialog, doesn't take it.
      if (document.activeElement === row) return true;
    }
  }
  return false;
}

/** The keys of a list that is in the page as a whole. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const move = moveOf(event);
  if (move === undefined || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.indexOf(event.target);
  const to = at === -1 ? at : move(at, rows.length - 1);
  if (to === at) return;
  event.preventDefault();
  rows[to]?.focus();
}

/** What of a list's handle the keys need. */
interface ListHandle {
  scrollIntoView: (location: { index: number; behavior: 'auto'; done: () => void }) => void;
}

interface RowKeys {
  /** Rows, in the page or not. */
  count: number;
  /** The list itself is the one tab stop, and a key leads from it to its rows. */
  isTabStop?: boolean;
  /** A key of a row's own; true where it does something. */
  onKey?: ((key: string, index: number) => boolean) | undefined;
}

/** The keys of a list of which the page holds what is on screen; `list` is its handle. */
export function useRowKeys<Handle extends ListHandle>({
  count,
  isTabStop = false,
  onKey,
}: RowKeys): {
  list: RefObject<Handle | null>;
  handleKey: (event: KeyboardEvent<HTMLElement>) => void;
  /** From `onKey`: to another row. */
  focusRow: (index: number) => void;
} {
  const list = useRef<Handle>(null);
  /** The row that the focus is on its way to: it may have to be read first. */
  const wanted = useRef<{ index: number; root: HTMLElement } | null>(null);
  const lastRoot = useRef<HTMLElement>(null);
  const focusWanted = useCallback(() => {
    if (wanted.current === null) return;
    const { index, root } = wanted.current;
    // Somebody went elsewhere meanwhile.
    if (!root.contains(document.activeElement)) wanted.current = null;
    const row = root.querySelector(`[data-index="${index}"]`)?.querySelector<HTMLElement>(ROWS);
    if (wanted.current === null || row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  }, []);
  useEffect(focusWanted);

  const goTo = (to: number, root: HTMLElement) => {
    wanted.current = { index: to, root };
    // The row may leave the page while the list scrolls; the next key is still the list's.
    if (root.querySelector(`[data-index="${to}"] ${ROWS}`) === null)
      root.querySelector<HTMLElement>(SCROLLER)?.focus({ preventScroll: true });
    focusWanted();
    list.current?.scrollIntoView({ index: to, behavior: 'auto', done: focusWanted });
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const { target, currentTarget: root } = event;
    if (!(target instanceof HTMLElement)) return;
    const isRow = target.matches(ROWS);
    const isList = target.matches(SCROLLER) && (isTabStop || wanted.current !== null);
    if (!isRow && !isList) return;
    lastRoot.current = root;
    const index = target.closest<HTMLElement>(ITEM)?.dataset['index'];
    const at = isRow ? Number(index) : (wanted.current?.index ?? null);
    const move = moveOf(event);
    if (move === undefined) {
      if (at !== null && onKey?.(event.key, at) === true) event.preventDefault();
      return;
    }
    // From the list itself the first move is to an end of it.
    const to = at === null ? (event.key === 'End' ? count - 1 : 0) : move(at, count - 1);
    event.preventDefault();
    if (to !== at) goTo(to, root);
  };
  const focusRow = (index: number) => {
    if (lastRoot.current !== null && index >= 0 && index < count) goTo(index, lastRoot.current);
  };
  return { list, handleKey, focusRow };
}
