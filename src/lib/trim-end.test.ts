import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trimEnd } from './trim-end.ts';

it('leaves what stands before the last of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('/', '.', 'a', '\n') }), (text) => {
      expect(trimEnd(text, '/')).toBe(text.replace(/\/+$/, ''));
      expect(trimEnd(text, '/.')).toBe(text.replace(/[/.]+$/, ''));
    }),
  );
});
