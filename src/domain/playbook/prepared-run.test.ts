import { expect, test } from 'vitest';
import { differencesSince, reviewOf, type PreparedRun, type Present } from './prepared-run.ts';

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

test('nothing is claimed before this device has caught up, and nothing is run on what is not known to be so', () => {
  for (const connection of ['connecting', 'live', 'offline'])
    expect(reviewOf(connection, null)).toEqual({ kind: 'checking' });
  expect(reviewOf('connecting', [])).toEqual({ kind: 'checking' });
  for (const connection of ['live', 'polling'])
    expect(reviewOf(connection, [])).toEqual({ kind: 'known', differences: [], isCurrent: true });
  for (const connection of ['offline', 'server-unreachable'])
    expect(reviewOf(connection, [])).toMatchObject({ kind: 'known', isCurrent: false });
});
