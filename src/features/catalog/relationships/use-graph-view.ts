/**
 * Where one looks in the graph: all of it where it can be read so, else the item itself; a group that is opened
 * stays where it was on the screen, so that what it opened into is seen to come out of it.
 */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { RelationsPicture } from '../../../contract/relations.ts';
import { sizeOf } from './flow-nodes.ts';

export const MIN_ZOOM = 0.05;
export const MAX_ZOOM = 2;
/** Below it names can't be read. */
const READABLE_ZOOM = 0.55;
const HOME_ZOOM = 0.85;
const EDGE_PX = 24;
const MOVE_MS = 200;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boxOf({ nodes }: RelationsPicture): Box {
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

/** All of it where it can be read so, else the item itself in the middle. */
function firstView(picture: RelationsPicture, rootId: string, screen: { width: number; height: number }) {
  const { width, height } = screen;
  const box = boxOf(picture);
  const fits = Math.min(
    (width - 2 * EDGE_PX) / (box.right - box.left),
    (height - 2 * EDGE_PX) / (box.bottom - box.top),
  );
  const root = picture.nodes.find((node) => node.id === rootId);
  if (root === undefined) return null;
  const isWhole = fits >= READABLE_ZOOM;
  const zoom = isWhole ? Math.min(fits, 1) : HOME_ZOOM;
  const size = sizeOf(root);
  const x = isWhole ? (box.left + box.right) / 2 : root.x + size.width / 2;
  const y = isWhole ? (box.top + box.bottom) / 2 : root.y + size.height / 2;
  return { x: width / 2 - x * zoom, y: height / 2 - y * zoom, zoom };
}

export function useGraphView(picture: RelationsPicture, rootId: string) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const latest = useRef(picture);
  const anchored = useRef<{ id: string; x: number; y: number } | null>(null);
  const key = `${rootId} ${picture.direction}`;
  const startedFor = useRef('');

  const placeOf = useCallback((id: string) => latest.current.nodes.find((node) => node.id === id), []);

  const start = useCallback(() => {
    const viewport = firstView(latest.current, rootId, store.getState());
    if (viewport !== null) void flow.setViewport(viewport);
  }, [flow, store, rootId]);

  // After React Flow has taken the new places (its own effects come first), so that nothing jumps.
  useEffect(() => {
    latest.current = picture;
    const anchor = anchored.current;
    const now = anchor === null ? undefined : placeOf(anchor.id);
    if (anchor === null || now === undefined) return;
    anchored.current = null;
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + (anchor.x - now.x) * zoom, y: y + (anchor.y - now.y) * zoom, zoom });
  }, [picture, flow, placeOf]);

  useEffect(() => {
    // The first time is React Flow's own: it knows its size by then.
    if (startedFor.current !== '' && startedFor.current !== key) start();
    startedFor.current = key;
  }, [key, start]);

  const anchor = useCallback(
    (id: string) => {
      const place = placeOf(id);
      if (place !== undefined) anchored.current = { id, x: place.x, y: place.y };
    },
    [placeOf],
  );

  const reveal = useCallback(
    (id: string) => {
      const place = placeOf(id);
      if (place === undefined) return;
      const { width, height } = store.getState();
      const { x, y, zoom } = flow.getViewport();
      const size = sizeOf(place);
      const [left, top] = [place.x * zoom + x, place.y * zoom + y];
      const isInSight =
        left >= EDGE_PX &&
        top >= EDGE_PX &&
        left + size.width * zoom <= width - EDGE_PX &&
        top + size.height * zoom <= height - EDGE_PX;
      if (isInSight && zoom >= READABLE_ZOOM) return;
      const center = { x: place.x + size.width / 2, y: place.y + size.height / 2 };
      void flow.setCenter(center.x, center.y, { zoom: Math.max(zoom, READABLE_ZOOM), duration: MOVE_MS });
    },
    [flow, store, placeOf],
  );
  return { start, anchor, reveal };
}
