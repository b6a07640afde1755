/** Runs a script in its language and reads the result as text and as yes or no. */
import { scriptText } from '../../../src/domain/script-language.ts';
import { createCelEvaluator } from './cel.ts';
import type { ExpressionPowers } from './cel-functions.ts';
import { evaluateGoTemplate } from './go-template.ts';
import { textOf, toJson } from './humanize.ts';
import { evaluateJavascript } from './javascript.ts';
import { evaluateJsonPath } from './json-path.ts';
import type { ScriptScope, ScriptSource, ScriptValue } from './script.ts';

export type ScriptEvaluator = (script: ScriptSource, scope: ScriptScope) => ScriptValue;

const NOTHING = { language: 'Javascript', text: '' } as const;
const WORDS = new Map([
  ['true', true],
  ['false', false],
]);

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
    const { language, text } = scriptText(script) ?? NOTHING;
    switch (language) {
      case 'Expr':
        return cel.evaluate(text, scope);
      case 'Go Template':
        return evaluateGoTemplate(text, scope, powers.now);
      case 'JSONPath':
        return evaluateJsonPath(text, scope);
      case 'Javascript':
        return evaluateJavascript(text, scope);
    }
  };
  return (script, scope) => {
    const value = evaluate(script, scope);
    const text = textOf(value);
    return { text, isTrue: WORDS.get(text.trim()) ?? null, json: jsonOf(value) };
  };
}
