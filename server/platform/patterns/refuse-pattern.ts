import { AppError } from '../../../src/contract/errors.ts';
import { patternProblem } from '../../../src/domain/file-pattern.ts';

/** Throws `invalid` with the field and what to write; call it for each pattern that fast-glob is given. */
export function refuseSlowPattern(field: string, pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem !== null) throw new AppError('invalid', `${field}: "${pattern.slice(0, 100)}" ${problem}`);
}
