/** Selectors as SQL conditions over one kind of resource, and the search that uses them (schema §5.1). */
import { AppError } from '../../../src/contract/errors.ts';
import type { LabelRequirement } from '../../../src/domain/label-selector.ts';
import type { MatchList } from '../../../src/domain/match-list.ts';
import { readSelector } from '../../../src/domain/selector/resource-selector.ts';
import type { ResourceSelector, SelectorTerms } from '../../../src/domain/selector/resource-selector.ts';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import type { Statement } from '../../replication/data-api/statement/statement-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { labelConditions, listConditions } from './filter-query.ts';
import { RESOURCE_KINDS } from './resource-kinds.ts';
import type { ResourceKind, ResourceKindName } from './resource-kinds.ts';
import { toJson } from '../../platform/db/to-json.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const THIS_SERVER: ReadonlySet<string> = new Set(['', 'self', 'local', NIL]);
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NEVER = 'false';

interface Selection {
  kind: ResourceKind;
  terms: SelectorTerms;
  statement: Statement;
}

const lower = (sql: string) => `lower(${sql})`;
const isAsked = ({ wanted, refused }: MatchList) => wanted.length + refused.length > 0;

/** A list over a text that the kind may not have. */
function listOver(column: string | null, list: MatchList, statement: Statement): string[] {
  if (column === null) return isAsked(list) ? [NEVER] : [];
  return listConditions([lower(column)], list, statement);
}

function labelsOver(
  column: string | null,
  requirements: readonly LabelRequirement[],
  statement: Statement,
): string[] {
  if (column === null) return requirements.length > 0 ? [NEVER] : [];
  return labelConditions(column, requirements, statement);
}

/** Ids are told apart exactly; what is no id names nothing. */
function idCondition({ terms, statement }: Selection): string[] {
  if (terms.id === null) return [];
  return GUID.test(terms.id) ? [`r.id = ${statement.param(terms.id)}::uuid`] : [NEVER];
}

function agentCondition({ kind, terms, statement }: Selection): string[] {
  if (kind.agentId === null || terms.agent === 'all') return [];
  if (THIS_SERVER.has(terms.agent)) return [`${kind.agentId} = '${NIL}'`];
  if (GUID.test(terms.agent)) return [`${kind.agentId} = ${statement.param(terms.agent)}::uuid`];
  const byName = `select agent.id from agents agent where lower(agent.name) = ${statement.param(terms.agent)}`;
  return [`${kind.agentId} in (${byName} and agent.deleted_at is null)`];
}

function scopeCondition({ kind, terms, statement }: Selection): string[] {
  if (terms.scope === null) return [];
  if (kind.scopes.length === 0) return [NEVER];
  const scope = statement.param(terms.scope);
  return [`(${kind.scopes.map((text) => `${lower(text)} = ${scope}`).join(' or ')})`];
}

/** A column, which may be a list itself, compared without regard to case. */
function fieldCondition(column: string, requirement: LabelRequirement, statement: Statement): string {
  const { operator, values } = requirement;
  if (operator === 'exists') return `${column} is not null`;
  if (operator === 'missing') return `${column} is null`;
  const listed = `${statement.param(values.map((value) => value.toLowerCase()))}::text[]`;
  const isOneOf = column.endsWith('.external_id')
    ? `lower(${column}::text)::text[] && ${listed}`
    : `${lower(column)} = any(${listed})`;
  return operator === 'in' ? `coalesce(${isOneOf}, false)` : `not coalesce(${isOneOf}, false)`;
}

function fieldConditions({ kind, terms, statement }: Selection): string[] {
  return terms.fields.map((requirement) => {
    const column = Object.hasOwn(kind.fields, requirement.key) ? kind.fields[requirement.key] : undefined;
    if (column === undefined) {
      const known = Object.keys(kind.fields).toSorted().join(', ');
      throw new AppError('invalid', `fieldSelector: ${requirement.key} is not one of ${known}`);
    }
    return fieldCondition(column, requirement, statement);
  });
}

/** Pairs of the search text are labels; where a kind has none, they are its fields. */
function searchedConditions({ kind, terms, statement }: Selection): string[] {
  return terms.searched.flatMap((requirement) => {
    const { key } = requirement;
    if (kind.labels !== null) return labelConditions(kind.labels, [requirement], statement);
    const column = Object.hasOwn(kind.fields, key) ? kind.fields[key] : undefined;
    return [column === undefined ? NEVER : fieldCondition(column, requirement, statement)];
  });
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`);

/**
 * The beginning of the name, or of a label's or tag's value. A jsonb object of texts is written `{"k": "v"}`, and
 * a quote within a text has a backslash before it: so `": "` stands before values only, and one comparison of the
 * whole text does for all of them.
 */
function prefixCondition({ kind, terms, statement }: Selection): string[] {
  if (terms.prefix === '') return [];
  const name = statement.param(`${escapeLike(terms.prefix)}%`);
  const inValue = `%": "${escapeLike(toJson(terms.prefix).slice(1, -1))}%`;
  const maps = [kind.labels, kind.tags].filter((map) => map !== null);
  const tests = [
    `${lower(kind.name)} like lower(${name})`,
    ...maps.map((map) => `lower(${map}::text) like lower(${statement.param(inValue)})`),
  ];
  return [`(${tests.join(' or ')})`];
}

function conditionsOf(selection: Selection): string[] {
  const { kind, terms, statement } = selection;
  return [
    ...idCondition(selection),
    ...(kind.deletedAt === null || terms.isDeletedToo ? [] : [`${kind.deletedAt} is null`]),
    ...agentCondition(selection),
    ...listOver(kind.name, terms.name, statement),
    ...listOver(kind.namespace, terms.namespace, statement),
    ...listOver(kind.typeMatched, terms.types, statement),
    ...listOver(kind.status, terms.statuses, statement),
    ...listOver(kind.health, terms.health, statement),
    ...labelsOver(kind.labels, terms.labels, statement),
    ...labelsOver(kind.tags, terms.tags, statement),
    ...scopeCondition(selection),
    ...fieldConditions(selection),
    ...searchedConditions(selection),
    ...prefixCondition(selection),
  ];
}

/** The selector as a condition over the kind's tables; null when it asks for nothing. */
function compileSelector(
  kind: ResourceKind,
  selector: ResourceSelector,
  statement: Statement,
): { sql: string; limit: number | null } | null {
  const reading = readSelector(selector);
  if (reading.kind === 'nothing') return null;
  if (reading.kind === 'unreadable')
    throw new AppError('invalid', `${reading.field}: ${toJson(reading.part)} is not a selector`);
  const conditions = conditionsOf({ kind, terms: reading.terms, statement });
  return { sql: conditions.length === 0 ? 'true' : conditions.join(' and '), limit: reading.terms.limit };
}

/** What an answer shows of a resource; empty parts are left out. */
function rowSql(kind: ResourceKind): string {
  return `json_strip_nulls(json_build_object('id', r.id,
    'agent', ${kind.agentId ?? `'${NIL}'::uuid`}, 'icon', nullif(${kind.icon ?? 'null'}, ''),
    'name', coalesce(${kind.name}, ''), 'namespace', coalesce(${kind.namespace}, ''),
    'type', coalesce(${kind.type}, ''), 'tags', nullif(${kind.shownTags ?? 'null::jsonb'}, '{}'::jsonb)))`;
}

/**
 * The resources that any of the selectors means, by name, as the database's own JSON text. A selector's own limit
 * counts for what it finds.
 */
export async function searchResources(
  db: Queryable,
  kindName: ResourceKindName,
  { selectors, limit }: { selectors: readonly ResourceSelector[]; limit: number },
): Promise<string> {
  const kind: ResourceKind = RESOURCE_KINDS[kindName];
  const statement = createStatement();
  const max = `${statement.param(limit)}::int`;
  const finds = selectors.flatMap((selector) => {
    const compiled = compileSelector(kind, selector, statement);
    if (compiled === null) return [];
    const own = compiled.limit === null ? max : `least(${max}, ${statement.param(compiled.limit)}::int)`;
    return [`(select r.id from ${kind.from} where ${compiled.sql} order by ${kind.name}, r.id limit ${own})`];
  });
  if (finds.length === 0) return '[]';
  const sql = `with found as (${finds.join(' union ')}),
    shown as (
      select ${rowSql(kind)} as value, ${kind.name} as name, r.id from ${kind.from}
       where r.id in (select found.id from found) order by ${kind.name}, r.id limit ${max}
    )
    select coalesce(json_agg(shown.value order by shown.name, shown.id), '[]')::text from shown`;
  return (await db.text(sql, statement.params)) ?? '[]';
}

/** What any of the selectors means, as a condition over the kind's tables; null when they ask for nothing. */
export function selectedBy(
  kindName: ResourceKindName,
  selectors: readonly ResourceSelector[],
  statement: Statement,
): string | null {
  const kind: ResourceKind = RESOURCE_KINDS[kindName];
  const tests = selectors.flatMap((selector) => compileSelector(kind, selector, statement)?.sql ?? []);
  return tests.length === 0 ? null : `((${tests.join(') or (')}))`;
}

/** Whether any of the selectors means this resource. */
export async function isSelected(
  db: Queryable,
  kindName: ResourceKindName,
  { id, selectors }: { id: string; selectors: readonly ResourceSelector[] },
): Promise<boolean> {
  const statement = createStatement();
  const row = statement.param(id);
  const test = selectedBy(kindName, selectors, statement);
  if (test === null) return false;
  const { from } = RESOURCE_KINDS[kindName];
  const sql = `select (exists (select 1 from ${from} where r.id = ${row}::uuid and ${test}))::text`;
  return (await db.text(sql, statement.params)) === 'true';
}
