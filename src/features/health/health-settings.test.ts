import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseRefreshRate, parseSettings } from './health-settings.ts';

test('settings that were never stored, or are damaged, are the defaults', () => {
  for (const text of [null, '', '{', '7', 'null', '[]', '{}'])
    expect(parseSettings(text)).toEqual(DEFAULT_SETTINGS);
});

test('a wrong part falls back alone', () => {
  expect(parseSettings('{"hidePassing":false,"tabBy":"moon","groupBy":"label:app"}')).toEqual({
    hidePassing: false,
    tabBy: 'namespace',
    groupBy: 'label:app',
  });
});

test('an unknown refresh rate is the default one', () => {
  expect(parseRefreshRate('7s')).toBe('60s');
  expect(parseRefreshRate('5m')).toBe('5m');
});
