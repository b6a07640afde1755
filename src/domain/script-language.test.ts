import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCRIPT_LANGUAGES, scriptIn, scriptText, type ScriptKey } from './script-language.ts';

const KEYS: readonly ScriptKey[] = SCRIPT_LANGUAGES.flatMap(({ keys }) => keys);
const key = fc.constantFrom(...KEYS);
const language = fc.constantFrom(...SCRIPT_LANGUAGES.map(({ label }) => label));
const said = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');

test('a form that changes nothing of a script leaves it as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(key, said, { minKeys: 1 }), (script) => {
      const shown = scriptText(script);
      expect(scriptIn(script, shown?.language ?? null, shown?.text ?? '')).toEqual(script);
    }),
  );
});

test('in another language and back it says the same', () => {
  fc.assert(
    fc.property(key, language, said, (from, to, text) => {
      const first = scriptText({ [from]: text });
      const there = scriptIn({ [from]: text }, to, text);
      expect(scriptText(there)).toMatchObject({ language: to, text });
      expect(scriptText(scriptIn(there ?? {}, first?.language ?? null, text))).toMatchObject({
        language: first?.language,
        text,
      });
    }),
  );
});

test('a script with nothing in it, or in no language, is none', () => {
  fc.assert(
    fc.property(key, said, fc.constantFrom('', '  ', '\n'), (one, text, nothing) => {
      expect(scriptText({ [one]: nothing })).toBeNull();
      expect(
        scriptIn({ [one]: text }, scriptText({ [one]: text })?.language ?? null, nothing),
      ).toBeUndefined();
      expect(scriptIn({ [one]: text }, null, text)).toBeUndefined();
    }),
  );
});

test('what stands beside a script stays, whatever becomes of it', () => {
  const beside = { mask: [{ selector: 'x' }] };
  const script = { ...beside, expr: 'a', template: 'b' };
  expect(scriptIn(script, null, '')).toEqual(beside);
  expect(scriptIn(script, 'Javascript', 'a')).toEqual({ ...beside, template: 'b', javascript: 'a' });
});
