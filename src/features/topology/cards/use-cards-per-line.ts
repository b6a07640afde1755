import { useCallback, useState } from 'react';
import { sizeOf, type CardSize } from '../card-size.ts';

const GAP_PX = 12;
const SIDES_PX = 32;
const MAX_PER_LINE = 12;

/** As wide as cards get: those beside each other share the line. */
function widthOf(availablePx: number, perLine: number): number {
  return (Math.max(0, availablePx - SIDES_PX) - (perLine - 1) * GAP_PX) / perLine;
}

function fitting(availablePx: number, widthPx: number): number {
  const inside = Math.max(0, availablePx - SIDES_PX);
  return Math.max(1, Math.min(MAX_PER_LINE, Math.floor((inside + GAP_PX) / (widthPx + GAP_PX))));
}

/** How many cards of a width fit beside each other; measured once before the first paint, then watched. */
export function useCardsPerLine(widthPx: number): {
  perLine: number;
  /** Where cards have less room than they were to have, they look as smaller ones do. */
  size: CardSize;
  measure: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const [available, setAvailable] = useState(0);
  const measure = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    setAvailable(element.clientWidth);
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setAvailable(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const perLine = fitting(available, widthPx);
  const size = sizeOf(available === 0 ? widthPx : Math.min(widthPx, widthOf(available, perLine)));
  return { perLine, size, measure };
}
