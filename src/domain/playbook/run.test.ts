import { expect, test } from 'vitest';
import {
  INITIALIZATION,
  isActionOver,
  runDurationMs,
  shownSteps,
  stepToShow,
  triggerOf,
  withLiveSteps,
} from './run.ts';

const step = (id: string, status: string, name = id) => ({ id, status, name });

test('a failed run with an error of its own begins with Initialization', () => {
  const steps = shownSteps({ status: 'failed', error: 'no such parameter' }, []);
  expect(steps).toMatchObject([{ id: INITIALIZATION, name: 'Initialization', status: 'failed' }]);
  expect(shownSteps({ status: 'failed', error: '' }, [])).toEqual([]);
  expect(shownSteps({ status: 'completed', error: 'an old one' }, [])).toEqual([]);
});

test('what set a run off is told by its request, whatever that is', () => {
  expect(triggerOf({ event: 'config.unhealthy', id: 'x' })).toEqual({
    kind: 'event',
    name: 'config.unhealthy',
  });
  expect(triggerOf({ schedule: '0 3 * * *', at: 'now' })).toEqual({ kind: 'schedule', name: '0 3 * * *' });
  expect(triggerOf({ url: '/x', headers: {}, query: {}, body: { event: 'push' } })).toEqual({
    kind: 'webhook',
  });
  for (const nothing of [null, undefined, {}, 'text', { event: 3 }]) expect(triggerOf(nothing)).toBeNull();
});

test('steps without a name have their number, and skipped ones cannot be selected', () => {
  const steps = shownSteps({}, [step('a', 'completed'), step('b', 'skipped', ' ')]);
  expect(steps.map(({ name, isSelectable }) => [name, isSelectable])).toEqual([
    ['a', true],
    ['Step 2', false],
  ]);
});

test('a step says which agent does it, and nothing where the server does', () => {
  const local = '00000000-0000-0000-0000-000000000000';
  const steps = [
    { ...step('a', 'waiting'), agent_id: 'edge' },
    { ...step('b', 'running'), agent_id: local },
  ];
  expect(shownSteps({}, [...steps, step('c', 'running')]).map(({ agentId }) => agentId)).toEqual([
    'edge',
    null,
    null,
  ]);
});

test('what failed is shown first, then what goes on, then the last', () => {
  const shown = (...statuses: string[]) =>
    stepToShow(
      shownSteps(
        {},
        statuses.map((status, at) => step(String(at), status)),
      ),
    )?.id;
  expect(shown('completed', 'failed', 'completed')).toBe('1');
  expect(shown('completed', 'running', 'scheduled')).toBe('1');
  expect(shown('completed', 'completed', 'skipped')).toBe('1');
  expect(shown('skipped')).toBeUndefined();
});

test('a run that goes on has taken the time until now, and one that has not begun none', () => {
  expect(runDurationMs({ start_time: '2026-01-01T00:00:00Z' }, Date.parse('2026-01-01T00:01:00Z'))).toBe(
    60_000,
  );
  expect(runDurationMs({ end_time: '2026-01-01T00:00:00Z' }, 0)).toBeNull();
  expect(isActionOver('sleeping')).toBe(false);
});

test('what writes is a step that goes on, before the list of steps has it', () => {
  const known = [step('a', 'completed')];
  const live = new Map([
    ['a', { name: 'a' }],
    ['b', { name: 'Second' }],
  ]);
  const shown = shownSteps({ status: 'running' }, withLiveSteps(known, live));
  expect(shown.map(({ name, status }) => [name, status])).toEqual([
    ['a', 'completed'],
    ['Second', 'running'],
  ]);
  expect(stepToShow(shown)?.id).toBe('b');
});
