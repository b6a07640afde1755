/** The form of a run over every type of parameter: what it begins with, what it takes, what it refuses and how. */
import { expect, test } from 'vitest';
import { PLAYBOOK_PARAMETER_TYPES } from '../../../contract/specs/playbook-spec.ts';
import { controlOf, PARAMETER_WORDS, startValue } from '../../../domain/playbook/parameters.ts';
import { PARAMETER_CASES } from '../../../domain/playbook/testing/parameter-cases.ts';
import { runResolver, valueProblem } from './parameter-form.ts';

test('every type that a specification may have is tried', () => {
  const tried = new Set(PARAMETER_CASES.map(({ type }) => type));
  expect([...tried].toSorted()).toEqual([...PLAYBOOK_PARAMETER_TYPES].toSorted());
});

test.each(PARAMETER_CASES)('$type $properties', ({ type, properties = {}, control, start, right, wrong }) => {
  const parameter = { name: 'p', type, properties, default: start[0] };
  expect(controlOf(parameter).kind).toBe(control);
  expect(startValue(parameter, false)).toBe(start[1]);
  for (const value of right) expect([value, valueProblem(parameter, value)]).toEqual([value, null]);
  for (const [value, problem] of wrong)
    if (typeof problem === 'string') expect(valueProblem(parameter, value)).toBe(problem);
    else expect(valueProblem(parameter, value)).toMatch(problem);
  // Left empty it is right, unless it is wanted.
  expect(valueProblem(parameter, '')).toBeNull();
  expect(valueProblem({ ...parameter, required: true }, ' ')).toBe(PARAMETER_WORDS.required);
});

test('a form is right when each of its fields is, and names the ones that are not', async () => {
  const parameters = [{ name: 'a', required: true }, { name: 'b', type: 'millicores' }, { name: 'c' }];
  const check = async (params: string[], confirm = '', confirmed: string | null = null) => {
    const options = { fields: {}, shouldUseNativeValidation: false };
    const { errors } = await runResolver(parameters, confirmed)({ params, confirm }, undefined, options);
    return JSON.parse(JSON.stringify(errors)) as unknown;
  };
  expect(await check(['x', '5m', ''])).toEqual({});
  expect(await check(['', '5', ''])).toEqual({
    params: [
      { type: 'custom', message: PARAMETER_WORDS.required },
      { type: 'custom', message: PARAMETER_WORDS.millicores },
      null,
    ],
  });
  expect(await check(['x', '', ''], 'shop', 'shop-db')).toMatchObject({
    confirm: { message: expect.stringContaining('shop-db') as string },
  });
  expect(await check(['x', '', ''], 'shop-db', 'shop-db')).toEqual({});
});
