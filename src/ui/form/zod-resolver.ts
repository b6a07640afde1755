/** Lets a zod schema check a form: the first issue of each field, under the field's path. */
import { get, set, type FieldErrors, type FieldValues, type Resolver } from 'react-hook-form';
import type { z } from 'zod';

/** For react-hook-form. */
export function zodResolver<Values extends FieldValues>(
  schema: z.ZodType<unknown, Values>,
): Resolver<Values> {
  return (values) => {
    const parsed = schema.safeParse(values);
    // What was typed is handed on; the screen makes its call's shape of it.
    if (parsed.success) return { values, errors: {} };
    const errors: FieldErrors<Values> = {};
    for (const { path, code, message } of parsed.error.issues) {
      const name = path.join('.');
      if (get(errors, name) === undefined) set(errors, name, { type: code, message });
    }
    return { values: {}, errors };
  };
}
