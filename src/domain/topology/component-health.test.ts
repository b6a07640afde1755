import fc from 'fast-check';
import { expect, test } from 'vitest';
import { healthOfWord } from '../check/health.ts';
import { shownHealth } from './component-health.ts';

const words = fc.constantFrom(
  null,
  '',
  'healthy',
  'Unhealthy',
  'warning',
  'unknown',
  'CrashLoopBackOff',
  'Running',
  'degraded',
);

test('no status that is a word of health stands beside a mark that says another', () => {
  fc.assert(
    fc.property(words, words, (health, status) => {
      const shown = shownHealth({ health, status });
      if (health) expect(shown.state).toBe(healthOfWord(health));
      const isWord = (text: string) =>
        ['healthy', 'unhealthy', 'warning', 'unknown', 'degraded'].includes(text.toLowerCase());
      if (shown.status !== null && isWord(shown.status)) expect(healthOfWord(shown.status)).toBe(shown.state);
      if (status && !isWord(status)) expect(shown.status).toBe(status);
    }),
  );
});

test('a component that nobody judged is as its status says, where that is a word of health', () => {
  expect(shownHealth({ health: null, status: 'healthy' })).toEqual({ state: 'healthy', status: null });
  expect(shownHealth({ health: '', status: 'error' })).toEqual({ state: 'unhealthy', status: null });
  expect(shownHealth({ health: null, status: 'Running' })).toEqual({ state: 'unknown', status: 'Running' });
  expect(shownHealth({ health: 'unhealthy', status: 'Running' })).toEqual({
    state: 'unhealthy',
    status: 'Running',
  });
  expect(shownHealth({ health: 'unhealthy', status: 'Degraded' }).status).toBe('Degraded');
  expect(shownHealth({ health: 'unknown', status: 'healthy' })).toEqual({ state: 'unknown', status: null });
});
