/**
 * Which playbooks suit a resource, and what their parameters start with (schema §7.4). A playbook suits when any
 * selector of its list for that kind means the resource.
 */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { resourceSelectorSchema } from '../../src/contract/http/search.ts';
import { isSelected } from '../catalog/search/selector-query.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { PlaybookResource, PlaybookRow } from './playbook-query.ts';

const selectorsSchema = z.array(resourceSelectorSchema).catch([]);
const parameterSchema = z.looseObject({
  name: z.string(),
  required: z.boolean().nullish(),
  default: z.unknown(),
});
const parametersSchema = z.array(parameterSchema).catch([]);
export type PlaybookParameter = z.output<typeof parameterSchema>;

/** The parameters of a playbook; what a specification has wrong there counts as none. */
export function parametersOf(playbook: PlaybookRow): PlaybookParameter[] {
  return parametersSchema.parse(playbook.spec['parameters'] ?? []);
}

interface Target {
  kind: PlaybookResource;
  id: string;
}

async function suits(db: Queryable, playbook: PlaybookRow, { kind, id }: Target): Promise<boolean> {
  const selectors = selectorsSchema.parse(playbook.spec[kind] ?? []);
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
      if (!(error instanceof AppError)) throw error;
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
