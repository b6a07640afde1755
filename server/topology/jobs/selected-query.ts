/**
 * What many selectors mean, each by itself. Most of those that documents write are a name and a type: those are answered
 * all together, by one join, so that ten thousand components with a selector each cost a few statements.
 */
import { z } from 'zod';
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import type { SpecSelector } from '../../../src/contract/specs/topology-spec.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../../catalog/search/resource-kinds.ts';
import { selectedBy } from '../../catalog/search/selector-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { idRow } from '../../platform/db/row-schema.ts';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { resourceSelectorOf } from '../build/selectors.ts';
import { toJson } from '../../platform/db/to-json.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
/** Of one selector. */
const MAX_FOUND = 10_000;
/** Of all selectors of one run of a job together. */
const MAX_FOUND_IN_ALL = 500_000;
/** Selectors that need a statement of their own, in one run of a job. */
const MAX_SINGLE = 2000;

export type SelectableKind = 'components' | 'checks' | 'configs';

/** Ids by selector; what could not be asked is told. */
export interface Selected {
  idsOf: (selector: SpecSelector) => readonly string[];
  errors: string[];
}

interface PlainSelector {
  name: string;
  type: string | null;
  namespace: string | null;
}

const PLAIN_KEYS = new Set(['name', 'type', 'types', 'namespace']);
const PLAIN_TEXT = /^[^,!*]+$/;

/** A selector of exact texts: a name, perhaps with a type and a namespace; null for any other. */
function plainOf(selector: ResourceSelector): PlainSelector | null {
  const given = Object.entries(selector).filter(
    ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const { name, types = [], namespace } = selector;
  if (name === undefined || name === null || given.some(([key]) => !PLAIN_KEYS.has(key))) return null;
  const [type, ...more] = types ?? [];
  const texts = [name, type, namespace].filter((text) => typeof text === 'string');
  if (more.length > 0 || texts.some((text) => !PLAIN_TEXT.test(text) || text.trim() === '')) return null;
  return { name: name.trim(), type: type?.trim() ?? null, namespace: namespace?.trim() ?? null };
}

const foundRow = z.strictObject({ place: z.number(), id: z.string() });

async function selectPlain(
  db: Queryable,
  kindName: SelectableKind,
  wanted: readonly PlainSelector[],
): Promise<string[][]> {
  const found: string[][] = wanted.map(() => []);
  if (wanted.length === 0) return found;
  const kind: ResourceKind = RESOURCE_KINDS[kindName];
  const rows = await db.rows(
    foundRow,
    `select wanted.place::int as place, r.id from ${kind.from}
     join json_to_recordset($1::json) as wanted(place int, name text, type text, namespace text)
       on lower(${kind.name}) = lower(wanted.name)
     where ${kind.deletedAt} is null and ${kind.agentId} = '${NIL}'
       and (wanted.type is null or lower(${kind.type}) = lower(wanted.type)
         or (position('::' in wanted.type) = 0 and lower(${kind.type}) like '%::' || lower(wanted.type)))
       and (wanted.namespace is null or lower(coalesce(${kind.namespace}, '')) = lower(wanted.namespace))
     order by place, r.id limit ${MAX_FOUND_IN_ALL}`,
    [toJson(wanted.map((one, place) => ({ ...one, place })))],
  );
  for (const { place, id } of rows) found[place]?.push(id);
  return found;
}

async function selectOne(db: Queryable, kind: SelectableKind, selector: ResourceSelector): Promise<string[]> {
  const statement = createStatement();
  const test = selectedBy(kind, [selector], statement);
  if (test === null) return [];
  const limit = statement.param(Math.min(selector.limit ?? MAX_FOUND, MAX_FOUND));
  const { from, name } = RESOURCE_KINDS[kind];
  const rows = await db.rows(
    idRow,
    `select id from (select r.id, ${name} as name from ${from} where ${test}) as found order by name, id limit ${limit}::int`,
    statement.params,
  );
  return rows.map(({ id }) => id);
}

const keyOf = (selector: SpecSelector) => toJson(selector);

/** What each of the selectors means now. */
export async function selectAll(
  db: Queryable,
  kind: SelectableKind,
  selectors: Iterable<SpecSelector>,
): Promise<Selected> {
  const known = new Map<string, readonly string[]>();
  const errors: string[] = [];
  const plain: { key: string; plain: PlainSelector }[] = [];
  const single: { key: string; selector: ResourceSelector }[] = [];
  for (const written of selectors) {
    const key = keyOf(written);
    if (known.has(key)) continue;
    known.set(key, []);
    const selector = resourceSelectorOf(written);
    const exact = plainOf(selector);
    if (exact === null) single.push({ key, selector });
    else plain.push({ key, plain: exact });
  }
  const found = await selectPlain(
    db,
    kind,
    plain.map((one) => one.plain),
  );
  for (const [at, { key }] of plain.entries()) known.set(key, found[at] ?? []);
  if (single.length > MAX_SINGLE)
    errors.push(`${single.length} different selectors: ${single.length - MAX_SINGLE} are left out`);
  let count = 0;
  for (const [at, { key, selector }] of single.slice(0, MAX_SINGLE).entries()) {
    if (count >= MAX_FOUND_IN_ALL) {
      errors.push(
        `selectors find more than ${MAX_FOUND_IN_ALL} in all: the last ${single.length - at} are left out`,
      );
      break;
    }
    try {
      const ids = await selectOne(db, kind, selector);
      known.set(key, ids);
      count += ids.length;
    } catch (error) {
      errors.push(`selector ${key}: ${reasonOf(error)}`);
    }
  }
  return { idsOf: (selector) => known.get(keyOf(selector)) ?? [], errors };
}
