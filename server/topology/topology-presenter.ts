/** Components as the topology answers them: nested, empty values left out (schema §6.4). */
import type { RolledUp } from '../../src/domain/topology/component.ts';
import type { ChildIds } from '../../src/domain/topology/roll-up.ts';
import type { ComponentRow } from './store/components-query.ts';

type Presented = Record<string, unknown>;

/** Columns that the answer calls otherwise, shows summed up, or keeps. */
const UNSHOWN = new Set([
  'component_checks',
  'team_names',
  'checks',
  'incidents',
  'analysis',
  'own_summary',
  'judged_status',
]);

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function filled(fields: Presented): Presented {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** One component without what is under it. */
export function presentComponent(row: ComponentRow, rolled: RolledUp): Presented {
  const columns = Object.entries(row).filter(([name]) => !UNSHOWN.has(name));
  return {
    ...filled(Object.fromEntries(columns)),
    ...filled({
      componentChecks: Reflect.get(row, 'component_checks'),
      checks: row.checks,
      incidents: row.incidents,
      analysis: row.analysis,
    }),
    id: row.id,
    agent_id: row.agent_id,
    name: row.name,
    namespace: row.namespace ?? '',
    status: rolled.status,
    health: rolled.health,
    description: row.description ?? '',
    status_reason: row.status_reason ?? '',
    type: row.type ?? '',
    is_leaf: row.is_leaf ?? false,
    summary: rolled.summary,
    created_at: row.created_at,
  };
}

export interface Forest {
  rows: ReadonlyMap<string, ComponentRow>;
  rolled: ReadonlyMap<string, RolledUp>;
  childIds: ChildIds;
  /** Levels shown, the first included. */
  depth: number;
  sort: (rows: ComponentRow[]) => ComponentRow[];
  /** Which of the components right under the first are shown. */
  isShownUnderFirst: (row: ComponentRow) => boolean;
}

/** A component with those under it, to the forest's depth; a circle ends where it closes. */
export function presentTree(forest: Forest, row: ComponentRow, above: readonly string[] = []): Presented {
  const rolled = forest.rolled.get(row.id);
  if (rolled === undefined) return {};
  const presented = presentComponent(row, rolled);
  const path = [...above, row.id];
  if (path.length >= forest.depth) return presented;
  const under = (forest.childIds.get(row.id) ?? [])
    .filter((id) => !path.includes(id))
    .flatMap((id) => forest.rows.get(id) ?? [])
    .filter((child) => above.length > 0 || forest.isShownUnderFirst(child));
  if (under.length === 0) return presented;
  const components = forest.sort(under).map((child) => ({
    ...presentTree(forest, child, path),
    ...(child.parent_id === row.id ? {} : { relationship_id: row.id }),
  }));
  return { ...presented, components };
}
