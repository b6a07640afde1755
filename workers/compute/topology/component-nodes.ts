/**
 * Components as filters, orders and the roll-up read them: what is needed of every row, taken from it once. Columns
 * that a server doesn't send say nothing.
 */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';
import type { HealthState } from '../../../src/domain/check/health.ts';
import type { Component, Counts, CountsByType } from '../../../src/domain/topology/component.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { pairsIn, textIn, type Pairs } from '../live/columns.ts';

const NO_LABELS: Pairs = {};

export interface ComponentNode {
  /** What is rolled up. */
  component: Component;
  /** Checks that are linked to it, by id. */
  checkIds: readonly string[];
  /** As the server counted them. */
  countedChecks: Counts | null;
  /** What it is called: its text, else its name. */
  name: string;
  /** In small letters, for orders. */
  sortName: string;
  namespace: string | null;
  labels: Pairs;
  teams: readonly string[];
  agentId: string | null;
  isHidden: boolean;
  /** The place that its document gives it among those beside it; the last where it gives none. */
  order: number;
}

/** A list of texts; of anything else, none. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function countsOf(value: unknown): Counts | null {
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

function countsByTypeOf(value: unknown): CountsByType | null {
  if (!isRecord(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([type, counts]) => [type, countsOf(counts) ?? {}]));
}

function componentOf(row: ReplicatedRow): Component {
  const children = textsOf(row['children']);
  return {
    id: row.id,
    name: textIn(row, 'name') ?? row.id,
    parent_id: textIn(row, 'parent_id'),
    type: textIn(row, 'type'),
    status: textIn(row, 'status') ?? '',
    health: textIn(row, 'health'),
    status_expr: textIn(row, 'status_expr'),
    health_expr: textIn(row, 'health_expr'),
    checks: countsOf(row['checks']),
    incidents: countsByTypeOf(row['incidents']),
    analysis: countsByTypeOf(row['analysis']),
    children: children.length === 0 ? null : children,
    own_summary: countsOf(row['own_summary']),
    judged_status: textIn(row, 'judged_status'),
    judged_health: textIn(row, 'judged_health'),
  };
}

/** How each check is now; undefined of one that isn't on this device. */
export type CheckStateOf = (id: string) => HealthState | undefined;

/**
 * Its checks by their state now, as the health screens say it: an overdue one is unknown. What the row says where this
 * device doesn't have them all.
 */
export function checksNow(
  counted: Counts | null,
  checkIds: readonly string[],
  stateOf: CheckStateOf,
): Counts | null {
  if (checkIds.length === 0) return counted;
  const counts: Record<string, number> = {};
  for (const id of checkIds) {
    const state = stateOf(id);
    if (state === undefined) return counted;
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

/** A row of the collection. */
export function nodeOf(row: ReplicatedRow, stateOf: CheckStateOf): ComponentNode {
  const checkIds = textsOf(row['check_ids']);
  const component = componentOf(row);
  const countedChecks = component.checks;
  component.checks = checksNow(countedChecks, checkIds, stateOf);
  const name = textIn(row, 'text') || component.name;
  return {
    component,
    checkIds,
    countedChecks,
    name,
    sortName: name.toLowerCase(),
    namespace: textIn(row, 'namespace'),
    labels: pairsIn(row, 'labels') ?? NO_LABELS,
    teams: textsOf(row['team_names']),
    agentId: textIn(row, 'agent_id'),
    isHidden: row['hidden'] === true,
    order: typeof row['order'] === 'number' ? row['order'] : Number.POSITIVE_INFINITY,
  };
}
