import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unstorableRefusal } from './storable-body.ts';

/** Every character as an escape, as other clients write them. */
const escaped = (text: string) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

test('a body is refused where a text in it has a NUL or half of a character, however it is written', () => {
  const text = fc.array(fc.constantFrom('\0', '\ud83d', '\ude00', '😀', '\\', 'u0000', 'a'), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(text, (pieces) => {
      const given = pieces.join('');
      const isBad = given.includes('\0') || Buffer.from(given).toString() !== given;
      for (const json of [JSON.stringify([given]), `["${escaped(given)}"]`, `{"${escaped(given)}":1}`]) {
        expect(unstorableRefusal(json, JSON.parse(json))?.code).toBe(isBad ? 'invalid' : undefined);
      }
    }),
  );
});
