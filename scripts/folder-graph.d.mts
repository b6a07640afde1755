export type FolderGraph = Map<string, Set<string>>;
export function unitOf(file: string): string;
export function groupGraph(
  importsByFile: Iterable<[string, string[]]>,
  groupOf: (file: string) => string,
): FolderGraph;
export function mutualPairs(graph: FolderGraph): [string, string][];
export function cyclesOf(graph: FolderGraph): string[][];
