/**
 * The search text: applied on the keystroke, written to the link a moment later. What is typed always wins over
 * the link's own echo; only a link that changed from outside (back, a link followed) replaces the text.
 */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Spec 1 §9. */
const LINK_DELAY_MS = 400;

interface SearchText {
  text: string;
  /** Rises whenever the text was replaced from outside. */
  seedId: number;
  setText: (text: string) => void;
  /** Empties the search, also what the field shows. */
  clear: () => void;
}

/** `onLink` writes the text to the address. */
export function useSearchText(linked: string, onLink: (text: string) => void): SearchText {
  const [state, setState] = useState({ text: linked, seen: linked, own: [] as string[], seedId: 0 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // The link may have changed while the text waited: it is written beside what is there by then.
  const latest = useRef(onLink);
  useEffect(() => {
    latest.current = onLink;
  });

  if (linked !== state.seen) {
    const isEcho = state.own.includes(linked);
    setState({
      text: isEcho ? state.text : linked,
      seen: linked,
      own: isEcho ? state.own.slice(state.own.indexOf(linked) + 1) : [],
      seedId: isEcho ? state.seedId : state.seedId + 1,
    });
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const setText = useCallback((text: string) => {
    setState((before) => ({ ...before, text }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setState((before) => (before.seen === text ? before : { ...before, own: [...before.own, text] }));
      latest.current(text);
    }, LINK_DELAY_MS);
  }, []);
  const clear = useCallback(() => {
    setText('');
    setState((before) => ({ ...before, seedId: before.seedId + 1 }));
  }, [setText]);
  return { text: state.text, seedId: state.seedId, setText, clear };
}
