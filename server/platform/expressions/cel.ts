/** Common Expression Language: parsed once, evaluated against the scope of a run. */
import { Environment } from '@marcbachmann/cel-js';
import { celDuration, registerFunctions } from './cel-functions.ts';
import type { ExpressionPowers } from './cel-functions.ts';
import { RUN_FUNCTIONS } from './run-functions.ts';
import type { FinishedAction, ScriptScope } from './script.ts';

/** Enough for every expression of a large estate; the oldest give way. */
const MAX_PARSED = 2000;
const LIMITS = {
  maxAstNodes: 5000,
  maxDepth: 100,
  maxListElements: 1000,
  maxMapEntries: 1000,
  maxCallArguments: 32,
};

export interface CelEvaluator {
  /** Throws with a one-line reason. */
  evaluate(expression: string, scope: ScriptScope): unknown;
  /** Why it can be evaluated with no variables, whatever they are; null where that depends on them. */
  problemOf(expression: string): string | null;
}

type Parsed = (variables: Record<string, unknown>) => unknown;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The library's messages go on with a picture of the source; its first line is the reason.
  return error.message.split('\n')[0] ?? error.name;
}

/** The value with the number at the path as a duration; as it is where there is none. */
function withDuration(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'number' ? celDuration(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: withDuration(Reflect.get(value, name), rest) };
}

/** The variables; those given in ms, also within others (`check.age`), as durations. */
function withDurations({ variables, durationNames }: ScriptScope): Record<string, unknown> {
  const given: unknown = durationNames.reduce<unknown>(
    (value, name) => withDuration(value, name.split('.')),
    { ...variables },
  );
  return given as Record<string, unknown>;
}

/** Evaluations are synchronous and bounded by `LIMITS`. */
export function createCelEvaluator(powers: ExpressionPowers): CelEvaluator {
  // Functions don't see the variables of an evaluation; evaluation is synchronous, so this is its last_result().
  let lastResult: unknown = null;
  const env = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  });
  registerFunctions(env, powers);
  env.registerFunction('last_result(): dyn', () => lastResult ?? { results: {} });
  let actions: readonly FinishedAction[] = [];
  const { getAction, ...facts } = RUN_FUNCTIONS;
  env.registerFunction('getAction(dyn): dyn', (name: unknown) => getAction(actions, name));
  for (const [name, run] of Object.entries(facts)) env.registerFunction(`${name}(): dyn`, () => run(actions));
  const parsed = new Map<string, Parsed>();

  const parse = (expression: string): Parsed => {
    const known = parsed.get(expression);
    if (known !== undefined) return known;
    const fresh: Parsed = env.parse(expression);
    const [oldest] = parsed.keys();
    if (parsed.size >= MAX_PARSED && oldest !== undefined) parsed.delete(oldest);
    parsed.set(expression, fresh);
    return fresh;
  };

  return {
    problemOf(expression) {
      const { valid, error } = env.check(expression.trim());
      // What types say may still go well for the values that there are.
      return valid || error?.code === 'no_such_overload' ? null : reasonOf(error);
    },
    evaluate(expression, scope) {
      const variables = withDurations(scope);
      lastResult = scope.lastResult;
      actions = scope.actions ?? [];
      try {
        return parse(expression.trim())(variables);
      } catch (error) {
        throw new Error(reasonOf(error), { cause: error });
      }
    },
  };
}
