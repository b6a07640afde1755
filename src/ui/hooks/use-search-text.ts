/**
 * The search text of a page: kept outside of what is drawn, so that a key draws nothing but the field, and written to
 * the link a moment later. What is typed always wins over the link's own echo; only a link that changed from outside
 * (back, a link followed) replaces the text.
 */
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Spec 1 §9, unless the page says another one. */
const LINK_DELAY_MS = 400;

interface Field {
  /** What the field begins with; typing leaves it as it is. */
  seed: string;
  /** Rises whenever the text was replaced from outside. */
  seedId: number;
  setText: (text: string) => void;
  /** Empties the search, also what the field shows. */
  clear: () => void;
}

interface AskedText extends Field {
  /** The text as it is now; another function only where the text was replaced from outside. */
  readText: () => string;
}

/**
 * For a page that asks for its rows itself when the text changes: a key draws nothing of it, the answer does. `onLink`
 * writes the text to the address, `delayMs` after the last key.
 */
export function useAskedText(
  linked: string,
  onLink: (text: string) => void,
  delayMs: number = LINK_DELAY_MS,
): AskedText {
  const [state, setState] = useState({ seed: linked, seen: linked, own: [] as string[], seedId: 0 });
  const { seed, seedId } = state;
  const typed = useRef({ text: linked, seedId });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The link may have changed while the text waited: it is written beside what is there by then.
  const latest = useRef(onLink);
  useEffect(() => {
    latest.current = onLink;
  });

  if (linked !== state.seen) {
    const isEcho = state.own.includes(linked);
    setState({
      seed: isEcho ? seed : linked,
      seen: linked,
      own: isEcho ? state.own.slice(state.own.indexOf(linked) + 1) : [],
      seedId: isEcho ? seedId : seedId + 1,
    });
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const link = useCallback(
    (text: string) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        setState((before) => (before.seen === text ? before : { ...before, own: [...before.own, text] }));
        latest.current(text);
      }, delayMs);
    },
    [delayMs],
  );
  const readText = useCallback(
    () => (typed.current.seedId === seedId ? typed.current.text : seed),
    [seed, seedId],
  );
  const setText = useCallback(
    (text: string) => {
      typed.current = { text, seedId };
      link(text);
    },
    [link, seedId],
  );
  const clear = useCallback(() => {
    link('');
    setState((before) => ({ ...before, seed: '', seedId: before.seedId + 1 }));
  }, [link]);
  return { seed, seedId, readText, setText, clear };
}

/**
 * The same for a page whose question follows from what it draws: drawn when nothing more urgent waits. The text that is
 * drawn is state: were it read from beside, a draw that changes no state would see it too early, and React forgets the
 * effects of such a draw without having run them.
 */
export function useSearchText(linked: string, onLink: (text: string) => void): Field & { text: string } {
  const { readText: _, setText: keep, ...field } = useAskedText(linked, onLink);
  const { seed, seedId } = field;
  const [drawn, setDrawn] = useState({ text: linked, seedId });
  const setText = useCallback(
    (text: string) => {
      keep(text);
      startTransition(() => setDrawn({ text, seedId }));
    },
    [keep, seedId],
  );
  return { ...field, text: drawn.seedId === seedId ? drawn.text : seed, setText };
}
