import { expect, test } from 'vitest';
import type { GraphGroup, GraphPicture } from './graph-picture.ts';
import { neighbourOf } from './graph-neighbours.ts';

const node = (id: string, x: number, y: number): GraphGroup => ({
  kind: 'group',
  id,
  x,
  y,
  name: '3 × Pod',
  title: 'Pod',
  icon: null,
  health: { healthy: 3, unhealthy: 0, warning: 0, unknown: 0 },
  isExpanded: false,
});
const PICTURE: GraphPicture = {
  direction: 'LR',
  isNarrow: false,
  nodes: [node('root', 0, 0), node('near', 100, 300), node('far', 400, 0), node('below', 0, 200)],
  edges: [
    { from: 'root', to: 'near', look: 'hard' },
    { from: 'near', to: 'far', look: 'hard' },
  ],
};

test('an arrow key moves along a line before it jumps to what lies closer', () => {
  expect(neighbourOf(PICTURE, 'root', 'ArrowRight')).toBe('near');
  expect(neighbourOf(PICTURE, 'near', 'ArrowLeft')).toBe('root');
});

test('where no line goes that way it is the nearest card there', () => {
  expect(neighbourOf(PICTURE, 'below', 'ArrowUp')).toBe('root');
});

test('at the edge, and for other keys, it stays', () => {
  expect(neighbourOf(PICTURE, 'root', 'ArrowLeft')).toBeNull();
  expect(neighbourOf(PICTURE, 'root', 'Enter')).toBeNull();
});
