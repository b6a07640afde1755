/** Which modules share a file of the build, by what they import and when they are loaded. */
export interface ModuleGraph {
  getModuleInfo: (id: string) => { code: string | null; importedIds: readonly string[] } | null;
}

/** Characters of source, of a module with all that it imports beyond what the first page has. */
const MAX_CHARS = 3_000;

/** What the shell loads on each page once the first data is here. */
export const LATE_PARTS = [
  'src/app/shell/DemoTag.tsx',
  'src/app/shell/LeaveGuard.tsx',
  'src/app/update-prompt/register-worker.ts',
  'src/features/catch-up/CatchUp.tsx',
  'src/features/inbox/InboxBell.tsx',
  'src/features/playbooks/prepared/PreparedReminder.tsx',
];

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

/**
 * Answers whether a module shares one file with others of later pages: those that weigh little with all that they
 * import. A file of its own for each icon and helper is a round trip on a slow line and a write at installation. What
 * imports something heavy stays apart, so that no page loads an editor for an icon; and since whatever a light module
 * imports is light itself, files never wait for each other in a circle. `entry` is the module that the first page begins
 * with.
 */
export function createIsLight(entry: string): (id: string, graph: ModuleGraph) => boolean {
  let initial: ReadonlySet<string> | null = null;
  return (id, graph) => {
    initial ??= withImports([entry], graph, new Set());
    const own = withImports([id], graph, initial);
    const chars = [...own].reduce((sum, one) => sum + (graph.getModuleInfo(one)?.code?.length ?? 0), 0);
    return chars <= MAX_CHARS;
  };
}

/**
 * Answers whether a module belongs to what `parts` need beyond the first page: one file, asked for at once, instead of
 * one for each of them and for whatever each shares with a page. All that they import is late as well, so that the file
 * imports nothing but the first one and what is light.
 */
export function createIsLate(
  entry: string,
  parts: readonly string[],
): (id: string, graph: ModuleGraph) => boolean {
  let late: ReadonlySet<string> | null = null;
  return (id, graph) => {
    if (late === null) {
      const missing = parts.filter((part) => graph.getModuleInfo(part) === null);
      if (missing.length > 0) throw new Error(`the app does not load ${missing.join(', ')}: see LATE_PARTS`);
      late = withImports(parts, graph, withImports([entry], graph, new Set()));
    }
    return late.has(id);
  };
}
