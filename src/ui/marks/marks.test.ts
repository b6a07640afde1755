/** Every state has a shape of its own: whoever sees no colours tells each from each. */
import { IconBellOff } from '@tabler/icons-react';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { HealthState } from '../../domain/check/health.ts';
import { checkHealth } from '../../domain/check/health.ts';
import { messages } from '../messages.ts';
import { checkWords } from './check-words.ts';
import { HealthMark } from './HealthMark.tsx';
import { PendingMark } from './PendingMark.tsx';

const STATES = Object.keys(messages.health) as HealthState[];
const OVERDUE: HealthState[] = ['unhealthy', 'warning', 'unknown'];

/** The drawing alone: what a class colours and what a word says is taken away. */
function shapeOf(mark: ReactElement): string {
  const drawn = /<svg.*<\/svg>/s.exec(renderToStaticMarkup(mark))?.[0] ?? '';
  return drawn.replaceAll(/ (?:class|style|width|height|aria-hidden)="[^"]*"/g, '');
}

test('no two states are drawn with the same shape', () => {
  const shapes = [
    ...STATES.map((state) => [state, createElement(HealthMark, { state })] as const),
    ...OVERDUE.map(
      (state) => [`${state}, overdue`, createElement(HealthMark, { state, look: 'overdue' })] as const,
    ),
    ['not run', createElement(HealthMark, { state: 'unknown', look: 'notRun' })] as const,
    ...(['saving', 'kept', 'sent'] as const).map(
      (state) => [`pending, ${state}`, createElement(PendingMark, { state })] as const,
    ),
    ['silenced', createElement(IconBellOff)] as const,
  ].map(([name, mark]) => ({ name, shape: shapeOf(mark) }));
  for (const { name, shape } of shapes) {
    expect(shape, name).toContain('<svg');
    const same = shapes.filter((other) => other.shape === shape).map((other) => other.name);
    expect(same).toEqual([name]);
  }
});

test('no two states of a check are told by the same words', () => {
  const at = (iso: string) => Date.parse(iso);
  const nowMs = at('2026-01-01T12:00:00Z');
  const current = { last_runtime: '2026-01-01T11:59:30Z', next_runtime: '2026-01-01T12:00:30Z' };
  const old = { last_runtime: '2026-01-01T10:00:00Z', next_runtime: '2026-01-01T10:01:00Z' };
  const cases = [
    { status: 'healthy', ...current },
    { status: 'unhealthy', ...current },
    { status: 'healthy', ...old },
    { status: 'unhealthy', ...old },
    { status: null, ...current },
    { status: null, ...old, not_run_reason: 'paused' },
    { status: null, ...old, not_run_reason: 'no such kind' },
  ] as const;
  const words = cases.map((check) => {
    const reason = 'not_run_reason' in check ? check.not_run_reason : null;
    return checkWords({ not_run_reason: reason }, checkHealth(check, nowMs));
  });
  expect(words).toEqual([
    'Healthy',
    'Unhealthy',
    'Overdue, was healthy',
    'Unhealthy, overdue',
    'Unknown',
    'Paused',
    'Not run',
  ]);
});
