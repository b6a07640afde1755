/** `transform.relationship`: lookups of other items, given, computed or taken from a label (schema §5.2). */
import type { z } from 'zod';
import { isRecord } from '../../../../src/lib/is-record.ts';
import type { ScraperBase } from '../../../../src/contract/specs/scraper-entry.ts';
import type { lookup } from '../../../../src/contract/specs/spec-parts.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { ItemLookup, ScrapedRelationship } from '../specs/scraped.ts';
import type { ScriptRunner } from './extract-scope.ts';
import { textOrNull } from './json-values.ts';

type Rule = NonNullable<NonNullable<ScraperBase['transform']>['relationship']>[number];
type Lookup = z.output<typeof lookup>;

/** One rule finds at most this many of one item. */
const MAX_FOUND = 1000;
const FIELDS = ['id', 'external_id', 'type', 'name', 'namespace', 'agent', 'scope'] as const;
type Field = (typeof FIELDS)[number];
const KEYS: Readonly<Record<Field, Exclude<keyof ItemLookup, 'labels'>>> = {
  id: 'id',
  external_id: 'externalId',
  type: 'type',
  name: 'name',
  namespace: 'namespace',
  agent: 'agent',
  scope: 'scope',
};

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const text = textOrNull(entry);
      return text === null ? [] : [[key, text]];
    }),
  );
}

/** A lookup written as an object; null when it names nothing at all. */
export function readLookup(value: unknown): ItemLookup | null {
  if (!isRecord(value)) return null;
  const found: ItemLookup = {};
  for (const field of FIELDS) {
    const text = textOrNull(value[field]);
    if (text !== null) found[KEYS[field]] = text;
  }
  const labels = textsOf(value['labels']);
  if (Object.keys(labels).length > 0) found.labels = labels;
  // Where to look says nothing about what to look for.
  const { scope: _scope, agent: _agent, ...what } = found;
  return Object.keys(what).length === 0 ? null : found;
}

interface About {
  field: string;
  labels: Record<string, string>;
  variables: Record<string, unknown>;
}

async function resolve(given: Lookup, about: About, scripts: ScriptRunner): Promise<string | null> {
  if (given.expr !== undefined)
    return textOrNull(await scripts.value(`${about.field}.expr`, { expr: given.expr }, about.variables));
  if (given.label !== undefined) return about.labels[given.label] ?? null;
  return textOrNull(given.value);
}

/** Fields that the rule names must all have a value: half a lookup would find too much. */
async function resolveFields(rule: Rule, about: About, scripts: ScriptRunner): Promise<ItemLookup | null> {
  const values: Record<string, unknown> = { labels: rule.labels };
  for (const field of FIELDS) {
    const given = rule[field];
    if (given === undefined) continue;
    const text = await resolve(given, { ...about, field: `${about.field}.${field}` }, scripts);
    if (text === null) return null;
    values[field] = text;
  }
  return readLookup(values);
}

/** A rule that fails finds nothing, and is warned of. */
async function computed(expr: string, about: About, scripts: ScriptRunner): Promise<unknown[]> {
  try {
    return await scripts.list(`${about.field}.expr`, { expr }, about.variables);
  } catch (error) {
    scripts.warn(reasonOf(error));
    return [];
  }
}

/** What the rules find for one item. `parent: true` makes the found item its parent. */
export async function relationshipsOf(
  rules: readonly Rule[],
  item: Omit<About, 'field'>,
  scripts: ScriptRunner,
): Promise<ScrapedRelationship[]> {
  const found: ScrapedRelationship[] = [];
  for (const [index, rule] of rules.entries()) {
    const about = { ...item, field: `transform.relationship[${index}]` };
    if ((await scripts.holds(`${about.field}.filter`, rule.filter, item.variables)) !== true) continue;
    const lookups =
      rule.expr === undefined
        ? [await resolveFields(rule, about, scripts)]
        : (await computed(rule.expr, about, scripts)).map(readLookup);
    for (const to of lookups.slice(0, MAX_FOUND)) {
      if (to === null) continue;
      found.push(
        rule.parent === true
          ? { to, relation: 'hard', direction: 'in' }
          : { to, relation: '', direction: 'out' },
      );
    }
  }
  return found;
}
