/** The numbers to hold: what the client we succeed did on the same kind of machine, and our goal. */
import { SYNC_GOALS } from './sync-goals.ts';

export interface Goal {
  line: string;
  before: string;
  goal: string;
  /** Unit of the measured value. */
  unit: 'ms' | 'fps' | 'KB' | 'nodes' | 'MB' | '';
  /** Measured must be at most (or, for fps, at least) this. */
  limit: number;
}

export const GOALS = {
  'warm 1000': {
    line: 'warm start to rows, 1,000 checks, online',
    before: '430 ms',
    goal: '≤ 250',
    unit: 'ms',
    limit: 250,
  },
  'warm 10000': {
    line: 'warm start to rows, 10,000 checks, online',
    before: '1,800 ms',
    goal: '≤ 500',
    unit: 'ms',
    limit: 500,
  },
  'offline 1000': {
    line: 'warm start to rows, 1,000 checks, offline',
    before: 'never',
    goal: '≤ 250',
    unit: 'ms',
    limit: 250,
  },
  'offline 10000': {
    line: 'warm start to rows, 10,000 checks, offline',
    before: 'never',
    goal: '≤ 500',
    unit: 'ms',
    limit: 500,
  },
  'warm cpu4 1000': {
    line: 'warm start, 4× slower CPU, 1,000 checks',
    before: '1,300 ms',
    goal: '≤ 800',
    unit: 'ms',
    limit: 800,
  },
  'warm cpu4 10000': {
    line: 'warm start, 4× slower CPU, 10,000 checks',
    before: '6,500 ms',
    goal: '≤ 1,600',
    unit: 'ms',
    limit: 1600,
  },
  'cold 1000': {
    line: 'first visit ever to rows, 1,000 checks',
    before: '1,100 ms',
    goal: '≤ 900',
    unit: 'ms',
    limit: 900,
  },
  'cold 10000': {
    line: 'first visit ever to rows, 10,000 checks',
    before: '2,900 ms',
    goal: '–',
    unit: 'ms',
    limit: Infinity,
  },
  'slow cold 1000': {
    line: 'first visit on 400 kbit/s, 400 ms',
    before: '34,300 ms',
    goal: '≤ 7,000',
    unit: 'ms',
    limit: 7000,
  },
  'slow warm 1000': {
    line: 'warm start on 400 kbit/s, 400 ms',
    before: '4,300 ms',
    goal: '–',
    unit: 'ms',
    limit: Infinity,
  },
  'key grouped 10000': {
    line: 'one key to painted rows, 10,000 grouped',
    before: '722 ms',
    goal: '≤ 50 p95',
    unit: 'ms',
    limit: 50,
  },
  'key ungrouped 10000': {
    line: 'one key to painted rows, 10,000 ungrouped',
    before: '3,400 ms',
    goal: '≤ 50 p95',
    unit: 'ms',
    limit: 50,
  },
  'key grouped 1000': {
    line: 'one key to painted rows, 1,000 grouped',
    before: '473 ms',
    goal: '≤ 50 p95',
    unit: 'ms',
    limit: 50,
  },
  'long load 10000': {
    line: 'longest UI-thread task, warm start, 10,000',
    before: '1,500 ms and more (4×)',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'long type 10000': {
    line: 'longest UI-thread task while typing, 10,000',
    before: '–',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'expand 10000': {
    line: 'expand a group, 10,000 checks',
    before: '200 ms',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'scroll 10000': {
    line: 'scroll 10,000 ungrouped rows',
    before: '24 to 30 fps',
    goal: '≥ 58',
    unit: 'fps',
    limit: 58,
  },
  'nodes 10000': {
    line: 'DOM nodes, 10,000 ungrouped rows',
    before: '237,025',
    goal: '≤ 3,000',
    unit: 'nodes',
    limit: 3000,
  },
  'heap 10000': {
    line: 'page heap, 10,000 checks (page alone)',
    before: '98 MB',
    goal: '≤ 150 with worker',
    unit: 'MB',
    limit: 150,
  },
  'js initial': {
    line: 'initial JS to first paint of /health (gzip)',
    before: '1,400 KB in 38 files',
    goal: '≤ 180',
    unit: 'KB',
    limit: 180,
  },
  'push p95': {
    line: 'server change painted on an open page, p95',
    before: 'polling',
    goal: '≤ 300',
    unit: 'ms',
    limit: 300,
  },
  'axe worst': {
    line: 'accessibility: critical and serious findings',
    before: '89 + 469 on ten pages',
    goal: '0',
    unit: '',
    limit: 0,
  },
  'checks cpu': {
    line: 'server CPU at 1,000 HTTP checks every 30 s (% of one core)',
    before: '–',
    goal: '≤ 100',
    unit: '',
    limit: 100,
  },
  'checks late p95': {
    line: 'the same: how late a run starts, p95',
    before: '–',
    goal: '–',
    unit: 'ms',
    limit: Infinity,
  },
  'server rss': {
    line: 'server memory on PGlite after that',
    before: '–',
    goal: '≤ 400',
    unit: 'MB',
    limit: 400,
  },
  'data api pglite': {
    line: 'data API, slowest of the most used queries at 50,000 configs, PGlite, p95',
    before: '–',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'data api postgres': {
    line: 'the same on PostgreSQL, p95',
    before: '–',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'graph 500': {
    line: 'relationship graph of 500 items: from navigation to painted cards, p95',
    before: '5,500 ms',
    goal: '≤ 500',
    unit: 'ms',
    limit: 500,
  },
  'graph 2000': {
    line: 'the same of 2,000 items',
    before: 'hangs',
    goal: '≤ 2,000',
    unit: 'ms',
    limit: 2000,
  },
  'incidents open 10000': {
    line: 'incident list of 10,000: from navigation to painted rows, p95',
    before: '–',
    goal: '≤ 500',
    unit: 'ms',
    limit: 500,
  },
  'incidents key 10000': {
    line: 'the same: an input in the search to painted rows, at rest, p95',
    before: 'a round trip',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'incident page 10000': {
    line: 'the same: a press on a row to its page, p95',
    before: 'a round trip',
    goal: '≤ 100 (our own)',
    unit: 'ms',
    limit: 100,
  },
  'incident status 10000': {
    line: 'the same: a chosen status painted without a network, p95',
    before: 'never',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  'incidents long 10000': {
    line: 'the same: longest UI-thread task',
    before: '–',
    goal: '≤ 50',
    unit: 'ms',
    limit: 50,
  },
  ...SYNC_GOALS,
} as const satisfies Record<string, Goal>;

export type GoalKey = keyof typeof GOALS;

const measured = new Map<GoalKey, number | string>();

/** Notes a measured value under its line. */
export function note(key: GoalKey, value: number | string | null | undefined): void {
  measured.set(key, value ?? 'not measured');
}

function verdict(goal: Goal, value: number | string): string {
  if (typeof value === 'string') return '–';
  const isHeld = goal.unit === 'fps' ? value >= goal.limit : value <= goal.limit;
  return isHeld ? 'held' : 'MISSED';
}

/** Prints the table of all lines that were measured, in Markdown. */
export function printTable(): void {
  console.log('\n| what | before | goal | now | |\n|---|---|---|---|---|');
  for (const [key, goal] of Object.entries(GOALS) as [GoalKey, Goal][]) {
    const value = measured.get(key);
    if (value === undefined) continue;
    const shown = typeof value === 'number' ? `${Math.round(value * 10) / 10} ${goal.unit}`.trim() : value;
    console.log(`| ${goal.line} | ${goal.before} | ${goal.goal} | ${shown} | ${verdict(goal, value)} |`);
  }
}
