/** Hypotheses as the tree that they are, whatever order they came in. */

interface Placed {
  id: string;
  parent_id: string | null;
  type: string;
}

export interface TreeNode<Row extends Placed> {
  row: Row;
  depth: number;
}

/**
 * The rows in reading order: a root, then what hangs below it. What hangs below something that isn't there (or
 * below itself) moves up beneath the root, so that nothing is hidden.
 */
export function hypothesisTree<Row extends Placed>(rows: readonly Row[]): TreeNode<Row>[] {
  const root = rows.find(({ type }) => type === 'root') ?? rows.find(({ parent_id }) => parent_id === null);
  const known = new Set(rows.map(({ id }) => id));
  const below = new Map<string | null, Row[]>();
  const add = (parent: string | null, row: Row) => below.set(parent, [...(below.get(parent) ?? []), row]);
  for (const row of rows) {
    if (row === root) continue;
    const isLoose = row.parent_id === null || !known.has(row.parent_id);
    add(isLoose ? (root?.id ?? null) : row.parent_id, row);
  }
  const nodes: TreeNode<Row>[] = [];
  const placed = new Set<string>();
  const visit = (row: Row, depth: number) => {
    if (placed.has(row.id)) return;
    placed.add(row.id);
    nodes.push({ row, depth });
    for (const child of below.get(row.id) ?? []) visit(child, depth + 1);
  };
  if (root !== undefined) visit(root, 0);
  for (const row of rows) visit(row, root === undefined ? 0 : 1);
  return nodes;
}
