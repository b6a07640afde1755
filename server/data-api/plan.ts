/**
 * Checks a parsed request against the catalogue and says what to read: every name in a plan exists, every
 * embedded relation may be read by the caller. SQL is made from plans only.
 */
import { DataApiError, clip, parseError, unknownColumn } from './api-error.ts';
import type { Catalogue, Relation } from './catalogue.ts';
import { findLink } from './links.ts';
import type { Link } from './links.ts';
import type { Condition, Field, OrderTerm, ParsedRequest, Scope, SelectItem } from './request.ts';

/** More rows than this come in pages (contract §16). */
export const MAX_ROWS = 2000;

export interface PlannedColumn {
  key: string;
  field: Field;
  cast: string | null;
}

export interface PlannedEmbed {
  key: string;
  /** The name by which filters and order refer to it. */
  name: string;
  link: Link;
  isInner: boolean;
  plan: Plan;
}

export interface PlannedOrder {
  embed: PlannedEmbed | null;
  term: OrderTerm;
}

export interface Plan {
  relation: Relation;
  columns: readonly PlannedColumn[];
  embeds: readonly PlannedEmbed[];
  conditions: readonly Condition[];
  order: readonly PlannedOrder[];
  limit: number;
  offset: number;
}

export interface PlanContext {
  catalogue: Catalogue;
  /** Throws when the caller may not read the relation. */
  assertReadable(relation: Relation): void;
}

const CASTS: ReadonlySet<string> = new Set([
  'text',
  'int',
  'integer',
  'int4',
  'bigint',
  'int8',
  'smallint',
  'numeric',
  'float',
  'float8',
  'double precision',
  'real',
  'bool',
  'boolean',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'uuid',
  'json',
  'jsonb',
  'varchar',
]);
/** PostgreSQL cuts longer names. */
const MAX_KEY_BYTES = 63;

function checkField(relation: Relation, field: Field): Field {
  const column = relation.columns.get(field.column);
  if (column === undefined) throw unknownColumn(relation.name, field.column);
  const isJson = column.type === 'json' || column.type === 'jsonb';
  const breaksOff = field.arrows.slice(0, -1).some((arrow) => arrow.asText);
  if (field.arrows.length > 0 && (!isJson || breaksOff)) {
    throw new DataApiError(400, {
      code: '42883',
      message: `column ${relation.name}.${column.name} has no such JSON path`,
    });
  }
  return field;
}

function checkCondition(relation: Relation, condition: Condition): Condition {
  if (condition.kind === 'comparison') checkField(relation, condition.field);
  else for (const member of condition.of) checkCondition(relation, member);
  return condition;
}

/** A key is the only text of a client that becomes an identifier (quoted, as the name of an output column). */
function checkKey(key: string): string {
  if (key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES || key.startsWith('_hf_'))
    throw parseError('select', key);
  return key;
}

function defaultKey(field: Field): string {
  const named = field.arrows.findLast((arrow) => !/^-?\d+$/.test(arrow.key));
  return named?.key ?? field.column;
}

function planColumn(relation: Relation, item: Extract<SelectItem, { kind: 'field' }>): PlannedColumn {
  if (item.cast !== null && !CASTS.has(item.cast)) {
    throw new DataApiError(400, { code: '42704', message: `type "${clip(item.cast)}" does not exist` });
  }
  return {
    key: checkKey(item.alias ?? defaultKey(item.field)),
    field: checkField(relation, item.field),
    cast: item.cast,
  };
}

function planColumns(relation: Relation, items: readonly SelectItem[]): PlannedColumn[] {
  return items.flatMap((item) => {
    switch (item.kind) {
      case 'all':
        return [...relation.columns.keys()].map((name) => ({
          key: name,
          field: { column: name, arrows: [] },
          cast: null,
        }));
      case 'field':
        return [planColumn(relation, item)];
      case 'embed':
        return [];
    }
  });
}

interface Level {
  relation: Relation;
  items: readonly SelectItem[];
  path: readonly string[];
}

function planOrder(relation: Relation, embeds: readonly PlannedEmbed[], term: OrderTerm): PlannedOrder {
  if (term.embed === null) {
    checkField(relation, term.field);
    return { embed: null, term };
  }
  const embed = embeds.find((candidate) => candidate.name === term.embed);
  if (embed === undefined) throw notEmbedded(term.embed);
  if (embed.link.kind !== 'to-one') {
    throw new DataApiError(400, {
      code: 'PGRST118',
      message: `A related order on '${clip(term.embed)}' is not possible: it is not a many-to-one relationship`,
    });
  }
  checkField(embed.link.target, term.field);
  return { embed, term };
}

function notEmbedded(name: string): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST108',
    message: `'${clip(name)}' is not an embedded resource in this request`,
    hint: `Verify that '${clip(name)}' is included in the 'select' query parameter.`,
  });
}

/** Plans the request for a relation (of a table, a view, or a function's rows). */
export function planRequest(context: PlanContext, relation: Relation, request: ParsedRequest): Plan {
  const unclaimed = new Map(request.scopes.map((scope) => [scope.path.join('.'), scope]));

  const planEmbed = (level: Level, item: Extract<SelectItem, { kind: 'embed' }>): PlannedEmbed => {
    const link = findLink(context.catalogue, {
      source: level.relation,
      name: item.relation,
      hint: item.hint,
    });
    context.assertReadable(link.target);
    if (link.kind === 'many-to-many') context.assertReadable(link.junction);
    const name = item.alias ?? item.relation;
    const plan = planLevel({ relation: link.target, items: item.items, path: [...level.path, name] });
    return { key: checkKey(name), name, link, isInner: item.isInner, plan };
  };

  const claim = (path: readonly string[]): Scope | undefined => {
    const key = path.join('.');
    const scope = unclaimed.get(key);
    unclaimed.delete(key);
    return scope;
  };

  const planLevel = (level: Level): Plan => {
    const scope = claim(level.path);
    const embeds = level.items.flatMap((item) => (item.kind === 'embed' ? [planEmbed(level, item)] : []));
    const missing = scope?.withoutOperator.find((name) => level.relation.columns.has(name));
    if (missing !== undefined) throw parseError('filter', missing);
    // Of equal keys the last counts: `*,created_by(…)` shows the person in place of the id.
    const embedKeys = new Set(embeds.map((embed) => embed.key));
    const columns = new Map(planColumns(level.relation, level.items).map((column) => [column.key, column]));
    return {
      relation: level.relation,
      columns: [...columns.values()].filter((column) => !embedKeys.has(column.key)),
      embeds: [...new Map(embeds.map((embed) => [embed.key, embed])).values()],
      conditions: (scope?.conditions ?? []).map((condition) => checkCondition(level.relation, condition)),
      order: (scope?.order ?? []).map((term) => planOrder(level.relation, embeds, term)),
      limit: Math.min(scope?.limit ?? MAX_ROWS, MAX_ROWS),
      offset: scope?.offset ?? 0,
    };
  };

  const plan = planLevel({ relation, items: request.select, path: [] });
  for (const scope of unclaimed.values()) {
    const isUsed =
      scope.conditions.length > 0 || scope.order !== null || scope.limit !== null || scope.offset !== null;
    if (isUsed) throw notEmbedded(scope.path.join('.'));
  }
  return plan;
}
