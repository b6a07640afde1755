/** What the controls of a graph say. */
export const messages = {
  controls: 'View of the graph',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit the graph into view',
  home: 'Go to this item',
  miniMap: 'Overview of the graph',
  edge: (from: string, to: string) => `${from} leads to ${to}`,
} as const;
