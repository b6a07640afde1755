/**
 * Which playbooks suit a resource, and what their parameters start with (schema §7.4). A playbook suits when any
 * selector of its list for that kind means the resource.
 */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookParameter, PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import { resourceSelectorSchema } from '../../../src/contract/http/search.ts';
import { isSelected } from '../../catalog/search/selector-query.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PlaybookResource, PlaybookRow } from './playbook-query.ts';

const selectorsSchema = z.array(resourceSelectorSchema);

/** The specification of a playbook; throws `invalid` with the paths of what is wrong with it. */
export function specOfPlaybook({ spec, name }: Pick<PlaybookRow, 'spec' | 'name'>): PlaybookSpec {
  const parsed = playbookSpecSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, ['spec'], spec).map(
    ({ field, message }) => `${field}: ${message}`,
  );
  throw new AppError('invalid', `the playbook "${name}" can't be run: ${problems.join('; ')}`);
}

/** As a list shows them; a playbook that can't be read is listed with the reason, so that somebody mends it. */
export function shownParameters(
  playbook: PlaybookRow,
): { parameters?: PlaybookParameter[] } | { error: string } {
  try {
    const { parameters = [] } = specOfPlaybook(playbook);
    return parameters.length > 0 ? { parameters } : {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: error.message };
  }
}

interface Target {
  kind: PlaybookResource;
  id: string;
}

/** True where any of the playbook's selectors of that kind of resource has it. */
export async function suits(db: Queryable, playbook: PlaybookRow, { kind, id }: Target): Promise<boolean> {
  const parsed = selectorsSchema.safeParse(playbook.spec[kind] ?? []);
  if (!parsed.success) specOfPlaybook(playbook);
  const selectors = parsed.data ?? [];
  return selectors.length > 0 && isSelected(db, kind, { id, selectors });
}

/** The playbooks that suit; one whose selectors can't be read suits nothing, and the log says so. */
export async function playbooksFor(
  { db, logger }: { db: Queryable; logger: Pick<Logger, 'warn'> },
  playbooks: readonly PlaybookRow[],
  target: Target,
): Promise<PlaybookRow[]> {
  const found: PlaybookRow[] = [];
  for (const playbook of playbooks) {
    try {
      if (await suits(db, playbook, target)) found.push(playbook);
    } catch (error) {
      // Nobody waits for the answer any more, or it is worth another try: that says nothing about the playbook.
      if (!(error instanceof AppError) || error.code === 'cancelled' || error.retryable) throw error;
      logger.warn({ err: error, playbook: playbook.id }, 'a selector of a playbook cannot be read');
    }
  }
  return found;
}

/** The parameters with their defaults filled in from what the run is about. */
export async function templatedParameters(
  expressions: Expressions,
  parameters: readonly PlaybookParameter[],
  variables: Record<string, unknown>,
): Promise<PlaybookParameter[]> {
  const filled: PlaybookParameter[] = [];
  for (const parameter of parameters) {
    const template = parameter.default;
    if (typeof template !== 'string' || !template.includes('{{')) filled.push(parameter);
    else
      filled.push({
        ...parameter,
        default: await evaluate(expressions, parameter.name, { template, variables }),
      });
  }
  return filled;
}

async function evaluate(
  expressions: Expressions,
  name: string,
  { template, variables }: { template: string; variables: Record<string, unknown> },
): Promise<string> {
  try {
    const scope = { variables, durationNames: [], lastResult: null };
    return (await expressions.evaluate({ template }, scope)).text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('invalid', `the default of parameter "${name}" fails: ${reason}`, { cause: error });
  }
}
