/** What the expressions of a specification see of an item, and how they are run. */
import { AppError } from '../../../../src/contract/errors.ts';
import type { Expressions } from '../../../platform/expressions/expression-thread.ts';
import type { ScriptSource } from '../../../platform/expressions/script.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';

/** Enough to see what is wrong, too little to drown the rest. */
const MAX_WARNINGS = 50;

/** Warnings of one run: each reason once. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (this.#texts.size < MAX_WARNINGS) this.#texts.add(text);
  }

  list(): string[] {
    return [...this.#texts];
  }
}

/** Nothing is an empty list, one value a list of one. */
function listOf(value: unknown): unknown[] {
  if (value === null || value === '') return [];
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(parsed) ? parsed : [parsed];
}

export interface ScriptRunner {
  /** The value as JSON; null when the script fails, which is then warned of with the field's name. */
  value(field: string, script: ScriptSource, variables: Record<string, unknown>): Promise<unknown>;
  /** The list that the script makes, as such or as JSON text; throws naming the field. */
  list(field: string, script: ScriptSource, variables: Record<string, unknown>): Promise<unknown[]>;
  warn(text: string): void;
  /** Whether a filter holds: one that is not there does; null for one that fails or says neither yes nor no. */
  holds(
    field: string,
    filter: string | undefined,
    variables: Record<string, unknown>,
  ): Promise<boolean | null>;
  /** The text with its template filled in. */
  fill(field: string, template: string, variables: Record<string, unknown>): Promise<string>;
}

/** A script that fails is a warning and answers null: it costs one field, not the item. */
export function createScriptRunner(expressions: Expressions, warnings: Warnings): ScriptRunner {
  const evaluate = async (field: string, script: ScriptSource, variables: Record<string, unknown>) => {
    try {
      return await expressions.evaluate(script, { variables, durationNames: [], lastResult: null });
    } catch (error) {
      warnings.add(`${field}: ${reasonOf(error)}`);
      return null;
    }
  };
  return {
    async list(field, script, variables) {
      try {
        const scope = { variables, durationNames: [], lastResult: null };
        return listOf((await expressions.evaluate(script, scope)).json);
      } catch (error) {
        throw new AppError('invalid', `${field}: ${reasonOf(error)}`, { cause: error });
      }
    },
    warn: (text) => warnings.add(text),
    value: async (field, script, variables) => (await evaluate(field, script, variables))?.json ?? null,
    async holds(field, filter, variables) {
      if (filter === undefined || filter.trim() === '') return true;
      return (await evaluate(field, { expr: filter }, variables))?.isTrue ?? null;
    },
    async fill(field, template, variables) {
      if (!template.includes('{{')) return template;
      return (await evaluate(field, { template }, variables))?.text ?? '';
    },
  };
}

type Transform = NonNullable<ScraperBase['transform']>;

/** The script of a transform by the names that specifications use for its language. */
export function scriptOf(transform: Transform | undefined): ScriptSource {
  return {
    expr: transform?.expr,
    template: transform?.gotemplate ?? transform?.template,
    jsonPath: transform?.jsonpath ?? transform?.jsonPath,
    javascript: transform?.javascript,
  };
}
