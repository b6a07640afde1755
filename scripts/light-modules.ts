/**
 * Which modules of later pages share one file: those that weigh little with all that they import. A file of its own for
 * each icon and helper is a round trip on a slow line and a write at installation. What imports something heavy stays
 * apart, so that no page loads an editor for an icon; and since whatever a light module imports is light itself, the
 * file imports nothing but the first one, and files never wait for each other in a circle.
 */
export interface ModuleGraph {
  getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null;
}

/** Characters of source, of a module with all that it imports beyond what the first page has. */
const MAX_CHARS = 3_000;

/** What these modules import at once, and they themselves. */
function withImports(ids: readonly string[], graph: ModuleGraph, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (known.has(id) || found.has(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** Answers whether a module is light; `entry` is the module that the first page begins with. */
export function createIsLight(entry: string): (id: string, graph: ModuleGraph) => boolean {
  let initial: ReadonlySet<string> | null = null;
  return (id, graph) => {
    initial ??= withImports([entry], graph, new Set());
    const own = withImports([id], graph, initial);
    const chars = [...own].reduce((sum, one) => sum + (graph.getModuleInfo(one)?.code?.length ?? 0), 0);
    return chars <= MAX_CHARS;
  };
}
