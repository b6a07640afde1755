/** The numbers to hold: each line of the benchmark with its goal and what the client did that this one succeeds. */
import type { Line } from './core/measurement.ts';

type Rest = Partial<Pick<Line, 'unit' | 'statistic' | 'goal' | 'before' | 'minRuns' | 'isHeadline'>>;

/** A line in milliseconds, judged by its median, unless it says otherwise. */
const line = (part: string, title: string, rest: Rest = {}): Line => ({
  part,
  title,
  unit: 'ms',
  statistic: 'median',
  goal: null,
  before: '–',
  ...rest,
});

const atMost = (goal: number, before = '–'): Rest => ({ goal, before });
const p95 = (goal: number, before = '–'): Rest => ({ statistic: 'p95', goal, before });
const longest = (before = '–'): Rest => ({ statistic: 'max', goal: 50, before });
const headline = (rest: Rest): Rest => ({ ...rest, isHeadline: true });
const memory = (goal: number, before = '–'): Rest => ({ unit: 'MB', goal, before, minRuns: 1 });

const BROWSER = {
  'warm 1000': line('browser-1000', 'warm start to rows, 1,000 checks', headline(atMost(150, '770 ms'))),
  'offline 1000': line('browser-1000', 'the same with no network', atMost(150, 'never')),
  'warm cpu4 1000': line('browser-1000', 'the same with a 4× slower CPU', atMost(500, '2,000 ms')),
  'warm stopped 1000': line(
    'browser-1000',
    'warm start, 1,000 checks, the service worker stopped as after half a minute',
    atMost(150),
  ),
  'cold 1000': line(
    'browser-1000',
    'first visit ever to rows, 1,000 checks',
    headline(atMost(700, '1,600 ms')),
  ),
  'slow cold 1000': line('browser-1000', 'first visit on 400 kbit/s with 400 ms', {
    goal: 5000,
    before: '34,300 ms',
    minRuns: 3,
  }),
  'slow warm 1000': line('browser-1000', 'warm start on 400 kbit/s with 400 ms', {
    before: '4,300 ms',
    minRuns: 3,
  }),
  'key grouped 1000': line('browser-1000', 'a key to painted rows, 1,000 grouped', p95(33, '610 ms')),
  'js initial': line('browser-1000', 'initial JS to first paint of /health (gzip)', {
    unit: 'KB',
    statistic: 'exact',
    goal: 180,
    before: '1,400 KB in 38 files',
  }),
  'warm 10000': line('browser-10000', 'warm start to rows, 10,000 checks', headline(atMost(150, '4,200 ms'))),
  'offline 10000': line('browser-10000', 'the same with no network', atMost(150, 'never')),
  'warm cpu4 10000': line(
    'browser-10000',
    'the same with a 4× slower CPU',
    headline(atMost(500, '12,200 ms')),
  ),
  'cold 10000': line('browser-10000', 'first visit ever to rows, 10,000 checks', atMost(1200, '5,300 ms')),
  'key grouped 10000': line(
    'browser-10000',
    'a key to painted rows, 10,000 grouped',
    headline(p95(33, '1,900 ms')),
  ),
  'clear grouped 10000': line('browser-10000', 'the box emptied to painted rows, 10,000 grouped', {
    ...p95(33),
    minRuns: 10,
  }),
  'key ungrouped 10000': line(
    'browser-10000',
    'a key to painted rows, 10,000 ungrouped',
    p95(33, '3,400 ms'),
  ),
  'expand 10000': line('browser-10000', 'a group expanded to painted rows, 10,000', {
    ...p95(33, '200 ms'),
    minRuns: 10,
  }),
  'scroll 10000': line('browser-10000', 'scrolling 10,000 ungrouped rows', {
    unit: 'fps',
    goal: 58,
    before: '24 to 30 fps',
    minRuns: 3,
  }),
  'nodes 10000': line('browser-10000', 'DOM nodes, 10,000 ungrouped rows', {
    unit: '',
    statistic: 'exact',
    goal: 3000,
    before: '237,025',
  }),
  'long warm 10000': line('browser-10000', 'longest UI task of a warm start, 10,000', longest('1,200 ms')),
  'long key 10000': line('browser-10000', 'longest UI task while typing, 10,000', headline(longest())),
  'limit key': line('browser-limit', 'a key to painted rows on a page with nothing else (the limit)', {
    statistic: 'p95',
    isHeadline: true,
  }),
  'limit long': line('browser-limit', 'longest UI task there', { statistic: 'max' }),
  'limit warm': line(
    'browser-limit',
    'warm start to rows of that page, from a service worker (the limit)',
    {},
  ),
  'limit warm cpu4': line('browser-limit', 'the same with a 4× slower CPU', {}),
  'limit scroll': line('browser-limit', 'scrolling 10,000 rows of that page (the limit)', { unit: 'fps' }),
  'push p95': line('push', 'a check that turned, painted on an open page', p95(300, 'polling')),
  'push topology p95': line('push', 'the same: three levels above it, on a card', p95(2000, 'polling')),
  'catalog warm 50000': line(
    'browser-50000',
    'warm start to the list of 50,000 items',
    atMost(150, '1,100 ms (50 rows)'),
  ),
  'catalog offline 50000': line('browser-50000', 'the same with no network', atMost(150, 'never')),
  'catalog key 50000': line('browser-50000', 'a key to painted rows, 50,000 items', p95(33, '750 ms')),
  'key while replicating': line(
    'browser-50000',
    'a key to painted checks while 50,000 items replicate',
    p95(33),
  ),
  'long replicating': line('browser-50000', 'longest UI task meanwhile', longest()),
  'incidents open 10000': line(
    'incidents',
    'list of 10,000 incidents, navigation to rows',
    headline(atMost(300, 'crashes')),
  ),
  'incidents offline 10000': line('incidents', 'the same with no network', atMost(150, 'never')),
  'incidents key 10000': line('incidents', 'the same: a key to painted rows', p95(33, 'crashes')),
  'incident page 10000': line(
    'incidents',
    'the same: a press on a row to its page (our own goal)',
    atMost(100, 'crashes'),
  ),
  'incident status 10000': line(
    'incidents',
    'the same: a chosen status painted, no network',
    atMost(50, 'never'),
  ),
  'incidents long 10000': line('incidents', 'the same: longest UI task', longest()),
  'graph 500': line(
    'graph',
    'relationship graph of 500 items, press on the tab to painted cards',
    atMost(500, '5,500 ms'),
  ),
  'graph 2000': line('graph', 'the same of 2,000 items', atMost(2000, 'hangs')),
  'playbook first line': line('playbook-screens', 'press Run to the first line of its output', p95(500)),
  'playbook live line': line('playbook-screens', 'a line is written to the line on the open page', p95(300)),
  'playbook key 50000': line('playbook-screens', 'a key to painted lines, 50,000 lines of output', p95(33)),
  'playbook long 50000': line('playbook-screens', 'the same: longest UI task while typing', longest()),
  'topology warm 2000': line('topology', 'warm start to cards, 2,000 components', atMost(150)),
  'topology offline 2000': line('topology', 'the same with no network', atMost(150)),
  'topology key 2000': line('topology', 'a key to painted cards, 2,000 components', p95(33)),
  'topology long 2000': line('topology', 'the same: longest UI task', longest()),
};

const DEVICE = {
  'replicate 10000': line('sync', 'first replication of 10,000 items: searchable and durable'),
  'replicate 50000': line('sync', 'first replication of 50,000 items: searchable and durable', {
    goal: 3000,
    isHeadline: true,
    minRuns: 3,
  }),
  'first screen 50000': line('sync', 'the same: first screen (incidents)', { goal: 500, minRuns: 3 }),
  'long sync 50000': line('sync', 'the same: longest UI task', { ...longest(), minRuns: 3 }),
  'replicate links': line('sync', 'first replication of 50,000 items with 300,000 links', {
    goal: 8000,
    minRuns: 3,
  }),
  'catch-up 5000': line('sync', 'catch-up of 5,000 changes after an absence', { goal: 500, minRuns: 3 }),
  'propagate p95': line('sync', 'a write on one device painted on another', headline(p95(300, 'polling'))),
  'local paint p95': line('sync', 'a write painted where it was made', headline(p95(50, 'a round trip'))),
  'tab memory': line(
    'memory',
    'tab and workers, 10,000 checks and 50,000 items',
    memory(150, '204 MB with 10,000 checks alone'),
  ),
  'wall paint p95': line(
    'wall',
    'a check that turned, painted on a wall, 10,000 checks, 6× slower CPU',
    p95(1000),
  ),
  'wall memory': line('wall', 'tab and workers of that wall', memory(150)),
  'tablet open': line('tablet', 'a shared tablet with 10,000 checks: from the PIN to the rows', atMost(3000)),
  'wall hour growth': line('soak-hour', 'heap of a wall with 10,000 checks: growth in an hour', {
    ...memory(1),
    statistic: 'exact',
  }),
  'wall hour data': line('soak-hour', 'the same without compiled code: growth in an hour', {
    ...memory(0.25),
    statistic: 'exact',
  }),
  'wall hour memory': line('soak-hour', 'the same: tab and workers after the hour', memory(150)),
  'wall 8h growth': line('soak-8h', 'heap of a wall over eight hours of a fast clock: growth in an hour', {
    ...memory(0.25),
    statistic: 'exact',
  }),
  'query 10000': line('queries', 'slowest live query over 10,000 rows, in the worker', p95(33)),
  'query 50000': line('queries', 'slowest live query over 50,000 rows, in the worker', p95(33, '750 ms')),
  'catalog summary 50000': line('catalog', 'catalog of 50,000 items in the worker: the summary', p95(33)),
  'catalog filter 50000': line('catalog', 'the same: a filter of the list', p95(33)),
  'catalog search 50000': line('catalog', 'the same: a key in the search', p95(33)),
  'logs open 100000': line('logs', "a component's log of 100,000 lines, warm start to its first lines"),
  'logs first 100000': line('logs', "the same, from the first byte of the server's first page", atMost(300)),
  'logs key 100000': line('logs', 'a key to painted lines, 100,000 lines held', p95(33)),
  'logs long 100000': line('logs', 'the same: longest UI task', longest()),
  'logs tail': line('logs', 'live tail of 500 lines a second: longest UI task', longest()),
  'roll-up 10000': line('topology-worker', 'roll-up of 10,000 components after one changed', p95(20)),
  'catalog refresh 50000': line('catalog', 'the same: the summary after one item changed', p95(150)),
};

const SERVER = {
  'idle cpu': line('idle', 'server CPU with nothing to do (of one core)', { unit: '%', minRuns: 3 }),
  'checks cpu': line('checks', 'server CPU at 1,000 HTTP checks every 30 s (of one core)', {
    unit: '%',
    goal: 10,
    minRuns: 3,
  }),
  'checks late p95': line('checks', 'the same: how late a run starts', p95(1000)),
  'check kinds late': line(
    'check-kinds',
    '1,000 checks of ten kinds every 30 s on one core: the latest start',
    { statistic: 'max', goal: 1000 },
  ),
  'check kinds cpu': line('check-kinds', 'the same: server CPU (of one core)', { unit: '%', minRuns: 3 }),
  'storm digest': line('storm', '10,000 checks fail at once: until the digest has arrived', {
    goal: 10_000,
    minRuns: 3,
  }),
  'storm messages': line('storm', 'the same: messages, five at once and the digest', {
    unit: '',
    statistic: 'max',
    goal: 6,
    minRuns: 3,
  }),
  'storm board': line('storm-board', 'the same on an open page: until the board has it right', {
    goal: 5000,
    minRuns: 5,
  }),
  'storm board memory': line('storm-board', 'the same: memory of the server after these storms', memory(400)),
  'checks memory': line('checks', 'the same: memory of all its processes', memory(400)),
  'devices p95': line('devices', '500 devices on the stream: a write arrives at all of them', p95(300)),
  'devices cpu': line('devices', 'the same: server CPU at two writes a second (of one core)', {
    unit: '%',
    goal: 100,
    minRuns: 1,
  }),
  'devices memory': line('devices', 'the same: memory of all its processes', memory(400)),
  'storm all': line('devices', '500 devices come back with 20 commands each: all in', {
    goal: 30_000,
    minRuns: 1,
  }),
  'storm pull p95': line('devices', 'the same: their first pull', p95(2000)),
  'storm errors': line('devices', 'the same: answers 5xx other than 503', {
    unit: '',
    statistic: 'exact',
    goal: 0,
  }),
  'storm memory': line('devices', 'the same: memory of all its processes after it', memory(1000)),
  'data api pglite': line(
    'data-api-pglite',
    'slowest of the most used queries at 50,000 items, PGlite',
    p95(100),
  ),
  'data api postgres': line('data-api-postgres', 'slowest of the most used queries, PostgreSQL', p95(50)),
  'ingest new pglite': line('ingest-pglite', 'ingestion of 5,000 new items, PGlite', {
    goal: 5000,
    minRuns: 3,
  }),
  'ingest same pglite': line('ingest-pglite', 'the same, all of them known and unchanged', {
    goal: 1500,
    minRuns: 3,
  }),
  'ingest new postgres': line('ingest-postgres', 'ingestion of 5,000 new items, PostgreSQL', {
    goal: 5000,
    minRuns: 3,
  }),
  'ingest same postgres': line('ingest-postgres', 'the same, all of them known and unchanged', {
    goal: 1500,
    minRuns: 3,
  }),
  'watch change': line('live-watch', 'a cluster of 5,000 objects is watched: from a change to the catalog', {
    statistic: 'max',
    goal: 5000,
  }),
  'watch memory': line('live-watch', 'the same: memory of all its processes', memory(500)),
  'topology build': line('topology-build', 'a topology of 10,000 components stored, PGlite', {
    goal: 10_000,
    minRuns: 3,
  }),
  'topology build wait': line('topology-build', 'the same: longest wait of another statement', {
    statistic: 'max',
    goal: 300,
    minRuns: 3,
  }),
  'playbook output pglite': line('playbooks', 'press Run to the first line of exec echo, PGlite', p95(500)),
  'playbook start pglite': line('playbooks', '100 runs at once: start delay, PGlite', p95(1000)),
  'playbook output postgres': line(
    'playbooks',
    'press Run to the first line of exec echo, PostgreSQL',
    p95(500),
  ),
  'playbook start postgres': line('playbooks', '100 runs at once: start delay, PostgreSQL', p95(1000)),
  'agents state': line(
    'agents',
    'an agent cut off for a day, 1,000 checks, 1.44 million runs: state of now',
    {
      goal: 30_000,
      minRuns: 1,
    },
  ),
  'agents catch-up': line('agents', 'the same: until all of it is upstream, in order', {
    goal: 600_000,
    minRuns: 1,
  }),
  'agent-hours state': line(
    'agent-hours',
    'an agent cut off for two hours, 1,000 checks, 120,000 runs: state of now',
    {
      goal: 30_000,
      minRuns: 1,
    },
  ),
  'agent-hours catch-up': line('agent-hours', 'the same: until all of it is upstream, in order', {
    goal: 45_000,
    minRuns: 1,
  }),
  'agent-hours memory': line(
    'agent-hours',
    'the same: most memory (RSS) of the process that is agent and server',
    memory(500),
  ),
  'agents memory': line(
    'agents',
    'the same: most memory (RSS) of the process that is agent and server',
    memory(500),
  ),
  'topology build same': line('topology-build', 'the same again, nothing changed', {
    goal: 3000,
    minRuns: 3,
  }),
};

export const LINES = { ...BROWSER, ...DEVICE, ...SERVER } satisfies Record<string, Line>;
export type LineKey = keyof typeof LINES;
