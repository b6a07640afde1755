/** Runs a script in its language and reads the result as text and as yes or no. */
import { createCelEvaluator } from './cel.ts';
import type { ExpressionPowers } from './cel-functions.ts';
import { evaluateGoTemplate } from './go-template.ts';
import { textOf, toJson } from './humanize.ts';
import { evaluateJavascript } from './javascript.ts';
import { evaluateJsonPath } from './json-path.ts';
import type { ScriptScope, ScriptSource, ScriptValue } from './script.ts';

export type ScriptEvaluator = (script: ScriptSource, scope: ScriptScope) => ScriptValue;

const WORDS = new Map([
  ['true', true],
  ['false', false],
]);

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** What of a result crosses the thread: 64-bit integers, maps and times are no plain data. */
function jsonOf(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' ? JSON.parse(toJson(value)) : value;
}

/** The evaluator of this thread. What it returns throws with a one-line reason. */
export function createScriptEvaluator(powers: ExpressionPowers): ScriptEvaluator {
  const cel = createCelEvaluator(powers);
  const evaluate = (script: ScriptSource, scope: ScriptScope): unknown => {
    if (isSet(script.expr)) return cel.evaluate(script.expr, scope);
    if (isSet(script.template)) return evaluateGoTemplate(script.template, scope, powers.now);
    if (isSet(script.jsonPath)) return evaluateJsonPath(script.jsonPath, scope);
    return evaluateJavascript(script.javascript ?? '', scope);
  };
  return (script, scope) => {
    const value = evaluate(script, scope);
    const text = textOf(value);
    return { text, isTrue: WORDS.get(text.trim()) ?? null, json: jsonOf(value) };
  };
}
