import { expect, test } from 'vitest';
import type { GraphGroup, GraphPicture } from './graph-picture.ts';
import { sizeOf } from './flow-nodes.ts';
import { isInSight, startView, wholeView } from './graph-viewport.ts';

const PHONE = { width: 390, height: 480 };
const node = (id: string, x: number, y: number): GraphGroup => ({
  kind: 'group',
  id,
  x,
  y,
  name: id,
  title: id,
  icon: null,
  health: { healthy: 1, unhealthy: 0, warning: 0, unknown: 0 },
  isExpanded: false,
});

/** The one that it is about, and so many parts beside it, one above the other. */
function picture(parts: number, isNarrow: boolean): GraphPicture {
  const ids = Array.from({ length: parts }, (_, at) => `part-${at}`);
  return {
    direction: 'LR',
    isNarrow,
    nodes: [node('root', 0, ((parts - 1) * 68) / 2), ...ids.map((id, at) => node(id, 186, at * 68))],
    edges: ids.map((to) => ({ from: 'root', to, look: 'hard' as const })),
  };
}

function seen(of: GraphPicture): string[] {
  const viewport = startView(of, 'root', PHONE);
  return of.nodes
    .filter((one) => isInSight(one, sizeOf(one, of), { viewport, screen: PHONE }))
    .map(({ id }) => id);
}

test('on a hand-held screen what the graph is about and parts of it are read at first, however many there are', () => {
  for (const parts of [1, 5, 40, 400]) {
    const of = picture(parts, true);
    expect(startView(of, 'root', PHONE).zoom).toBeGreaterThanOrEqual(0.85);
    expect(seen(of)).toContain('root');
    expect(seen(of).length).toBeGreaterThan(Math.min(parts, 5));
  }
});

test('on a larger screen it is all of it, however small', () => {
  const of = picture(40, false);
  expect(startView(of, 'root', PHONE)).toEqual(wholeView(of, PHONE));
});
