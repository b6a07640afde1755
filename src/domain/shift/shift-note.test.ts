import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShift, noteText, shiftNoteOf, sinceOf, type ShiftPart } from './shift-note.ts';

const words = {
  time: (at: string) => at.slice(11, 16),
  more: (count: number) => `and ${count} more`,
  moreAtLeast: (count: number) => `and at least ${count} more`,
};
const thing = fc.record({
  name: fc.stringMatching(/^[a-z]{1,8}$/),
  at: fc.constantFrom(null, '2026-05-01T10:00:00Z'),
  says: fc.constantFrom('', 'failing'),
});

describe('a hand-over note', () => {
  it('names every thing or says how many it leaves out, and never says none where there is something', () => {
    fc.assert(
      fc.property(fc.array(thing, { maxLength: 40 }), fc.nat(60), (things, unseen) => {
        const part: ShiftPart = { title: 'Open', none: 'Nothing.', things, total: things.length + unseen };
        const [title, ...lines] = noteText([part], words).split('\n');
        expect(title).toBe('Open');
        expect(lines.includes('Nothing.')).toBe(part.total === 0);
        fc.pre(part.total > 0);
        const left = Number(/and (\d+) more/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
        expect(lines.length - (left > 0 ? 1 : 0) + left).toBe(part.total);
      }),
    );
  });

  it('says when, what and how it is', () => {
    const things = [{ name: 'cart', at: '2026-05-01T10:05:00Z', says: 'failing' }];
    expect(noteText([{ title: 'Open', none: '', things, total: 1 }], words)).toBe(
      'Open\n- 10:05 cart: failing',
    );
  });

  it('says where it does not know how many more there are', () => {
    const things = Array.from({ length: 100 }, (_, at) => ({ name: `check ${at}`, at: null, says: '' }));
    const part = { title: 'Silenced', none: '', things, total: 100 };
    expect(noteText([{ ...part, isAtLeast: true }], words)).toMatch(/- and at least 80 more$/);
    expect(noteText([part], words)).toMatch(/- and 80 more$/);
  });

  it('begins before the same times as text, however they are written', () => {
    const seconds = fc.integer({ min: 0, max: 4e9 }).map((second) => second * 1000);
    fc.assert(
      fc.property(seconds, fc.integer({ min: -100_000, max: 100_000 }), (fromMs, offsetMs) => {
        const at = new Date(fromMs + offsetMs).toISOString();
        const texts = [
          at,
          at.replace('Z', '123+00:00'),
          ...(at.endsWith('.000Z') ? [at.replace('.000Z', '+00:00')] : []),
        ];
        for (const text of texts) expect(text >= sinceOf(fromMs)).toBe(isInShift(text, fromMs));
      }),
    );
  });

  it('counts what happened since the shift began', () => {
    const fromMs = Date.parse('2026-05-01T10:00:00Z');
    expect(isInShift('2026-05-01T10:00:00Z', fromMs)).toBe(true);
    expect(isInShift('2026-05-01T09:59:59Z', fromMs)).toBe(false);
    expect(isInShift(null, fromMs)).toBe(false);
  });

  it('is read from rows of its kind only', () => {
    const row = {
      id: 'a',
      kind: 'shift_note',
      text: 'Quiet.',
      shift_from: '2026-05-01T06:00:00Z',
      created_by: 'b',
      created_at: '2026-05-01T14:00:00Z',
    };
    expect(shiftNoteOf(row)).toMatchObject({ id: 'a', text: 'Quiet.', createdBy: 'b' });
    expect(shiftNoteOf({ ...row, kind: 'silence' })).toBeNull();
    expect(shiftNoteOf({ ...row, text: 3 })).toBeNull();
  });
});
