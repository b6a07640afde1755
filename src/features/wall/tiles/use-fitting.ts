import { screenSide, useElementSize } from '../use-element-size.ts';

/** Of a screen's smaller side: below, nobody reads it from five metres. */
const LINE_PART = 0.0585;
const COLUMN_PART = 0.42;
const SMALLEST_LINE_PX = 26;

/**
 * How many entries fit into a tile without scrolling. `part` is how much of the screen's smaller side a line takes,
 * `scale` how much larger type is than usual.
 */
export function useFitting({ scale, linePart = LINE_PART }: { scale: number; linePart?: number }) {
  const { size, measure } = useElementSize();
  const side = screenSide() * scale;
  const linePx = Math.max(SMALLEST_LINE_PX, side * linePart);
  const lines = Math.max(1, Math.floor(size.height / linePx));
  const columns = Math.max(1, Math.floor(size.width / (side * COLUMN_PART)));
  return { capacity: size.height === 0 ? 0 : lines * columns, lines, columns, size, measure };
}
