/** Every package that `npm ci` installs runs on the Node that package.json asks for; npm prints no engine warning. */
import { readFileSync } from 'node:fs';
import { minVersion, satisfies } from 'semver';
import { expect, test } from 'vitest';

interface Lock {
  packages: Record<string, { engines?: { node?: string } | string[]; optional?: boolean }>;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

test('each locked package accepts the lowest Node that package.json accepts', () => {
  const { engines } = read('package.json') as { engines: { node: string } };
  const lowest = minVersion(engines.node)?.version ?? '';
  const { packages } = read('package-lock.json') as Lock;

  const refused = Object.entries(packages).flatMap(([path, { engines: wanted, optional = false }]) => {
    const range = Array.isArray(wanted) ? undefined : wanted?.node;
    // npm leaves an optional package out without a word.
    const isAccepted = optional || range === undefined || satisfies(lowest, range);
    return isAccepted ? [] : [`${path} wants Node ${range}`];
  });

  expect(lowest).toMatch(/^20\.19/);
  expect(refused).toEqual([]);
});
