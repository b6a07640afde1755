/**
 * What checks say of themselves that they belong to (schema §4.1: `relationships`): components and items by selectors
 * whose parts are a value, a label of the check, or an expression over it. A part that comes to nothing selects nothing.
 */
import { z } from 'zod';
import type { SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { Transactions } from '../../platform/db/database.ts';
import type { Expressions } from '../../platform/expressions/expression-thread.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { checksWithRelationships, type RelatedCheck } from './links-query.ts';

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const lookup = z.union([
  word.transform((value) => ({ value, expr: undefined, label: undefined })),
  z.object({ value: word.optional(), expr: z.string().optional(), label: z.string().optional() }),
]);
type Lookup = z.infer<typeof lookup>;

const PARTS = ['id', 'name', 'type', 'agent', 'namespace'] as const;
const template = z.object({
  id: lookup.optional(),
  name: lookup.optional(),
  type: lookup.optional(),
  agent: lookup.optional(),
  namespace: lookup.optional(),
  labels: z.record(z.string(), lookup).optional(),
});
type Template = z.infer<typeof template>;
const relationships = z.object({
  components: z.array(template).nullish(),
  configs: z.array(template).nullish(),
});

/** A check with what its selectors come to. */
export interface RelatingCheck {
  id: string;
  components: SpecSelector[];
  configs: SpecSelector[];
}

const labelsOf = ({ labels }: RelatedCheck) => (isRecord(labels) ? labels : {});

async function textOf(expressions: Expressions, check: RelatedCheck, part: Lookup): Promise<string> {
  if (part.value !== undefined) return part.value;
  if (part.label !== undefined) {
    const value = labelsOf(check)[part.label];
    return typeof value === 'string' ? value : '';
  }
  if (part.expr === undefined) return '';
  const { id, name, type, namespace, canary } = check;
  const own = { id, name, type, namespace, labels: labelsOf(check) };
  const variables = { check: own, canary, labels: own.labels, name, type, namespace };
  const scope = { variables, durationNames: [], lastResult: null };
  const { text } = await expressions.evaluate({ expr: part.expr }, scope);
  return text === 'undefined' || text === 'null' ? '' : text;
}

/** Null where a part comes to nothing: then the rest alone would mean something else. */
async function selectorOf(
  expressions: Expressions,
  check: RelatedCheck,
  written: Template,
): Promise<SpecSelector | null> {
  const found: Record<string, string> = {};
  for (const name of PARTS) {
    const part = written[name];
    if (part !== undefined) found[name] = (await textOf(expressions, check, part)).trim();
  }
  const labels: string[] = [];
  for (const [key, part] of Object.entries(written.labels ?? {})) {
    const value = (await textOf(expressions, check, part)).trim();
    if (value === '') return null;
    labels.push(`${key}=${value}`);
  }
  if (Object.values(found).includes('')) return null;
  const selector = { ...found, ...(labels.length === 0 ? {} : { labelSelector: labels.join(',') }) };
  return Object.keys(selector).length === 0 ? null : selector;
}

async function selectorsOf(
  expressions: Expressions,
  check: RelatedCheck,
  written: readonly Template[] | null | undefined,
): Promise<SpecSelector[]> {
  const selectors: SpecSelector[] = [];
  for (const one of written ?? []) {
    const selector = await selectorOf(expressions, check, one);
    if (selector !== null) selectors.push(selector);
  }
  return selectors;
}

/** All checks of this server that relate themselves to something; what can't be read is told. */
export async function relatingChecks(
  db: Transactions,
  expressions: Expressions,
): Promise<{ checks: RelatingCheck[]; errors: string[] }> {
  const checks: RelatingCheck[] = [];
  const errors: string[] = [];
  for (const check of await checksWithRelationships(db)) {
    const parsed = relationships.safeParse(check.relationships);
    const tell = (reason: string) => errors.push(`check "${check.name}": relationships: ${reason}`);
    if (!parsed.success) {
      tell(parsed.error.issues[0]?.path.join('.') ?? 'has the wrong form');
      continue;
    }
    try {
      checks.push({
        id: check.id,
        components: await selectorsOf(expressions, check, parsed.data.components),
        configs: await selectorsOf(expressions, check, parsed.data.configs),
      });
    } catch (error) {
      tell(reasonOf(error));
    }
  }
  return { checks, errors };
}
