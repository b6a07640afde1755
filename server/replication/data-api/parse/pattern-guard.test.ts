import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertHarmlessPattern } from './pattern-guard.ts';

const refusal = (pattern: string, isList = false) => {
  try {
    assertHarmlessPattern(pattern, isList);
    return null;
  } catch (error) {
    return error;
  }
};
const REFUSED = { status: 400, body: { code: '2201B' } };
/** Parts that are harmless wherever they stand. */
const plain = fc.constantFrom('a', '.*', '[0-9]+', '(?:b|c)', '\\d', '\\.', 'x{2,5}', '^', '$', '\\\\', 'é');
const around = fc.tuple(fc.array(plain, { maxLength: 5 }), fc.array(plain, { maxLength: 5 }));

describe('a regular expression of a client', () => {
  test('is let through without back references, look-around and large bounds', () => {
    fc.assert(
      fc.property(around, ([before, after]) => {
        fc.pre([...before, ...after].filter((part) => part.startsWith('x')).length < 3);
        expect(refusal([...before, ...after].join(''))).toBeNull();
      }),
    );
    expect(refusal('(?i)^api-[a-z]{3}$')).toBeNull();
  });

  test('is refused with one of them, wherever it stands', () => {
    const bad = fc.constantFrom(
      '\\1',
      '\\9',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
      '(?x)',
      '(?b)',
      'a{101}',
      'a{1,255}',
    );
    fc.assert(
      fc.property(around, bad, ([before, after], part) => {
        expect(refusal([...before, part, ...after].join(''))).toMatchObject(REFUSED);
      }),
    );
  });

  test('is refused when its bounds multiply, when it is long, and inside a list with escapes of its own', () => {
    expect(refusal('((a{1,40}){1,40})')).toMatchObject(REFUSED);
    expect(refusal('a'.repeat(501))).toMatchObject(REFUSED);
    expect(refusal('{"(a*)\\\\1b"}', true)).toMatchObject(REFUSED);
    expect(refusal('{a.c,"b\\\\.d"}', true)).toBeNull();
  });
});
