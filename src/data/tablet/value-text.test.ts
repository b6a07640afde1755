import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOfValue, valueOfText } from './value-text.ts';

test('what a database may hold comes back as it was', () => {
  const value = fc.anything({
    withDate: true,
    withMap: true,
    withSet: true,
    withBigInt: true,
    withTypedArray: false,
    withNullPrototype: false,
    key: fc.oneof(fc.string(), fc.constantFrom('$', 'of')),
  });
  fc.assert(
    fc.property(value, (given) => {
      expect(valueOfText(textOfValue(given))).toEqual(given);
    }),
    { examples: [[[{ $: { toString: [] } }]], [new Map([[{ valueOf: 1 }, { of: { toString: 'x' } }]])]] },
  );
  const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256);
  expect(valueOfText(textOfValue({ bytes, buffer: bytes.buffer }))).toEqual({ bytes, buffer: bytes.buffer });
});

test('what has no text is refused, not left out', () => {
  expect(() => textOfValue({ run: () => 1 })).toThrow(TypeError);
  expect(() => textOfValue(new URL('http://a'))).toThrow(TypeError);
});
