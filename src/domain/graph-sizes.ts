/** How large the cards of a graph are and how far apart: the layout reckons with it, the page draws it. px. */
interface Size {
  width: number;
  height: number;
}

export interface GraphSizes {
  item: Size;
  group: Size;
  /** Between layers, and beside each other within one. */
  layerGap: number;
  cardGap: number;
}

const WIDE: GraphSizes = {
  item: { width: 240, height: 72 },
  group: { width: 200, height: 56 },
  layerGap: 120,
  cardGap: 100,
};

/** Two layers beside each other on a hand-held screen, in the size of the other text. */
const NARROW: GraphSizes = {
  item: { width: 156, height: 64 },
  group: { width: 156, height: 52 },
  layerGap: 30,
  cardGap: 16,
};

/** `isNarrow` on a hand-held screen. */
export const graphSizes = (isNarrow: boolean): GraphSizes => (isNarrow ? NARROW : WIDE);
