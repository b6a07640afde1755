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

/** How often components are shown beyond once for each: where many select many, there are more ways than can be told. */
const MORE_NODES = 20_000;

/** A component in its place, of which what is under it is still to be shown. */
interface Waiting {
  row: ComponentRow;
  presented: Presented;
  above: readonly string[];
}

/** Those that are shown under it, in their order. */
function childrenOf(forest: Forest, { row, above }: Waiting): ComponentRow[] {
  const ids = forest.childIds.get(row.id) ?? [];
  const under = ids
    .filter((id) => id !== row.id && !above.includes(id))
    .flatMap((id) => forest.rows.get(id) ?? [])
    .filter((child) => above.length > 0 || forest.isShownUnderFirst(child));
  return forest.sort(under);
}

/**
 * Components with those under them, to the forest's depth; a circle ends where it closes. Level by level: where there
 * are too many ways from the top down, the deepest are left out, and the answer is whole down to there.
 */
export function presentTrees(
  forest: Forest,
  firsts: readonly ComponentRow[],
  moreNodes = MORE_NODES,
): { components: Presented[]; isCut: boolean } {
  const show = (row: ComponentRow): Presented => {
    const rolled = forest.rolled.get(row.id);
    return rolled === undefined ? {} : presentComponent(row, rolled);
  };
  let left = forest.rows.size + moreNodes;
  let isCut = false;
  const waiting = firsts.map((row): Waiting => ({ row, presented: show(row), above: [] }));
  const components = waiting.map(({ presented }) => presented);
  // A list that grows while it is walked.
  for (const one of waiting) {
    const { row, presented, above } = one;
    const length = forest.childIds.get(row.id)?.length ?? 0;
    if (length === 0 || above.length + 1 >= forest.depth) continue;
    if (length > left) {
      isCut = true;
      continue;
    }
    const under = childrenOf(forest, one);
    left -= under.length;
    if (under.length === 0) continue;
    presented['components'] = under.map((child) => {
      const shown = { ...show(child), ...(child.parent_id === row.id ? {} : { relationship_id: row.id }) };
      waiting.push({ row: child, presented: shown, above: [...above, row.id] });
      return shown;
    });
  }
  return { components, isCut };
}
