import { expect, test } from 'vitest';
import { differencesSince, type PreparedRun, type Present } from './prepared-run.ts';

const prepared: PreparedRun = {
  playbookId: 'p',
  playbook: 'Restart',
  playbookUpdatedAt: '2026-01-01T10:00:00Z',
  resource: { kind: 'component', id: 'c', name: 'checkout' },
  health: 'unhealthy',
  params: {},
};
const asItWas: Present = {
  playbook: { updatedAt: '2026-01-01T10:00:00.000+00:00' },
  resource: { health: 'unhealthy' },
  runsSince: 0,
};

test('nothing is said where nothing changed', () => {
  expect(differencesSince(prepared, asItWas)).toEqual([]);
});

test('an edited playbook, another health and other runs are said', () => {
  const present = {
    playbook: { updatedAt: '2026-01-01T10:00:01Z' },
    resource: { health: 'healthy' },
    runsSince: 2,
  };
  expect(differencesSince(prepared, present)).toEqual([
    { kind: 'playbook-edited' },
    { kind: 'health', before: 'unhealthy', now: 'healthy' },
    { kind: 'runs', count: 2 },
  ]);
});

test('what is gone is said first', () => {
  const present = { playbook: null, resource: null, runsSince: 0 };
  expect(differencesSince(prepared, present).map(({ kind }) => kind)).toEqual([
    'playbook-gone',
    'resource-gone',
  ]);
});
