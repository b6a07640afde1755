/**
 * Checks a parsed request against the catalogue and says what to read: every name in a plan exists, every
 * embedded relation may be read by the caller. SQL is made from plans only.
 */
import { DataApiError, clip, parseError } from '../parse/api-error.ts';
import type { Catalogue, Relation } from '../catalogue/catalogue.ts';
import { planCast } from './casts.ts';
import { findLink } from './links.ts';
import type { Link } from './links.ts';
import { planCondition, planField } from './plan-conditions.ts';
import type { PlannedCondition, PlannedField } from './plan-conditions.ts';
import type { Field, OrderTerm, ParsedRequest, Scope, SelectItem } from '../parse/request.ts';

export interface PlannedColumn {
  key: string;
  field: PlannedField;
  cast: string | null;
}

export interface PlannedEmbed {
  key: string;
  /** The name by which filters and order refer to it. */
  name: string;
  link: Link;
  isInner: boolean;
  isSpread: boolean;
  /** Selects nothing: it only narrows. */
  isHidden: boolean;
  plan: Plan;
}

export interface PlannedOrder {
  embed: PlannedEmbed | null;
  field: PlannedField;
  descending: boolean;
  nulls: OrderTerm['nulls'];
}

export interface Plan {
  relation: Relation;
  columns: readonly PlannedColumn[];
  embeds: readonly PlannedEmbed[];
  conditions: readonly PlannedCondition[];
  order: readonly PlannedOrder[];
  /** Null for all. */
  limit: number | null;
  offset: number;
}

export interface PlanContext {
  catalogue: Catalogue;
  /** More rows of a relation than this come in pages; null for no such limit. */
  maxRows: (relation: Relation) => number | null;
  /** Throws when the caller may not read the relation. */
  assertReadable(relation: Relation): void;
}

/** PostgreSQL cuts longer names. */
const MAX_KEY_BYTES = 63;

/** A key is the only text of a client that becomes an identifier (quoted, as the name of an output column). */
function checkKey(key: string): string {
  if (key === '' || Buffer.byteLength(key) > MAX_KEY_BYTES || key.startsWith('_hf_'))
    throw parseError('select parameter', key);
  return key;
}

function defaultKey(field: Field): string {
  const named = field.arrows.findLast((arrow) => !/^-?\d+$/.test(arrow.key));
  return named?.key ?? field.column;
}

function planColumns(
  context: PlanContext,
  relation: Relation,
  items: readonly SelectItem[],
): PlannedColumn[] {
  return items.flatMap((item): PlannedColumn[] => {
    switch (item.kind) {
      case 'all':
        return [...relation.columns.values()].map((column) => ({
          key: column.name,
          field: { column: column.name, arrows: [], of: column },
          cast: null,
        }));
      case 'field':
        return [
          {
            key: checkKey(item.alias ?? defaultKey(item.field)),
            field: planField(relation, item.field),
            cast: item.cast === null ? null : planCast(context.catalogue, item.cast),
          },
        ];
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

function notToOne(level: Level, name: string): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST118',
    message: `A related order on '${name}' is not possible`,
    details: `'${level.relation.name}' and '${name}' do not form a many-to-one or one-to-one relationship`,
  });
}

function notEmbedded(name: string): DataApiError {
  return new DataApiError(400, {
    code: 'PGRST108',
    message: `'${clip(name)}' is not an embedded resource in this request`,
    hint: `Verify that '${clip(name)}' is included in the 'select' query parameter.`,
  });
}

function planOrder(level: Level, embeds: readonly PlannedEmbed[], term: OrderTerm): PlannedOrder {
  const { descending, nulls } = term;
  if (term.embed === null)
    return { embed: null, field: planField(level.relation, term.field), descending, nulls };
  const embed = embeds.find((candidate) => candidate.name === term.embed);
  if (embed === undefined) throw notEmbedded(term.embed);
  if (embed.link.kind !== 'to-one') throw notToOne(level, embed.name);
  return { embed, field: planField(embed.plan.relation, term.field), descending, nulls };
}

/** The scopes of a request, each to be taken by one level of the plan. */
function createClaims(request: ParsedRequest) {
  const unclaimed = new Map(request.scopes.map((scope) => [scope.path.join('.'), scope]));
  return {
    take(path: readonly string[]): Scope | undefined {
      const key = path.join('.');
      const scope = unclaimed.get(key);
      unclaimed.delete(key);
      return scope;
    },
    assertAllTaken() {
      for (const scope of unclaimed.values()) {
        const isUsed =
          scope.conditions.length > 0 ||
          scope.order !== null ||
          scope.limit !== null ||
          scope.offset !== null;
        if (isUsed) throw notEmbedded(scope.path[0] ?? '');
      }
    },
  };
}

function lesser(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.min(one, other);
}

/** Plans the request for a relation (of a table, a view, or a function's rows). */
export function planRequest(context: PlanContext, relation: Relation, request: ParsedRequest): Plan {
  const claims = createClaims(request);

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
    const { isInner, isSpread, items } = item;
    return { key: checkKey(name), name, link, isInner, isSpread, isHidden: items.length === 0, plan };
  };

  const planLevel = (level: Level): Plan => {
    const scope = claims.take(level.path);
    const embeds = level.items.flatMap((item) => (item.kind === 'embed' ? [planEmbed(level, item)] : []));
    const missing = scope?.withoutOperator.find(({ name }) => level.relation.columns.has(name));
    if (missing !== undefined) throw parseError('filter', missing.value);
    // Of equal keys the last counts: `*,created_by(…)` shows the person in place of the id.
    const embedKeys = new Set(embeds.filter((embed) => !embed.isSpread).map((embed) => embed.key));
    const columns = new Map(
      planColumns(context, level.relation, level.items).map((column) => [column.key, column]),
    );
    return {
      relation: level.relation,
      columns: [...columns.values()].filter((column) => !embedKeys.has(column.key)),
      embeds: [...new Map(embeds.map((embed) => [embed.key, embed])).values()],
      conditions: (scope?.conditions ?? []).map((each) => planCondition(level.relation, embeds, each)),
      order: (scope?.order ?? []).map((term) => planOrder(level, embeds, term)),
      limit: lesser(scope?.limit ?? null, context.maxRows(level.relation)),
      offset: scope?.offset ?? 0,
    };
  };

  const plan = planLevel({ relation, items: request.select, path: [] });
  claims.assertAllTaken();
  return plan;
}
