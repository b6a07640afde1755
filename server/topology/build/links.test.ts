/** What hangs on a component that a lookup found: anything may come from there. */
import { expect, test } from 'vitest';
import { draftOf } from './draft.ts';
import { addLinks, foundLinks } from './links.ts';

function read(raw: Record<string, unknown>) {
  const told: string[] = [];
  return { links: foundLinks(raw, (problem) => told.push(problem)), told };
}

const NONE = { selectors: [], checks: [], configs: [], relationships: [], logs: [], parentLookup: null };

test('a lookup says what hangs on its components as a document does', () => {
  const written = {
    selectors: [{ labelSelector: 'app=till' }],
    checks: [{ selector: { name: 'till' } }],
    configs: [{ type: 'Pod', tags: { app: 'till' } }],
    relationships: [{ type: 'dependsOn', ref: 'Service/db' }],
    logs: [{ name: 'till', labels: { app: 'till' } }],
    parentLookup: { name: 'shop' },
  };
  expect(read({ ...written, more: 1 })).toEqual({ links: written, told: [] });
  expect(read({ selectors: null })).toEqual({ links: NONE, told: [] });
});

test('what is wrong is left out entry by entry, and told; the rest is taken', () => {
  const { links, told } = read({
    selectors: [{ labelSelector: 'app=a' }, { labelSelector: '===' }, { nane: 'x' }],
    configs: 'all',
    logs: [{ labels: {} }, { name: 'second' }],
    relationships: [{ ref: 5 }, { ref: 'db' }],
  });
  expect(links).toEqual({
    ...NONE,
    selectors: [{ labelSelector: 'app=a' }],
    logs: [{ name: 'second' }],
    relationships: [{ ref: 'db' }],
  });
  expect(told.toSorted()).toEqual([
    'configs is left out: must be a list',
    'logs[0].name is left out: is required',
    'relationships[0].ref is left out: must be a string',
    'selectors[1].labelSelector is left out: "===" is not a selector such as app=shop,tier!=test',
    expect.stringMatching(/^selectors\[2\]\.nane is left out: is not a field/),
  ]);
});

test('a lookup brings no checks of its own along; numbers of checks are none', () => {
  const { links, told } = read({
    checks: [{ inline: { exec: [{ script: 'id' }] } }, { selector: { name: 'a' } }],
  });
  expect(links.checks).toEqual([{ selector: { name: 'a' } }]);
  expect(told).toEqual(['checks[0].inline is left out: only a document brings checks of its own along']);
  expect(read({ checks: { healthy: 2, unhealthy: 1 } })).toEqual({ links: NONE, told: [] });
});

test('of two log selectors of one name the own one stays', () => {
  const draft = draftOf('a', { logs: [{ name: 'x', type: 'own' }] });
  addLinks(draft, { ...NONE, logs: [{ name: 'x', type: 'group' }, { name: 'y' }] });
  expect(draft.logs).toEqual([{ name: 'x', type: 'own' }, { name: 'y' }]);
});
