import { describe, expect, it } from 'vitest';
import { safeReturnTo } from './links.ts';

describe('return_to', () => {
  it('keeps paths of this app', () => {
    expect(safeReturnTo('/health?checkId=1')).toBe('/health?checkId=1');
  });

  it('never leaves this origin', () => {
    for (const text of [
      '//evil',
      '/\\evil',
      'https://evil',
      'javascript:alert(1)',
      '/a\\b',
      '/a\nb',
      '',
      null,
      undefined,
      'x',
    ]) {
      expect(safeReturnTo(text)).toBe('/');
    }
  });
});
