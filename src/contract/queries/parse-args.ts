/** Parses what a query or an action is asked with. */
import { safeParse, type $ZodType, type output } from 'zod/v4/core';
import { AppError, ERROR_TEXTS } from '../errors.ts';

/** The arguments, or an error that names the field which is not as it should be. */
export function parseArgs<Args extends $ZodType>(schema: Args, args: unknown): output<Args> {
  const parsed = safeParse(schema, args);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new AppError('invalid', `${ERROR_TEXTS.invalid}: ${field}`, {
    field,
    status: 400,
    cause: parsed.error,
  });
}
