/**
 * Where one looks in the graph: all of it at first, however large, or on a hand-held screen what can be read; a group that
 * is opened stays where it was on the screen, so that what it opened into is seen to come out of it.
 */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import type { GraphPicture } from './graph-picture.ts';
import { sizeOf } from './flow-nodes.ts';
import {
  isInSight,
  READABLE_ZOOM,
  startView,
  viewOfOpened,
  wholeView,
  type Anchor,
} from './graph-viewport.ts';

const MOVE_MS = 200;

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
    void flow.setViewport(startView(latest.current, rootId, store.getState()));
  }, [flow, store, rootId]);

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
      const size = sizeOf(place, latest.current);
      const isSeen = isInSight(place, size, { viewport, screen: store.getState() });
      if (zoom >= READABLE_ZOOM && isSeen) return;
      const center = { x: place.x + size.width / 2, y: place.y + size.height / 2 };
      void flow.setCenter(center.x, center.y, { zoom: Math.max(zoom, READABLE_ZOOM), duration: MOVE_MS });
    },
    [flow, store, placeOf],
  );
  return { start, fit, anchor, reveal };
}
