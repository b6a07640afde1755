import { describe, expect, it } from 'vitest';
import { links, safeReturnTo } from './links.ts';

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

describe('what feeds the catalog', () => {
  it('has its page by its type, and none of a type that is not known', () => {
    expect(links.integration('scrapers', 'a b')).toBe('/settings/integrations/scrapers/a%20b');
    expect(links.integration('topologies', '1')).toBe('/settings/integrations/topologies/1');
    expect(links.integration('other', '1')).toBeNull();
  });
});
