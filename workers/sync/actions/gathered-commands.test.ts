import { expect, test } from 'vitest';
import { GatheredCommands } from './gathered-commands.ts';

const command = (about: string) => ({ request: { name: 'check.pause' } as never, about });
const part = (key: string, start: number, names: readonly string[], isLast = false) => ({
  commands: names.map(command),
  key,
  start,
  isLast,
});
const abouts = (commands: readonly { about: string }[] | null) => commands?.map(({ about }) => about) ?? null;

test('parts of one key are together once the last one is here, whatever else comes between them', () => {
  const gathered = new GatheredCommands();
  const user = {};
  expect(gathered.add(user, part('one', 0, ['a', 'b']))).toBeNull();
  expect(gathered.add(user, part('other', 0, ['x']))).toBeNull();
  expect(gathered.add(user, part('one', 2, ['c']))).toBeNull();
  expect(abouts(gathered.add(user, part('one', 3, ['d'], true)))).toEqual(['a', 'b', 'c', 'd']);
  expect(abouts(gathered.add(user, part('other', 1, [], true)))).toEqual(['x']);
  expect(abouts(gathered.add(user, part('one', 0, ['again'], true)))).toEqual(['again']);
});

test('the last part is nothing without those before it: of another user, or of a worker before', () => {
  const gathered = new GatheredCommands();
  const [ada, ben] = [{}, {}];
  expect(gathered.add(ada, part('key', 0, ['of ada']))).toBeNull();
  expect(() => gathered.add(ben, part('key', 1, ['last'], true))).toThrow(/Nothing was saved/);
  expect(() => new GatheredCommands().add(ada, part('key', 1, ['last'], true))).toThrow(/Nothing was saved/);
});
