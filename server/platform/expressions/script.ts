/** What the expression thread is asked and answers. Everything here is plain data that crosses a thread. */
import { scriptText, type WrittenScript } from '../../../src/domain/script-language.ts';

/** A script of a specification. */
export type ScriptSource = WrittenScript;

export interface ScriptScope {
  /** Names a script sees. JSON values only. */
  variables: Record<string, unknown>;
  /** Variables given in ms that scripts see as durations; `check.age` is one within another. */
  durationNames: readonly string[];
  /** What `last_result()` answers; null when there is no stored result. */
  lastResult: unknown;
  /** What `getAction`, `getLastAction`, `success` and their like are about: the actions of a run so far. */
  actions?: readonly FinishedAction[];
  /** What a template puts in, apart from its own text: `\0mark:base64\0`. Nobody who writes values knows the mark. */
  mark?: string;
}

/** An action of a playbook's run, as expressions of later ones see it. */
export interface FinishedAction {
  name: string;
  status: string;
  error: string | null;
  result: Record<string, unknown>;
  isTimeout: boolean;
}

export interface ScriptRequest {
  id: number;
  script: ScriptSource;
  scope: ScriptScope;
}

export interface ScriptValue {
  /** The result as text, as a message shows it. */
  text: string;
  /** The result when it is a yes or no (also as text), else null. */
  isTrue: boolean | null;
  /** The result as JSON can say it: a list, an object, a text … */
  json: unknown;
}

export type ScriptAnswer =
  | { id: number; ok: true; value: ScriptValue }
  | { id: number; ok: false; error: string };

/** True when the script has something to run. */
export function hasScript(script: ScriptSource | undefined): script is ScriptSource {
  return scriptText(script) !== null;
}
