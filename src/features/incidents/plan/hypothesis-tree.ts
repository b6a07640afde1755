/** Hypotheses as the tree that they are, whatever order they came in. */
import { addTo } from '../../../lib/group-by.ts';
import { lookupTable } from '../../../lib/lookup-table.ts';

interface Placed {
  id: string;
  parent_id: string | null;
  type: string;
}

export interface TreeNode<Row extends Placed> {
  row: Row;
  depth: number;
  /** What it stands below here, which is not always what it was put below; null at the edge. */
  above: string | null;
}

/**
 * The rows in reading order: a root, then what hangs below it. What hangs below something that isn't there (or
 * below itself) moves up beneath the root, so that nothing is hidden.
 */
export function hypothesisTree<Row extends Placed>(rows: readonly Row[]): TreeNode<Row>[] {
  const root = rows.find(({ type }) => type === 'root') ?? rows.find(({ parent_id }) => parent_id === null);
  const known = new Set(rows.map(({ id }) => id));
  const below = new Map<string | null, Row[]>();
  const add = (parent: string | null, row: Row) => addTo(below, parent, row);
  for (const row of rows) {
    if (row === root) continue;
    const isLoose = row.parent_id === null || !known.has(row.parent_id);
    add(isLoose ? (root?.id ?? null) : row.parent_id, row);
  }
  const nodes: TreeNode<Row>[] = [];
  const placed = new Set<string>();
  const visit = (row: Row, depth: number, above: string | null) => {
    if (placed.has(row.id)) return;
    placed.add(row.id);
    nodes.push({ row, depth, above });
    for (const child of below.get(row.id) ?? []) visit(child, depth + 1, row.id);
  };
  if (root !== undefined) visit(root, 0, null);
  for (const row of rows) visit(row, root === undefined ? 0 : 1, root?.id ?? null);
  return nodes;
}

/** The nodes that are in sight while these branches are folded; in reading order, as they came. */
export function unfolded<Row extends Placed>(
  nodes: readonly TreeNode<Row>[],
  folded: ReadonlySet<string>,
): TreeNode<Row>[] {
  const hidden = new Set<string>();
  return nodes.filter(({ row, above }) => {
    const isHidden = above !== null && (hidden.has(above) || folded.has(above));
    if (isHidden) hidden.add(row.id);
    return !isHidden;
  });
}

/** A hypothesis and all that hangs below it: it can't be moved below one of them. */
export function withDescendants<Row extends Placed>(
  nodes: readonly TreeNode<Row>[],
  id: string,
): ReadonlySet<string> {
  const found = new Set([id]);
  for (const { row, above } of nodes) if (above !== null && found.has(above)) found.add(row.id);
  return found;
}

/** Root, then factors, then solutions (spec 3 §3); what stands below nothing is a root. */
const BELOW = lookupTable<'factor' | 'solution'>({ root: 'factor', factor: 'solution' });

/** What something below a hypothesis of that type is; null: the chain ends there. */
export function typeBelow(type: string): 'factor' | 'solution' | null {
  return BELOW[type] ?? null;
}
