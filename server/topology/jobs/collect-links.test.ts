import { expect, test } from 'vitest';
import { collectLinks } from './collect-links.ts';

const nodes = { labelSelector: 'tier=node' };

test('each of those that select gets each that its selector means once, and never itself', () => {
  const all = [
    { id: 'a', selectors: [nodes, nodes] },
    { id: 'b', selectors: [nodes] },
  ];
  const { links, errors } = collectLinks(all, () => ['a', 'b', 'c', 'c']);
  expect(links.map((link) => `${link.component_id}>${link.other_id}`)).toEqual(['a>b', 'a>c', 'b>a', 'b>c']);
  expect(errors).toEqual([]);
});

test('what many select many times over has an end, and what is left out is said', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `c${at}`);
  const { links, errors } = collectLinks(
    ids.map((id) => ({ id, selectors: [nodes] })),
    () => ids,
  );
  expect(links).toHaveLength(200_000);
  expect(errors).toEqual(['more than 200000 links: the rest, of the last 9980 of 10000, is left out']);
});
