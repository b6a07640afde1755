/**
 * Where one looks in the graph: all of it at first, however large; a group that is opened
 * stays where it was on the screen, so that what it opened into is seen to come out of it.
 */
import { useReactFlow, useStoreApi, type Viewport } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { GraphNode, GraphPicture } from './graph-picture.ts';
import { sizeOf } from './flow-nodes.ts';

export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;
/** Below it names can't be read. */
const READABLE_ZOOM = 0.55;
const EDGE_PX = 24;
const MOVE_MS = 200;

/** Where a card was when it was pressed, and what was there besides. */
interface Anchor {
  id: string;
  x: number;
  y: number;
  before: ReadonlySet<string>;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Screen {
  width: number;
  height: number;
}

function boxOf(nodes: readonly GraphNode[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of nodes) {
    const { width, height } = sizeOf(node);
    box.left = Math.min(box.left, node.x);
    box.top = Math.min(box.top, node.y);
    box.right = Math.max(box.right, node.x + width);
    box.bottom = Math.max(box.bottom, node.y + height);
  }
  return box;
}

/** All of it in the middle. React Flow's own way waits for cards that are out of sight and never measured. */
function wholeView(picture: GraphPicture, { width, height }: Screen): Viewport {
  const box = boxOf(picture.nodes);
  const fits = Math.min(
    (width - 2 * EDGE_PX) / (box.right - box.left),
    (height - 2 * EDGE_PX) / (box.bottom - box.top),
  );
  const zoom = Math.max(MIN_ZOOM, Math.min(fits, 1));
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return { x: width / 2 - x * zoom, y: height / 2 - y * zoom, zoom };
}

interface Span {
  from: number;
  to: number;
}

/** How far to move along one axis so that `all` comes in, but `own` stays: px on the screen. */
function shiftOf(all: Span, own: Span, size: number): number {
  const over = all.to - (size - EDGE_PX);
  if (over > 0) return -Math.min(over, Math.max(0, own.from - EDGE_PX));
  const under = EDGE_PX - all.from;
  return under > 0 ? Math.min(under, Math.max(0, size - EDGE_PX - own.to)) : 0;
}

/** The viewport that has what came out of a card in sight, as far as there is room, and the card itself. */
function viewOfOpened(
  { nodes, direction }: GraphPicture,
  anchor: Anchor,
  view: { viewport: Viewport; screen: Screen },
): Viewport {
  const { x, y, zoom } = view.viewport;
  const { width, height } = view.screen;
  const own = boxOf(nodes.filter((node) => node.id === anchor.id));
  const all = boxOf(nodes.filter((node) => node.id === anchor.id || !anchor.before.has(node.id)));
  const across = (box: Box) => ({ from: box.left * zoom + x, to: box.right * zoom + x });
  const down = (box: Box) => ({ from: box.top * zoom + y, to: box.bottom * zoom + y });
  // Across the layers too many to fit stay around the card that they came out of.
  const isTall = (all.bottom - all.top) * zoom > height - 2 * EDGE_PX;
  const isWide = (all.right - all.left) * zoom > width - 2 * EDGE_PX;
  const dx = isWide && direction === 'TB' ? 0 : shiftOf(across(all), across(own), width);
  const dy = isTall && direction === 'LR' ? 0 : shiftOf(down(all), down(own), height);
  return { x: x + dx, y: y + dy, zoom };
}

function isInSight(node: GraphNode, { x, y, zoom }: Viewport, { width, height }: Screen): boolean {
  const size = sizeOf(node);
  const [left, top] = [node.x * zoom + x, node.y * zoom + y];
  return (
    left >= EDGE_PX &&
    top >= EDGE_PX &&
    left + size.width * zoom <= width - EDGE_PX &&
    top + size.height * zoom <= height - EDGE_PX
  );
}

/** For a component below a `ReactFlowProvider`. */
export function useGraphView(picture: GraphPicture, rootId: string) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const latest = useRef(picture);
  const anchored = useRef<Anchor | null>(null);
  const key = `${rootId} ${picture.direction}`;
  const startedFor = useRef('');

  const placeOf = useCallback((id: string) => latest.current.nodes.find((node) => node.id === id), []);

  const start = useCallback(() => {
    if (latest.current.nodes.length === 0) return;
    void flow.setViewport(wholeView(latest.current, store.getState()));
  }, [flow, store]);

  const fit = useCallback(() => {
    if (latest.current.nodes.length === 0) return;
    void flow.setViewport(wholeView(latest.current, store.getState()), { duration: MOVE_MS });
  }, [flow, store]);

  // After React Flow has taken the new places (its own effects come first), so that nothing jumps.
  useEffect(() => {
    latest.current = picture;
    const anchor = anchored.current;
    const now = anchor === null ? undefined : placeOf(anchor.id);
    if (anchor === null || now === undefined) return;
    anchored.current = null;
    const { x, y, zoom } = flow.getViewport();
    const viewport = { x: x + (anchor.x - now.x) * zoom, y: y + (anchor.y - now.y) * zoom, zoom };
    const view = { viewport, screen: store.getState() };
    void flow
      .setViewport(viewport)
      .then(() => flow.setViewport(viewOfOpened(picture, anchor, view), { duration: MOVE_MS }));
  }, [picture, flow, store, placeOf]);

  useEffect(() => {
    // The first time is React Flow's own: it knows its size by then.
    if (startedFor.current !== '' && startedFor.current !== key) start();
    startedFor.current = key;
  }, [key, start]);

  const anchor = useCallback(
    (id: string) => {
      const place = placeOf(id);
      if (place === undefined) return;
      const before = new Set(latest.current.nodes.map((node) => node.id));
      anchored.current = { id, x: place.x, y: place.y, before };
    },
    [placeOf],
  );

  const reveal = useCallback(
    (id: string) => {
      const place = placeOf(id);
      if (place === undefined) return;
      const viewport = flow.getViewport();
      const { zoom } = viewport;
      const size = sizeOf(place);
      if (zoom >= READABLE_ZOOM && isInSight(place, viewport, store.getState())) return;
      const center = { x: place.x + size.width / 2, y: place.y + size.height / 2 };
      void flow.setCenter(center.x, center.y, { zoom: Math.max(zoom, READABLE_ZOOM), duration: MOVE_MS });
    },
    [flow, store, placeOf],
  );
  return { start, fit, anchor, reveal };
}
