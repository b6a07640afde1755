/** Expressions of silences on the device: standard CEL. What the server's own functions and rows say isn't known here. */

export type FilterVerdict = 'yes' | 'no' | 'unknown';
/** Whether an expression is true of an environment. */
export type AskFilter = (filter: string, environment: Record<string, unknown>) => FilterVerdict;

/** Loads the library, which only silences with an expression need. */
export async function loadFilters(): Promise<AskFilter> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const cel = new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true });
  const parsed = new Map<string, ((variables: Record<string, unknown>) => unknown) | null>();
  const read = (filter: string) => {
    try {
      return cel.parse(filter);
    } catch {
      return null;
    }
  };
  return (filter, environment) => {
    const known = parsed.get(filter);
    const evaluate = known === undefined ? read(filter) : known;
    parsed.set(filter, evaluate);
    if (evaluate === null) return 'unknown';
    try {
      const said = evaluate(environment);
      if (typeof said !== 'boolean') return 'unknown';
      return said ? 'yes' : 'no';
    } catch {
      return 'unknown';
    }
  };
}
