/** Lines of cards beyond the edge of the screen, which may follow the others a frame later. */
import { useEffect, useState } from 'react';
import { afterPaint } from '../../../ui/hooks/after-paint.ts';

/** How many lines are on screen from the list's start on; all where it was scrolled away from there. */
function linesOnScreen(scroller: HTMLElement): number {
  const lines = [...scroller.querySelectorAll<HTMLElement>('[data-index]')];
  if (lines[0]?.dataset['index'] !== '0') return Infinity;
  const { bottom } = scroller.getBoundingClientRect();
  const below = lines.findIndex((line) => line.getBoundingClientRect().top >= bottom);
  return below < 0 ? Infinity : below;
}

/**
 * A list of something else begins at its start: what was on screen of the list before says which of its lines are seen in its
 * first frame. A list of the same has none ahead.
 */
export function useLinesAhead(question: string): {
  isAhead: (line: number) => boolean;
  setScroller: (element: HTMLElement | Window | null) => void;
} {
  const [own] = useState(() => {
    const sight = { question, lines: Infinity };
    let scroller: HTMLElement | null = null;
    return {
      look(painted: string) {
        sight.question = painted;
        sight.lines = scroller === null ? Infinity : linesOnScreen(scroller);
      },
      isAhead: (asked: string, line: number) => asked !== sight.question && line >= sight.lines,
      setScroller: (element: HTMLElement | Window | null) => {
        scroller = element instanceof HTMLElement ? element : null;
      },
    };
  });
  useEffect(() => afterPaint(() => own.look(question)));
  return { isAhead: (line) => own.isAhead(question, line), setScroller: own.setScroller };
}
