// The graph of folders behind the graph of imports: pairs that import each other, and cycles.
import { dirname } from 'node:path';

/** Which unit a file lies in: server/identity, src/ui, src/features/health; a file above those is its own. */
export function unitOf(file) {
  if (!dirname(file).includes('/')) return file;
  const depth = file.startsWith('src/features/') ? 3 : 2;
  return dirname(file).split('/').slice(0, depth).join('/');
}

/** Edges between the groups of files that `groupOf` makes: group → the groups that it imports. */
export function groupGraph(importsByFile, groupOf) {
  const graph = new Map();
  for (const [file, targets] of importsByFile) {
    const from = groupOf(file);
    const edges = graph.get(from) ?? graph.set(from, new Set()).get(from);
    for (const target of targets) if (groupOf(target) !== from) edges.add(groupOf(target));
  }
  return graph;
}

/** Pairs of groups that import each other, each pair once. */
export function mutualPairs(graph) {
  return [...graph].flatMap(([from, edges]) =>
    [...edges].filter((to) => from < to && graph.get(to)?.has(from)).map((to) => [from, to]),
  );
}

function reachableFrom(graph, start) {
  const seen = new Set();
  const open = [...(graph.get(start) ?? [])];
  while (open.length > 0) {
    const next = open.pop();
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return seen;
}

/** The sets of groups that reach each other, largest first. */
export function cyclesOf(graph) {
  const reach = new Map([...graph.keys()].map((group) => [group, reachableFrom(graph, group)]));
  const left = new Set(graph.keys());
  const cycles = [];
  for (const group of graph.keys()) {
    if (!left.has(group)) continue;
    const members = [...left].filter((other) => reach.get(group).has(other) && reach.get(other).has(group));
    for (const member of members) left.delete(member);
    if (members.length > 1) cycles.push(members.toSorted((a, b) => a.localeCompare(b)));
  }
  return cycles.toSorted((a, b) => b.length - a.length);
}
