import { useWidth } from '../../../ui/hooks/use-width.ts';
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

/** How many cards of a width fit beside each other. */
export function useCardsPerLine(widthPx: number): {
  perLine: number;
  /** Where cards have less room than they were to have, they look as smaller ones do. */
  size: CardSize;
  measure: (element: HTMLElement | null) => (() => void) | undefined;
} {
  const { width: available, measure } = useWidth();
  const perLine = fitting(available, widthPx);
  const size = sizeOf(available === 0 ? widthPx : Math.min(widthPx, widthOf(available, perLine)));
  return { perLine, size, measure };
}
