/** The values of a run's form: one text for each parameter by its place, and what is typed to confirm. */
import type { FieldErrors, Resolver } from 'react-hook-form';
import { syntaxProblem } from '../../../domain/playbook/code-syntax.ts';
import { isNameTyped } from '../../../domain/playbook/danger.ts';
import { controlOf, parameterProblem, type Parameter } from '../../../domain/playbook/parameters.ts';
import { messages } from './messages.ts';

export interface RunValues {
  params: string[];
  confirm: string;
}

/** What is wrong with a value; code in YAML or JSON has to be some. */
export function valueProblem(parameter: Parameter, value: string): string | null {
  const problem = parameterProblem(parameter, value);
  if (problem !== null || value.trim() === '') return problem;
  const control = controlOf(parameter);
  if (control.kind !== 'code') return null;
  const syntax = syntaxProblem(value, control.language);
  return syntax === null ? null : messages.notYaml(syntax);
}

/** Checks every value by its parameter's rules, and the typed name where one is asked for. */
export function runResolver(parameters: readonly Parameter[], confirmed: string | null): Resolver<RunValues> {
  return (values) => {
    const problems = parameters.map((parameter, at) => valueProblem(parameter, values.params[at] ?? ''));
    const errors: FieldErrors<RunValues> = {};
    if (problems.some((problem) => problem !== null))
      errors.params = problems.map((message) =>
        message === null ? undefined : { type: 'custom', message },
      ) as NonNullable<FieldErrors<RunValues>['params']>;
    if (confirmed !== null && !isNameTyped(confirmed, values.confirm))
      errors.confirm = { type: 'custom', message: messages.dangerousMismatch(confirmed) };
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };
}
