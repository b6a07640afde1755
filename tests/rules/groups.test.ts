/** What is gathered under keys is added to its group (src/lib/group-by.ts): a copy for each item costs the square of a group. */
import fastGlob from 'fast-glob';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** `groups.set(key, [...(groups.get(key) ?? []), one])`: several values at once are no matter. */
const COPY = /\.set\([^[\]]+, \[\.\.\.\([\w.]+\.get\([^()]+\) \?\? \[\]\), (?!\.\.\.)/;

describe('groups', () => {
  it('are copied for no single item', () => {
    const programs = fastGlob.sync('{server,src,workers}/**/*.{ts,tsx}');
    expect(programs.filter((file) => COPY.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each([
    'groups.set(key, [...(groups.get(key) ?? []), row]);',
    'told.hard.set(one.id, [...(told.hard.get(one.id) ?? []), { id: one.id }]);',
    'ofCanary?.set(type, [...(ofCanary.get(type) ?? []), entryOf(check)]);',
  ])('are known to be copied: %s', (text) => {
    expect(text).toMatch(COPY);
  });
});
