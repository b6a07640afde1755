import { expect, test } from 'vitest';
import { draftOf, type Draft } from './draft.ts';
import { placeByParent } from './place.ts';
import { createProblems } from './problems.ts';

const root = (children: readonly Draft[]): Draft => ({ ...draftOf('root'), children: [...children] });
const under = (name: string, parent: string, type: string | null = null) =>
  draftOf(name, { type, parentLookup: { name: parent } });
const nobody = () => Promise.resolve(null);
const depthOf = ({ children }: Draft): number => 1 + Math.max(0, ...children.map(depthOf));
const outline = ({ name, children }: Draft): unknown =>
  children.length === 0 ? name : [name, ...children.map(outline)];

test('components go where they say, and none goes under itself', async () => {
  const problems = createProblems();
  const top = root([draftOf('a'), under('b', 'a'), under('c', 'b'), under('x', 'y'), under('y', 'x')]);
  expect(await placeByParent(top, nobody, problems)).toEqual([]);
  expect(outline(top)).toEqual(['root', ['a', ['b', 'c']], ['y', 'x']]);
  expect(problems.all()).toEqual(['"y" stays in its place: no parent with name x is found']);
});

test('ten thousand that each name another are placed, and none deeper than the twentieth level', async () => {
  const problems = createProblems();
  const chain = Array.from({ length: 10_000 }, (_, at) => under(`n${at}`, at === 0 ? 'root' : `n${at - 1}`));
  const top = root(chain);
  await placeByParent(top, nobody, problems);
  expect(depthOf(top)).toBe(20);
  expect(problems.all()[0]).toBe(
    '"n19" stays in its place: under name n18 it would be deeper than 20 levels',
  );
});

test('one that goes to another topology is no child here, and its levels there count', async () => {
  const problems = createProblems();
  const far = { id: 'f', path: Array.from({ length: 18 }, (_, at) => `u${at}`).join('.') };
  const group = root([under('leaf', 'far'), { ...under('tall', 'far'), children: [draftOf('part')] }]);
  const top = root([group]);
  const elsewhere = await placeByParent(top, () => Promise.resolve(far), problems);
  expect(elsewhere.map(({ draft, parent }) => [draft.name, parent])).toEqual([['leaf', far]]);
  expect(outline(top)).toEqual(['root', ['root', ['tall', 'part']]]);
  expect(problems.all()).toEqual([
    '"tall" stays in its place: under name far it would be deeper than 20 levels',
  ]);
});
