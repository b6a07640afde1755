import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commentParts, mentionMarkup, plainMentions } from './mentions.ts';

const name = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ' '));

describe('a mention', () => {
  test('reads as its name', () => {
    expect(plainMentions('See @[Ada Byron](user:1) and @[Bo](user:2)!')).toBe('See @Ada Byron and @Bo!');
  });

  test('of a name with brackets stays one mention that ends where it should', () => {
    const stored = mentionMarkup({ id: '7', name: 'Ada [Ops] (night) 100%' });
    expect(stored).toBe('@[Ada %5BOps%5D %28night%29 100%25](user:7)');
    expect(plainMentions(stored)).toBe('@Ada [Ops] (night) 100%');
  });

  test('of any name comes back as it was, whatever stands around it', () => {
    fc.assert(
      fc.property(name, fc.uuid(), fc.stringMatching(/^[a-z .,()]*$/), (display, id, around) => {
        const parts = commentParts(`${around}${mentionMarkup({ id, name: display })}${around}`);
        expect(parts).toEqual([
          ...(around === '' ? [] : [{ kind: 'text', text: around }]),
          { kind: 'mention', name: display, id },
          ...(around === '' ? [] : [{ kind: 'text', text: around }]),
        ]);
      }),
    );
  });
});

describe('a comment', () => {
  test('falls into text and mentions, with nothing lost between', () => {
    expect(commentParts('@[Ada](user:1), look')).toEqual([
      { kind: 'mention', name: 'Ada', id: '1' },
      { kind: 'text', text: ', look' },
    ]);
    expect(commentParts('a @[b](c) d')).toEqual([{ kind: 'text', text: 'a @[b](c) d' }]);
    expect(commentParts('')).toEqual([]);
  });

  test('shows addresses of the web as links, without the sentence around them', () => {
    expect(commentParts('See (https://wiki.local/a_(b)), then http://x.y.')).toEqual([
      { kind: 'text', text: 'See (' },
      { kind: 'link', href: 'https://wiki.local/a_(b)' },
      { kind: 'text', text: '), then ' },
      { kind: 'link', href: 'http://x.y' },
      { kind: 'text', text: '.' },
    ]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://x.y', 'https://', 'http:///etc'])(
    'never makes a link of %s',
    (text) => {
      expect(commentParts(text)).toEqual([{ kind: 'text', text }]);
    },
  );

  test('of any length that may be written is read, whatever is repeated in it', () => {
    const long = (piece: string) => piece.repeat(Math.floor(49_000 / piece.length));
    for (const piece of [')', '!', '(', '@[', '@[a](user:', 'https://', '.)'])
      for (const start of ['', 'https://x.io/'])
        expect(commentParts(start + long(piece)).length).toBeGreaterThan(0);
    expect(commentParts(`https://x.io/${long(')')}`)[0]).toEqual({ kind: 'link', href: 'https://x.io/' });
  });

  test('keeps every character of its text, and no link is anything but http or https', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('@[', '](user:', '1', ')', 'https://', '/', '.', ' ', '%5D', 'a', '\n'),
        }),
        (comment) => {
          const parts = commentParts(comment);
          const shown = parts.map((part) => {
            if (part.kind === 'mention') return `@${part.name}`;
            return part.kind === 'link' ? part.href : part.text;
          });
          expect(shown.join('')).toBe(plainMentions(comment));
          for (const part of parts) if (part.kind === 'link') expect(part.href).toMatch(/^https?:\/\/\S/i);
        },
      ),
    );
  });
});
