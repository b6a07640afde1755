/** The parts of the benchmark, in the order in which they run; each has a process of its own. */
import type { Bench } from './core/bench.ts';
import { LINES, type LineKey } from './lines.ts';

interface Part {
  /** Given up after this long. */
  limitMinutes: number;
  load: () => Promise<(bench: Bench) => Promise<void>>;
  /** Too long for a run of everything. */
  isOnlyWhenNamed?: true;
}

export const PARTS: Record<string, Part> = {
  'browser-1000': {
    limitMinutes: 20,
    load: async () => (await import('./browser/health-bench.ts')).measureThousand,
  },
  'browser-10000': {
    limitMinutes: 20,
    load: async () => (await import('./browser/health-bench.ts')).measureTenThousand,
  },
  'browser-50000': {
    limitMinutes: 20,
    load: async () => (await import('./browser/catalog-pages-bench.ts')).measureCatalogPages,
  },
  'browser-limit': {
    limitMinutes: 5,
    load: async () => (await import('./browser/limit-bench.ts')).measureLimit,
  },
  push: { limitMinutes: 10, load: async () => (await import('./browser/push-bench.ts')).measurePush },
  incidents: {
    limitMinutes: 15,
    load: async () => (await import('./browser/incidents-bench.ts')).measureIncidents,
  },
  graph: { limitMinutes: 15, load: async () => (await import('./browser/graph-bench.ts')).measureGraph },
  topology: {
    limitMinutes: 10,
    load: async () => (await import('./browser/topology-bench.ts')).measureTopology,
  },
  'playbook-screens': {
    limitMinutes: 10,
    load: async () => (await import('./browser/playbooks-bench.ts')).measurePlaybookScreens,
  },
  logs: {
    limitMinutes: 10,
    load: async () => (await import('./browser/logs-bench.ts')).measureLogs,
  },
  'topology-worker': {
    limitMinutes: 5,
    load: async () => (await import('./topology-bench.ts')).measureRollUp,
  },
  'topology-build': {
    limitMinutes: 5,
    load: async () => (await import('./server/topology-build-bench.ts')).measureTopologyBuild,
  },
  playbooks: {
    limitMinutes: 10,
    load: async () => (await import('./server/playbooks-bench.ts')).measurePlaybooks,
  },
  sync: { limitMinutes: 30, load: async () => (await import('./browser/sync-bench.ts')).measureSync },
  memory: { limitMinutes: 15, load: async () => (await import('./browser/memory-bench.ts')).measureMemory },
  wall: { limitMinutes: 15, load: async () => (await import('./browser/wall-bench.ts')).measureWall },
  tablet: { limitMinutes: 15, load: async () => (await import('./browser/tablet-bench.ts')).measureTablet },
  'soak-hour': {
    limitMinutes: 80,
    load: async () => (await import('./browser/wall-soak-bench.ts')).measureHour,
    isOnlyWhenNamed: true,
  },
  'soak-8h': {
    limitMinutes: 60,
    load: async () => (await import('./browser/wall-soak-bench.ts')).measureLongSoak,
    isOnlyWhenNamed: true,
  },
  queries: { limitMinutes: 10, load: async () => (await import('./live-query-bench.ts')).measureQueries },
  catalog: { limitMinutes: 10, load: async () => (await import('./catalog-bench.ts')).measureCatalog },
  idle: { limitMinutes: 5, load: async () => (await import('./server/idle-bench.ts')).measureIdle },
  checks: { limitMinutes: 10, load: async () => (await import('./server/checks-bench.ts')).measureChecks },
  'check-kinds': {
    limitMinutes: 10,
    load: async () => (await import('./server/check-kinds-bench.ts')).measureCheckKinds,
  },
  'live-watch': {
    limitMinutes: 10,
    load: async () => (await import('./server/live-watch-bench.ts')).measureLiveWatch,
  },
  agents: {
    limitMinutes: 30,
    load: async () => (await import('./server/agents-bench.ts')).measureAgents,
    isOnlyWhenNamed: true,
  },
  'agent-hours': {
    limitMinutes: 5,
    load: async () => (await import('./server/agents-bench.ts')).measureAgentHours,
    isOnlyWhenNamed: true,
  },
  storm: { limitMinutes: 10, load: async () => (await import('./server/storm-bench.ts')).measureStorm },
  'storm-board': {
    limitMinutes: 10,
    load: async () => (await import('./browser/storm-board-bench.ts')).measureStormBoard,
  },
  devices: { limitMinutes: 15, load: async () => (await import('./server/devices-bench.ts')).measureDevices },
  'data-api-pglite': {
    limitMinutes: 20,
    load: async () => (await import('./server/data-api-bench.ts')).measureOnPglite,
  },
  'data-api-postgres': {
    limitMinutes: 20,
    load: async () => (await import('./server/data-api-bench.ts')).measureOnPostgres,
  },
  'ingest-pglite': {
    limitMinutes: 15,
    load: async () => (await import('./server/ingest-bench.ts')).measureOnPglite,
  },
  'ingest-postgres': {
    limitMinutes: 15,
    load: async () => (await import('./server/ingest-bench.ts')).measureOnPostgres,
  },
  stores: { limitMinutes: 20, load: async () => (await import('./stores-bench.ts')).measureStores },
};

/** What was asked for: all lines, the headline ones, or those of named parts (`browser` names all that begin so). */
export interface Choice {
  isQuick: boolean;
  /** Names of parts and lines; none for all. */
  only: readonly string[];
}

/** A part that will run, with the lines that it is to measure. */
export interface Chosen {
  part: string;
  lines: LineKey[];
}

const names = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}-`);

/** The parts to run. Throws when a name fits nothing. */
export function choose({ isQuick, only }: Choice): Chosen[] {
  const keys = Object.keys(LINES) as LineKey[];
  for (const wanted of only) {
    const isKnown =
      Object.keys(PARTS).some((part) => names(part, wanted)) || keys.some((key) => key === wanted);
    if (!isKnown) throw new Error(`--only: nothing is called '${wanted}'; --list shows what there is`);
  }
  return Object.keys(PARTS).flatMap((part) => {
    const isWhole =
      only.length === 0 ? PARTS[part]?.isOnlyWhenNamed !== true : only.some((wanted) => names(part, wanted));
    const lines = keys.filter((key) => {
      const line = LINES[key];
      if (line.part !== part || (isQuick && !('isHeadline' in line))) return false;
      return isWhole || only.includes(key);
    });
    // A part without lines of its own prints what it finds.
    const isAsked =
      lines.length > 0 || (isWhole && !isQuick && !keys.some((key) => LINES[key].part === part));
    return isAsked ? [{ part, lines }] : [];
  });
}
