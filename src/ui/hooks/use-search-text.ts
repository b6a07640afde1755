/**
 * The search text: drawn when nothing more urgent waits, so that the field never does, and written to the link a moment
 * later. What is typed always wins over the link's own echo; only a link that changed from outside
 * (back, a link followed) replaces the text.
 */
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Spec 1 §9. */
const LINK_DELAY_MS = 400;

interface SearchText {
  text: string;
  /** What the field begins with; typing leaves it as it is. */
  seed: string;
  /** Rises whenever the text was replaced from outside. */
  seedId: number;
  setText: (text: string) => void;
  /** Empties the search, also what the field shows. */
  clear: () => void;
}

/** `onLink` writes the text to the address. */
export function useSearchText(linked: string, onLink: (text: string) => void): SearchText {
  const [state, setState] = useState({
    text: linked,
    seed: linked,
    seen: linked,
    own: [] as string[],
    seedId: 0,
  });
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
      seed: isEcho ? state.seed : linked,
      seen: linked,
      own: isEcho ? state.own.slice(state.own.indexOf(linked) + 1) : [],
      seedId: isEcho ? state.seedId : state.seedId + 1,
    });
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const link = useCallback((text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setState((before) => (before.seen === text ? before : { ...before, own: [...before.own, text] }));
      latest.current(text);
    }, LINK_DELAY_MS);
  }, []);
  const setText = useCallback(
    (text: string) => {
      link(text);
      startTransition(() => setState((before) => ({ ...before, text })));
    },
    [link],
  );
  const clear = useCallback(() => {
    link('');
    setState((before) => ({ ...before, text: '', seed: '', seedId: before.seedId + 1 }));
  }, [link]);
  return { text: state.text, seed: state.seed, seedId: state.seedId, setText, clear };
}
