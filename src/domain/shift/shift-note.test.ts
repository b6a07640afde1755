import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShift, noteText, shiftNoteOf, type ShiftPart } from './shift-note.ts';

const words = { time: (at: string) => at.slice(11, 16), more: (count: number) => `and ${count} more` };
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
