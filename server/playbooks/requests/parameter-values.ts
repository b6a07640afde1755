/**
 * Holds the values of a run against the rules of their parameters, as the form does (contract §19.6): whoever calls without
 * the form is refused for the same. Rules that playbooks write (`regex`) are tried where one that takes for ever ends.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { PlaybookParameter } from '../../../src/contract/specs/playbook-spec.ts';
import { syntaxProblem } from '../../../src/domain/playbook/code-syntax.ts';
import {
  controlOf,
  PARAMETER_WORDS,
  parameterProblem,
  patternOf,
} from '../../../src/domain/playbook/parameters.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';

async function isOfRule(rule: string, value: string, expressions: Expressions): Promise<boolean> {
  // One that nobody can read is no rule, here as in the form.
  if (patternOf(rule) === null) return true;
  const scope = { variables: { value, rule }, durationNames: [], lastResult: null };
  try {
    return (await expressions.evaluate({ expr: 'value.matches(rule)' }, scope)).isTrue === true;
  } catch {
    // It took too long: nobody knows whether the value is right.
    return false;
  }
}

function codeProblem(parameter: PlaybookParameter, value: string): string | null {
  const control = controlOf(parameter);
  if (control.kind !== 'code') return null;
  const problem = syntaxProblem(value, control.language);
  return problem === null ? null : `This is not ${control.language}: ${problem}`;
}

async function problemOf(
  parameter: PlaybookParameter,
  value: string,
  expressions: Expressions,
): Promise<string | null> {
  const { regex, ...properties } = parameter.properties ?? {};
  const problem = parameterProblem({ ...parameter, properties }, value);
  if (problem !== null || value.trim() === '') return problem;
  const { kind } = controlOf(parameter);
  if (kind === 'code') return codeProblem(parameter, value);
  const hasRule = ['text', 'bytes', 'millicores'].includes(kind) && typeof regex === 'string' && regex !== '';
  return !hasRule || (await isOfRule(regex, value, expressions)) ? null : PARAMETER_WORDS.regex(regex);
}

/** Throws `invalid` with the first parameter whose value breaks its rules. */
export async function checkValues(
  known: readonly PlaybookParameter[],
  given: Readonly<Record<string, string>>,
  expressions: Expressions,
): Promise<void> {
  for (const parameter of known) {
    const value = given[parameter.name];
    const problem = value === undefined ? null : await problemOf(parameter, value, expressions);
    if (problem !== null) throw new AppError('invalid', `params.${parameter.name}: ${problem}`);
  }
}
