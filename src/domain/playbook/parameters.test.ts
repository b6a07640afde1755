import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BYTE_UNITS,
  controlOf,
  joinBytes,
  joinMillicores,
  parameterProblem,
  PARAMETER_WORDS as words,
  sentValues,
  splitBytes,
  splitMillicores,
  startValue,
  type Parameter,
} from './parameters.ts';

const text = (properties: Record<string, unknown>, over: Partial<Parameter> = {}): Parameter => ({
  name: 'p',
  type: 'text',
  properties,
  ...over,
});

describe('a value is held against its parameter’s rules', () => {
  test.each([
    [text({}, { required: true }), '  ', words.required],
    [text({ minLength: '3' }), 'ab', words.minLength(3)],
    [text({ maxLength: 2 }), 'abc', words.maxLength(2)],
    [text({ regex: '^v\\d+$' }), 'seven', words.regex('^v\\d+$')],
    [text({ format: 'number', max: 9 }), '12', words.max(9)],
    [text({ min: 2 }), '1', words.min(2)],
    [text({ format: 'email' }), 'nobody', words.email],
    [text({ format: 'dns1123' }), 'Not_A_Host', words.dns1123],
    [text({ format: 'dns1123' }), 'host\n', words.dns1123],
    [text({ format: 'bytes' }), 'manyMi', words.bytes],
    [{ name: 'p', type: 'millicores' }, '1.5m', words.millicores],
    [{ name: 'p', type: 'list', properties: { options: ['a'] } }, 'b', words.option],
  ])('%j refuses %j', (parameter, value, problem) => {
    expect(parameterProblem(parameter, value)).toBe(problem);
  });

  test('what is empty and not required, or as the rules want it, is right', () => {
    expect(parameterProblem(text({ minLength: 3, format: 'email' }), '')).toBeNull();
    expect(parameterProblem(text({ format: 'dns1123' }), 'api.example.com')).toBeNull();
    expect(parameterProblem(text({ format: 'bytes', max: 2 }), '2Gi')).toBeNull();
    // A rule that no browser can read is left to the server.
    expect(parameterProblem(text({ regex: '(?<' }), 'anything')).toBeNull();
  });
});

test('amounts come back as they were written', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...BYTE_UNITS), (amount, unit) => {
      expect(splitBytes(joinBytes(String(amount), unit))).toEqual({ amount: String(amount), unit });
      expect(splitMillicores(joinMillicores(String(amount)))).toBe(String(amount));
      expect(parameterProblem({ name: 'p', type: 'bytes' }, joinBytes(String(amount), unit))).toBeNull();
    }),
  );
});

test('whatever a specification says of a parameter, there is a field for it and a first value', () => {
  const anything = fc.record({
    name: fc.string(),
    type: fc.option(fc.oneof(fc.constantFrom('text', 'list', 'code', 'config', 'people'), fc.string())),
    default: fc.anything(),
    properties: fc.option(fc.dictionary(fc.string(), fc.anything())),
  });
  fc.assert(
    fc.property(anything, fc.string(), (parameter, value) => {
      expect(controlOf(parameter).kind).not.toBe('');
      expect(typeof startValue(parameter, true)).toBe('string');
      parameterProblem(parameter, value);
    }),
  );
});

test('a default that only the server can fill in is left to it; one that was emptied is sent empty', () => {
  const parameters: Parameter[] = [
    { name: 'templated', default: 'restart of {{.component.name}}' },
    { name: 'plain', default: '3' },
    { name: 'none' },
  ];
  expect(parameters.map((one) => startValue(one, false))).toEqual(['', '3', '']);
  expect(sentValues(parameters, ['', '', ''], false)).toEqual({ plain: '' });
  expect(sentValues(parameters, ['', '3', 'x'], true)).toEqual({ templated: '', plain: '3', none: 'x' });
});
