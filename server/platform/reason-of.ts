/** One line of any error, for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error)
    return (error.message === '' ? error.name : error.message).split('\n')[0] ?? error.name;
  return String(error);
}
