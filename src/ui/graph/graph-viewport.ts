/** Where one looks in a graph, worked out from the places of its cards. Pure: knows no screen but its size. */
import type { Viewport } from '@xyflow/react';
import { sizeOf } from './flow-nodes.ts';
import type { GraphNode, GraphPicture } from './graph-picture.ts';

export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;
/** Below it names can't be read. */
export const READABLE_ZOOM = 0.55;
/** On a hand-held screen names are read from the start, not after a pinch. */
const READABLE_ON_PHONE = 0.85;
const EDGE_PX = 24;

/** Where a card was when it was pressed, and what was there besides. */
export interface Anchor {
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

export interface Screen {
  width: number;
  height: number;
}

function boxOf(nodes: readonly GraphNode[], picture: Pick<GraphPicture, 'isNarrow'>): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of nodes) {
    const { width, height } = sizeOf(node, picture);
    box.left = Math.min(box.left, node.x);
    box.top = Math.min(box.top, node.y);
    box.right = Math.max(box.right, node.x + width);
    box.bottom = Math.max(box.bottom, node.y + height);
  }
  return box;
}

/** All of it in the middle. React Flow's own way waits for cards that are out of sight and never measured. */
export function wholeView(picture: GraphPicture, { width, height }: Screen): Viewport {
  const box = boxOf(picture.nodes, picture);
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

/** Where one axis begins on the screen: `near` in the middle, or as much of it as goes beside `own`. px. */
function offsetOf({ near, own }: { near: Span; own: Span }, zoom: number, size: number): number {
  const room = size - 2 * EDGE_PX;
  const [length, middle] = [(near.to - near.from) * zoom, (near.from + near.to) / 2];
  if (length <= room) return size / 2 - middle * zoom;
  const center = size / 2 - ((own.from + own.to) / 2) * zoom;
  const [first, last] = [EDGE_PX - near.from * zoom, size - EDGE_PX - near.to * zoom];
  return Math.min(first, Math.max(last, center));
}

/** At first: all of it, but on a hand-held screen what is around the one that it is about, in a size that is read. */
export function startView(picture: GraphPicture, rootId: string, screen: Screen): Viewport {
  const whole = wholeView(picture, screen);
  const root = picture.nodes.find(({ id }) => id === rootId);
  if (!picture.isNarrow || root === undefined || whole.zoom >= READABLE_ON_PHONE) return whole;
  const beside = new Set(
    picture.edges.flatMap(({ from, to }) => (from === rootId ? [to] : to === rootId ? [from] : [])),
  );
  const own = boxOf([root], picture);
  const near = boxOf([root, ...picture.nodes.filter(({ id }) => beside.has(id))], picture);
  const zoom = READABLE_ON_PHONE;
  const across = { near: { from: near.left, to: near.right }, own: { from: own.left, to: own.right } };
  const down = { near: { from: near.top, to: near.bottom }, own: { from: own.top, to: own.bottom } };
  return { x: offsetOf(across, zoom, screen.width), y: offsetOf(down, zoom, screen.height), zoom };
}

/** How far to move along one axis so that `all` comes in, but `own` stays: px on the screen. */
function shiftOf(all: Span, own: Span, size: number): number {
  const over = all.to - (size - EDGE_PX);
  if (over > 0) return -Math.min(over, Math.max(0, own.from - EDGE_PX));
  const under = EDGE_PX - all.from;
  return under > 0 ? Math.min(under, Math.max(0, size - EDGE_PX - own.to)) : 0;
}

/** The viewport that has what came out of a card in sight, as far as there is room, and the card itself. */
export function viewOfOpened(
  picture: GraphPicture,
  anchor: Anchor,
  view: { viewport: Viewport; screen: Screen },
): Viewport {
  const { nodes, direction } = picture;
  const { x, y, zoom } = view.viewport;
  const { width, height } = view.screen;
  const own = boxOf(
    nodes.filter((node) => node.id === anchor.id),
    picture,
  );
  const all = boxOf(
    nodes.filter((node) => node.id === anchor.id || !anchor.before.has(node.id)),
    picture,
  );
  const across = (box: Box) => ({ from: box.left * zoom + x, to: box.right * zoom + x });
  const down = (box: Box) => ({ from: box.top * zoom + y, to: box.bottom * zoom + y });
  // Across the layers too many to fit stay around the card that they came out of.
  const isTall = (all.bottom - all.top) * zoom > height - 2 * EDGE_PX;
  const isWide = (all.right - all.left) * zoom > width - 2 * EDGE_PX;
  const dx = isWide && direction === 'TB' ? 0 : shiftOf(across(all), across(own), width);
  const dy = isTall && direction === 'LR' ? 0 : shiftOf(down(all), down(own), height);
  return { x: x + dx, y: y + dy, zoom };
}

/** Whether all of a card is on the screen. */
export function isInSight(
  node: GraphNode,
  size: { width: number; height: number },
  { viewport: { x, y, zoom }, screen: { width, height } }: { viewport: Viewport; screen: Screen },
): boolean {
  const [left, top] = [node.x * zoom + x, node.y * zoom + y];
  return (
    left >= EDGE_PX &&
    top >= EDGE_PX &&
    left + size.width * zoom <= width - EDGE_PX &&
    top + size.height * zoom <= height - EDGE_PX
  );
}
