/** Who calls without the form is refused for what the form refuses (contract §19.6). */
import { afterAll, expect, test } from 'vitest';
import { playbookParameterSchema } from '../../../src/contract/specs/playbook-spec.ts';
import { PARAMETER_CASES } from '../../../src/domain/playbook/testing/parameter-cases.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { checkValues } from './parameter-values.ts';

const expressions = createExpressions(700);
afterAll(() => expressions.close());

const check = (given: object, value: string) =>
  checkValues([playbookParameterSchema.parse({ name: 'p', ...given })], { p: value }, expressions);

test.each(PARAMETER_CASES)('$type $properties', async ({ type, properties = {}, right, wrong }) => {
  for (const value of ['', ...right])
    await expect(check({ type, properties }, value)).resolves.toBeUndefined();
  for (const [value, problem] of wrong)
    await expect(check({ type, properties }, value)).rejects.toThrow(
      typeof problem === 'string' ? `params.p: ${problem}` : problem,
    );
});

test('a rule of the playbook that takes for ever holds nobody up; one that nobody can read is none', async () => {
  const properties = { regex: '^(a+)+$' };
  await expect(check({ properties }, 'aaa')).resolves.toBeUndefined();
  await expect(check({ properties }, `${'a'.repeat(40)}b`)).rejects.toThrow('This must match ^(a+)+$');
  await expect(check({ properties: { regex: '(?<' } }, 'x')).resolves.toBeUndefined();
});
