/** Parses what a query is asked with. */
import { safeParse, type $ZodType, type output } from 'zod/v4/core';
import { AppError } from '../errors.ts';

/** The arguments, or an error that names the field which is not as it should be. */
export function parseArgs<Args extends $ZodType>(schema: Args, args: unknown): output<Args> {
  const parsed = safeParse(schema, args);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new AppError('invalid', `The query's ${field || 'form'} is not valid`, {
    field,
    status: 400,
    cause: parsed.error,
  });
}
