import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textParts, visibleText } from './plain-text.ts';

describe('the parts of a text', () => {
  test('put together are the text, and every link is http or https', () => {
    const text = fc.string({ maxLength: 30 });
    const address = fc.constantFrom(
      'https://a.example/x?y=1#z',
      'http://b',
      'javascript:alert(1)',
      'data:,x',
      'HTTPS://C/',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(text, address)), (pieces) => {
        const whole = pieces.join(' ');
        const parts = textParts(whole);
        expect(parts.map((part) => part.text).join('')).toBe(whole);
        for (const part of parts) if (part.kind === 'link') expect(part.text).toMatch(/^https?:\/\/\S+$/i);
      }),
    );
  });

  test.each([
    ['see https://a.example/x.', 'https://a.example/x'],
    ['(http://a.example/x)', 'http://a.example/x'],
    ['<a href="https://a.example">', 'https://a.example'],
    ['https://a.example/\u202eexe.txt', 'https://a.example/'],
  ])('leave out what only stands around an address: %s', (text, link) => {
    expect(textParts(text).find(({ kind }) => kind === 'link')?.text).toBe(link);
  });

  test.each(['javascript:alert(1)', 'https://', 'xhttp://a', 'ftp://a.example', '//a.example'])(
    'make no link of %s',
    (text) => {
      expect(textParts(text).every(({ kind }) => kind === 'text')).toBe(true);
    },
  );
});

describe('a visible text', () => {
  test('shows marks that reorder or hide, and keeps tabs and line ends', () => {
    expect(visibleText('a\u202eb\u0000c\td\r\ne')).toBe('a⟨U+202E⟩b⟨U+0000⟩c\td\ne');
  });

  test('has no control character left but those two', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x2fff })), (codes) => {
        const text = String.fromCodePoint(...codes);
        // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
        expect(visibleText(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
