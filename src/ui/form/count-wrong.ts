import type { FieldErrors } from 'react-hook-form';

/** How many fields are wrong, also those of groups and lists in a form. */
export function countWrong(errors: FieldErrors): number {
  return Object.values(errors).reduce((sum, error) => {
    if (typeof error !== 'object' || error === null) return sum;
    // A field's own error says of which kind it is; what doesn't holds those of its parts.
    return sum + (typeof error.type === 'string' ? 1 : countWrong(error as FieldErrors));
  }, 0);
}
