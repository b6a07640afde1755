/** Drafts as rows: each gets the id of the row that it was before (schema §6.2: topology, type, name, parent). */
import type { Draft, Property } from '../build/draft.ts';
import type { ForeignParent, PlacedElsewhere } from '../build/place.ts';

/** A row of the topology as it is stored now. */
export interface StoredComponent {
  id: string;
  parent_id: string | null;
  type: string | null;
  name: string;
  properties: unknown;
  is_leaf: boolean | null;
  is_live: boolean;
}

/** A row as it is to be. */
export interface ComponentRow {
  id: string;
  is_new: boolean;
  parent_id: string | null;
  path: string;
  is_leaf: boolean;
  name: string;
  external_id: string;
  type: string | null;
  text: string | null;
  topology_type: string | null;
  namespace: string | null;
  labels: Record<string, string>;
  hidden: boolean | null;
  status: string;
  status_reason: string | null;
  health: string | null;
  status_expr: string | null;
  health_expr: string | null;
  description: string | null;
  lifecycle: string | null;
  tooltip: string | null;
  icon: string | null;
  owner: string | null;
  config_id: string | null;
  schedule: string | null;
  selectors: unknown[] | null;
  log_selectors: unknown[] | null;
  component_checks: unknown[] | null;
  configs: unknown[] | null;
  properties: Property[] | null;
  /** Levels that it was given. */
  own_summary: Record<string, number> | null;
  /** Its place among those beside it. */
  order: number | null;
}

interface RowsRequest {
  root: Draft;
  elsewhere: readonly PlacedElsewhere[];
  /** Those that count most first: live ones, then the newest. */
  stored: readonly StoredComponent[];
  schedule: string | null;
  newId: () => string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const listOf = <Entry>(list: readonly Entry[]): Entry[] | null => (list.length === 0 ? null : [...list]);
const keyOf = (row: { parent_id: string | null; type: string | null; name: string }) =>
  JSON.stringify([row.parent_id, row.type, row.name]);

/** Those of before that were not found because their lookup failed come first, as they were. */
function propertiesOf(draft: Draft, before: StoredComponent | undefined): Property[] | null {
  if (!draft.keepsOldProperties || !Array.isArray(before?.properties)) return listOf(draft.properties);
  const names = new Set(draft.properties.map(({ name }) => name));
  const kept = (before.properties as Property[]).filter(({ name }) => !names.has(name));
  return listOf([...draft.properties, ...kept]);
}

/** One under which a lookup found nothing because it failed is what it was. */
function isLeaf(draft: Draft, before: StoredComponent | undefined): boolean {
  if (draft.children.length > 0) return false;
  return !draft.isIncomplete || before?.is_leaf !== false;
}

function rowOf(
  draft: Draft,
  place: Pick<ComponentRow, 'id' | 'is_new' | 'parent_id' | 'path' | 'schedule' | 'is_leaf'>,
) {
  return {
    ...place,
    name: draft.name,
    external_id: draft.externalId ?? draft.name,
    type: draft.type,
    text: draft.text,
    topology_type: draft.topologyType,
    namespace: draft.namespace,
    labels: draft.labels,
    hidden: draft.hidden,
    status: draft.status,
    status_reason: draft.statusReason,
    health: draft.health,
    status_expr: draft.statusExpr,
    health_expr: draft.healthExpr,
    description: draft.description,
    lifecycle: draft.lifecycle,
    tooltip: draft.tooltip,
    icon: draft.icon,
    owner: draft.owner,
    config_id: draft.configId !== null && UUID.test(draft.configId) ? draft.configId.toLowerCase() : null,
    selectors: listOf(draft.selectors),
    log_selectors: listOf(draft.logs),
    component_checks: listOf(draft.checks),
    configs: listOf(draft.configs),
    own_summary: draft.summary,
    order: draft.order,
  };
}

/** The rows of a tree, parents before their children. */
export function componentRows(request: RowsRequest): { rows: ComponentRow[]; idOf: Map<Draft, string> } {
  const { root, elsewhere, stored, schedule, newId } = request;
  const before = new Map<string, StoredComponent>();
  for (const row of stored) if (!before.has(keyOf(row))) before.set(keyOf(row), row);
  const rows: ComponentRow[] = [];
  const idOf = new Map<Draft, string>();
  const waiting: { draft: Draft; parent: ForeignParent | null }[] = [
    { draft: root, parent: null },
    ...elsewhere,
  ];
  // A list that grows while it is walked: level by level.
  for (const { draft, parent } of waiting) {
    const parentId = parent?.id ?? null;
    const known = before.get(keyOf({ parent_id: parentId, type: draft.type, name: draft.name }));
    const id = known?.id ?? newId();
    const path = parent === null ? '' : [parent.path, parent.id].filter((part) => part !== '').join('.');
    const isNew = known === undefined;
    const place = { id, is_new: isNew, parent_id: parentId, path, schedule, is_leaf: isLeaf(draft, known) };
    rows.push({ ...rowOf(draft, place), properties: propertiesOf(draft, known) });
    idOf.set(draft, id);
    for (const child of draft.children) waiting.push({ draft: child, parent: { id, path } });
  }
  return { rows, idOf };
}
