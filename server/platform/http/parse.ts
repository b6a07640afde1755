/** The first step of a route that takes something: what was sent, held against its schema. */
import type { ZodType } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';

/** The value as the schema has it, or the 400 that says what is wrong. */
export function parse<T>(schema: ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') ?? '';
  const what = issue?.message ?? 'not valid';
  throw new AppError('invalid', where === '' ? what : `${where}: ${what}`, { cause: parsed.error });
}
