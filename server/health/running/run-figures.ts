/** Works out the figures of a check's `metrics` from what its run found (schema §4.1). What can't be worked out is told, and changes no result. */
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { ScriptScope } from '../../platform/expressions/script.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { MetricSpec } from '../kind/spec-fields.ts';
import type { Figure } from '../results/figure.ts';

/** A yes is one. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const found = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

async function labelsOf(
  { labels = [] }: MetricSpec,
  scope: ScriptScope,
  expressions: Expressions,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, value = '', valueExpr } of labels)
    found[name] =
      valueExpr === undefined ? value : (await expressions.evaluate({ expr: valueExpr }, scope)).text;
  return found;
}

async function figureOf(metric: MetricSpec, scope: ScriptScope, expressions: Expressions): Promise<Figure> {
  const { name, type = 'gauge' } = metric;
  const { json, text } = await expressions.evaluate({ expr: metric.value }, scope);
  const value = numberOf(json) ?? numberOf(text);
  if (value === null) throw new Error(`value gave "${text.slice(0, 100)}", which is no number`);
  if (type === 'counter' && value < 0)
    throw new Error(`value gave ${value}, and a counter only counts upwards`);
  return { name, type, value, labels: await labelsOf(metric, scope, expressions) };
}

/** Those that could be worked out, and why others could not; `text` has both for who tries the check. */
export async function figuresOf(
  metrics: readonly MetricSpec[],
  scope: ScriptScope,
  expressions: Expressions,
): Promise<{ figures: Figure[]; problems: string[]; text: string }> {
  const figures: Figure[] = [];
  const wrong: string[] = [];
  for (const metric of metrics)
    try {
      figures.push(await figureOf(metric, scope, expressions));
    } catch (error) {
      wrong.push(`${metric.name}: ${reasonOf(error)}`);
    }
  const found = figures.map(({ name, value }) => `${name} ${value}`);
  const text = [...found, ...wrong].join('; ');
  return { figures, problems: wrong.map((problem) => `metrics: ${problem}`), text };
}
