import { expect, test } from 'vitest';
import { createLookups } from './lookups.ts';
import { createProblems } from './problems.ts';

/** How often the check of such a script runs for two of each. */
async function runsOf(script: string): Promise<number> {
  let runs = 0;
  const lookUp = async () => {
    runs += 1;
    return [{ check: 'list', output: [], error: null }];
  };
  const lookups = createLookups(lookUp, createProblems(), new AbortController().signal);
  for (const name of ['a', 'b'])
    await lookups.run({ exec: [{ script }] }, 'lookup', { component: { name }, group: { name } });
  return runs;
}

test('a lookup runs once for all that ask the same, and once for each where its script reads whose it is', async () => {
  expect(await runsOf('echo []')).toBe(1);
  for (const script of ['component.name', 'self["name"]', 'group.name', "group['value']", 'properties.zone'])
    expect(await runsOf(script)).toBe(2);
});
