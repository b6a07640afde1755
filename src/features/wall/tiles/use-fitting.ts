import { screenSide, useElementSize } from '../use-element-size.ts';

/** Of a screen's smaller side, an entry and the gap after it: below, nobody reads it from five metres. */
const LINE_PART = 0.058;
const GAP_PART = 0.004;
/** Of an entry whose name takes two lines, which it does in a tile narrower than that. */
const TALL_PART = 0.09;
const NARROW_PART = 0.6;
/** Where any name takes two lines. */
const SLIM_PART = 0.22;
const COLUMN_PART = 0.42;

interface FittingOptions {
  /** How much larger type is than usual. */
  scale: number;
  /** How much of the screen's smaller side a line takes. */
  linePart?: number;
  /** Names are sentences, of which the first word says nothing. */
  isProse?: boolean;
}

export type Fitting = ReturnType<typeof useFitting>;

/** How many entries fit into a tile without scrolling. */
export function useFitting({ scale, linePart = LINE_PART, isProse = false }: FittingOptions) {
  const { size, measure } = useElementSize();
  const side = screenSide() * scale;
  const isTall = size.width < side * (isProse ? NARROW_PART : SLIM_PART);
  const linePx = side * (isTall ? TALL_PART : linePart);
  const lines = Math.max(1, Math.floor((size.height + side * GAP_PART) / linePx));
  const columns = Math.max(1, Math.floor(size.width / (side * COLUMN_PART)));
  return { capacity: size.height === 0 ? 0 : lines * columns, lines, columns, isTall, size, measure };
}
