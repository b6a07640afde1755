import { expect, test } from 'vitest';
import { cyclesOf, groupGraph, mutualPairs, unitOf } from '../../scripts/folder-graph.mjs';

const graphOf = (imports: Record<string, string[]>) => groupGraph(Object.entries(imports), unitOf);

test('folders that import each other are one pair and one cycle', () => {
  const graph = graphOf({
    'server/a/one.ts': ['server/b/deep/two.ts'],
    'server/b/three.ts': ['server/a/four.ts', 'server/c/five.ts'],
  });
  expect(mutualPairs(graph)).toEqual([['server/a', 'server/b']]);
  expect(cyclesOf(graph)).toEqual([['server/a', 'server/b']]);
});

test('a cycle is found over folders that do not import each other, and the largest comes first', () => {
  const graph = graphOf({
    'src/x/1.ts': ['src/y/1.ts'],
    'src/y/1.ts': ['src/x/1.ts'],
    'server/a/1.ts': ['server/b/1.ts'],
    'server/b/1.ts': ['server/c/1.ts'],
    'server/c/1.ts': ['server/a/1.ts'],
    'server/d/1.ts': ['server/a/1.ts'],
  });
  expect(mutualPairs(graph)).toHaveLength(1);
  expect(cyclesOf(graph)).toEqual([
    ['server/a', 'server/b', 'server/c'],
    ['src/x', 'src/y'],
  ]);
});

test('imports inside a folder are no edge, and a file beside the folders stands for itself', () => {
  const graph = graphOf({ 'server/top.ts': ['server/a/1.ts'], 'server/a/1.ts': ['server/a/b/2.ts'] });
  expect([...(graph.get('server/a') ?? [])]).toEqual([]);
  expect([...(graph.get('server/top.ts') ?? [])]).toEqual(['server/a']);
});
