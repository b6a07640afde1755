import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forEachDatabase } from './test-databases.ts';
import { toJson } from './to-json.ts';

/** Texts of what is easily mistaken: halves of characters, NUL, backslashes and what they escape. */
const piece = fc.oneof(
  fc.constantFrom('\ud83d', '\ude00', '\0', '\\', 'u0000', 'ud83d', '"', '\n', '😀', 'ä', 'a'),
  fc.string({ unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text, { maxKeys: 3 }));

const storable = (given: string) => Buffer.from(given).toString().replaceAll('\0', '\ufffd');
function storableDeep(given: unknown): unknown {
  if (typeof given === 'string') return storable(given);
  if (Array.isArray(given)) return given.map(storableDeep);
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [storable(name), storableDeep(one)]));
}

describe('a value as JSON', () => {
  it('is as it was, with a replacement for each NUL and half of a character', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.parse(toJson(given))).toEqual(storableDeep(given));
      }),
    );
    expect(toJson(undefined)).toBe('null');
  });
});

forEachDatabase((_name, open) => {
  it('is taken by the database, whatever is in it', async () => {
    const db = await open();
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        expect(await db.text('select $1::text', [given])).toBe(storable(given));
        const [row] = await db.rows(
          z.custom<{ told: string; whole: { told: string } }>(),
          `select input.told, $1::jsonb -> 0 as whole from json_to_recordset($1::json) as input(told text)`,
          [toJson([{ told: given }])],
        );
        expect(row).toEqual({ told: storable(given), whole: { told: storable(given) } });
      }),
      { numRuns: 100 },
    );
  });
});
