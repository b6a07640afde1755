/** The panels at the side of a component (spec 2 §2), in their order. */
export const PANELS = [
  'details',
  'catalog',
  'incidents',
  'changes',
  'checks',
  'runs',
  'teams',
  'insights',
] as const;
export type Panel = (typeof PANELS)[number];

/** Rows of a panel (spec 2 §9). */
export const PANEL_ROWS = 50;
