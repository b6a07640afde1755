import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphSchema, summarySchema } from '../../../src/contract/http/canary.ts';
import type { RunResult } from '../../../src/contract/http/canary.ts';
import { bucketMsFor, graphOf } from '../../../src/domain/check/graph.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { refreshSummaries } from '../results/result-query.ts';
import { PASSWORD, startTestServer } from '../../../tests/security/support/test-server.ts';
import type { TestBrowser } from '../../../tests/security/support/test-browser.ts';
import type { TestServer } from '../../../tests/security/support/test-server.ts';

const CANARY = '10000000-0000-4000-8000-000000000001';
const CHECK = '20000000-0000-4000-8000-000000000001';
const IDLE_CHECK = '20000000-0000-4000-8000-000000000002';
const GONE_CHECK = '20000000-0000-4000-8000-000000000003';
const OLD_CHECK = '20000000-0000-4000-8000-000000000004';
const NOBODY = '20000000-0000-4000-8000-00000000ffff';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Run {
  time: string;
  status: boolean;
  duration: number;
}

/** Runs every 37 s over the last six hours, the same for the same start, one in seven failed. */
function someRuns(nowMs: number): Run[] {
  const runs: Run[] = [];
  for (let at = nowMs - 6 * HOUR_MS, index = 0; at < nowMs; at += 37_000, index += 1) {
    const duration = (index * 7919) % 997;
    runs.push({ time: new Date(at).toISOString(), status: index % 7 !== 0, duration });
  }
  return runs;
}

async function fill(server: TestServer, runs: readonly Run[], nowMs: number): Promise<void> {
  const { db } = server;
  await db.run(
    `insert into canaries (id, name, namespace, spec, labels) values ($1, 'estate', 'prod', '{}', '{"team":"blue"}')`,
    [CANARY],
  );
  for (const [id, name, deleted] of [
    [CHECK, 'front door', null],
    [IDLE_CHECK, 'never ran', null],
    [GONE_CHECK, 'gone', new Date(nowMs - HOUR_MS)],
    [OLD_CHECK, 'old', null],
  ] as const) {
    await db.run(
      `insert into checks (id, canary_id, type, name, namespace, spec, labels, deleted_at, created_at, updated_at)
       values ($1, $2, 'http', $3, 'prod', '{"url":"http://example.test/"}', '{"tier":"1"}', $4, now(), now())`,
      [id, CANARY, name, deleted],
    );
  }
  await db.run(
    `insert into check_statuses (check_id, time, status, duration)
     select $1, (r ->> 'time')::timestamptz, (r ->> 'status')::boolean, (r ->> 'duration')::int
       from jsonb_array_elements($2::jsonb) r`,
    [CHECK, { toJSON: () => runs }],
  );
  const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const aged = [
    ['check_statuses_1h', hour - 40 * DAY_MS, 4000, 40, 38, 2],
    ['check_statuses_1h', hour - 40 * DAY_MS + HOUR_MS, 2000, 40, 40, 0],
    ['check_statuses_1d', Math.floor((nowMs - 200 * DAY_MS) / DAY_MS) * DAY_MS, 96_000, 960, 900, 60],
  ] as const;
  for (const [table, at, duration, total, passed, failed] of aged) {
    await db.run(
      `insert into ${table} (check_id, created_at, duration, total, passed, failed) values ($1, $2, $3, $4, $5, $6)`,
      [OLD_CHECK, new Date(at), duration, total, passed, failed],
    );
  }
}

const PASSED = {
  pass: true,
  invalid: false,
  duration: 12,
  message: 'fine',
  error: null,
  not_run_reason: null,
};

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let browser: TestBrowser;
  let runs: Run[];
  let nowMs: number;
  const results = new Map<string, RunResult | null>([
    [CHECK, { name: 'front door', ...PASSED }],
    [IDLE_CHECK, null],
  ]);

  beforeAll(async () => {
    server = await startTestServer(await openDatabase(), { runs: results });
    nowMs = Date.now();
    runs = someRuns(nowMs);
    await fill(server, runs, nowMs);
    const { email } = await server.account('viewer');
    browser = openTestBrowser(server.url);
    await browser.signIn(email, PASSWORD);
  });
  afterAll(() => server.stop());

  const summary = async (query = '') => {
    const answer = await browser.get(`/api/canary/api/summary${query}`);
    expect(answer.status).toBe(200);
    return summarySchema.parse(await answer.json());
  };
  const inWindow = (ms: number) => runs.filter((run) => Date.parse(run.time) > nowMs - ms);

  describe('the summary', () => {
    it('lists every live check with what the app groups and filters by', async () => {
      const { checks_summary: checks, runnerName } = await summary();
      expect(runnerName).toBe('test-host');
      expect(checks.map((check) => check.name)).toEqual(['front door', 'never ran', 'old']);
      expect(checks[0]).toMatchObject({
        canary_name: 'estate',
        canary_namespace: 'prod',
        endpoint: 'http://example.test/',
        agent_name: 'local',
        labels: { team: 'blue', tier: '1' },
      });
      expect(checks[1]?.uptime).toMatchObject({ passed: 0, failed: 0 });
    });

    it('tells figures of the last hour only, and when a check ran last whatever the range', async () => {
      const { db } = server;
      await db.run(
        `insert into check_statuses (check_id, time, status, duration) values ($1, now() - interval '3 years', false, 20)`,
        [IDLE_CHECK],
      );
      await refreshSummaries(db);
      const { checks_summary: checks } = await summary();
      const stopped = checks.find((check) => check.name === 'never ran');
      expect(stopped?.uptime).toMatchObject({ passed: 0, failed: 0 });
      expect(stopped?.latency.p95 ?? null).toBeNull();
      expect(Date.parse(stopped?.last_runtime ?? '')).toBeLessThan(nowMs - 1000 * DAY_MS);
      const running = checks.find((check) => check.name === 'front door');
      const counted = (running?.uptime.passed ?? 0) + (running?.uptime.failed ?? 0);
      expect(Math.abs(counted - inWindow(HOUR_MS).length)).toBeLessThanOrEqual(1);
      await db.run('delete from check_statuses where check_id = $1', [IDLE_CHECK]);
      await db.run('delete from check_status_summary where check_id = $1', [IDLE_CHECK]);
    });

    it('counts what is not known apart from what passes and what fails', async () => {
      await server.db.run(`update checks set status = 'unhealthy' where id = $1`, [CHECK]);
      const answer = (await (await browser.get('/api/canary/api/summary')).json()) as {
        counts: unknown;
        checks_summary: { status: string }[];
      };
      expect(answer.checks_summary.map(({ status }) => status)).toEqual(['unhealthy', 'unknown', 'unknown']);
      expect(answer.counts).toEqual({ healthy: 0, unhealthy: 1, unknown: 2 });
    });

    it('sums up another window when asked', async () => {
      const { checks_summary: checks } = await summary('?start=3h');
      const expected = inWindow(3 * HOUR_MS);
      const passed = expected.filter((run) => run.status).length;
      const uptime = checks[0]?.uptime;
      expect(Math.abs((uptime?.passed ?? 0) - passed)).toBeLessThanOrEqual(1);
      expect(Math.abs((uptime?.failed ?? 0) - (expected.length - passed))).toBeLessThanOrEqual(1);
      const durations = expected.map((run) => run.duration).toSorted((a, b) => a - b);
      const p95 = durations[Math.ceil(durations.length * 0.95) - 1] ?? 0;
      expect(Math.abs((checks[0]?.latency.p95 ?? 0) - p95)).toBeLessThanOrEqual(20);
      expect(checks[1]?.uptime).toMatchObject({ passed: 0, failed: 0 });
    });

    it('takes long windows from the hourly sums', async () => {
      const { checks_summary: checks } = await summary('?start=2mo');
      const old = checks.find((check) => check.name === 'old');
      expect(old?.uptime).toMatchObject({ passed: 78, failed: 2 });
      expect(old?.latency).toMatchObject({ p99: 100, p50: 50, avg: 75 });
    });

    it('by POST, adds what was deleted since, and keeps to labels', async () => {
      const names = async (body: object) => {
        const answer = await browser.post('/api/canary/api/summary', body);
        expect(answer.status).toBe(200);
        return summarySchema.parse(await answer.json()).checks_summary.map((check) => check.name);
      };
      expect(await names({ DeleteFrom: new Date(nowMs - 2 * HOUR_MS).toISOString() })).toContain('gone');
      expect(await names({})).not.toContain('gone');
      expect(await names({ Labels: { tier: '2' } })).toEqual([]);
      expect(await names({ Labels: { tier: '1', team: 'blue' } })).toHaveLength(3);
    });

    it('of one check comes in the older form, with its runs when asked', async () => {
      const answer = await browser.get(`/api/canary/api?check=${CHECK}&includeMessages=true&start=1h`);
      const { checks } = (await answer.json()) as {
        checks: { id: string; checkStatuses: { time: string; status: boolean }[] }[];
      };
      expect(checks.map((check) => check.id)).toEqual([CHECK]);
      expect(Math.abs((checks[0]?.checkStatuses.length ?? 0) - inWindow(HOUR_MS).length)).toBeLessThanOrEqual(
        1,
      );
    });
  });

  describe('the graph', () => {
    const graph = async (query: string) => {
      const answer = await browser.get(`/api/canary/api/graph?${query}`);
      expect(answer.status).toBe(200);
      return graphSchema.parse(await answer.json());
    };

    it.each([
      [30 * MINUTE_MS, 300],
      [2 * HOUR_MS, 300],
      [4 * HOUR_MS, 300],
      [5 * HOUR_MS, 10],
    ])('over %i ms in %i points has the very numbers of the domain rules', async (windowMs, count) => {
      const fromMs = nowMs - windowMs;
      const until = new Date(nowMs).toISOString();
      const query = `check=${CHECK}&count=${count}&start=${new Date(fromMs).toISOString()}&end=${until}`;
      const answered = await graph(query);
      const statuses = runs.map((run) => ({
        ...run,
        check_id: CHECK,
        message: null,
        error: null,
        invalid: null,
        created_at: run.time,
      }));
      const expected = graphOf(statuses, { fromMs, untilMs: nowMs, maxPoints: count });
      expect(answered.status).toEqual(expected.points);
      expect(answered.uptime).toEqual(expected.uptime);
      expect(answered.status.length).toBeGreaterThan(0);
      for (const p of ['p99', 'p97', 'p95', 'p50'] as const) {
        expect(Math.abs((answered.latency[p] ?? 0) - (expected.latency[p] ?? -9))).toBeLessThanOrEqual(1);
      }
    });

    it('falls back to hourly and daily sums where the runs are gone', async () => {
      const answered = await graph(`check=${OLD_CHECK}&start=1y`);
      expect(answered.uptime).toEqual({ passed: 978, failed: 62 });
      expect(answered.latency).toMatchObject({ p50: 100, p99: 100 });
      expect(answered.status.every((point) => !Number.isNaN(Date.parse(point.time)))).toBe(true);
      expect(answered.status.length).toBeLessThanOrEqual(300);
      const width = bucketMsFor(360 * DAY_MS, 300);
      for (const point of answered.status) expect(Date.parse(point.time) % width).toBe(0);
    });

    it('of a check that never ran, or is not there, is empty', async () => {
      for (const id of [IDLE_CHECK, NOBODY]) {
        const answered = await graph(`check=${id}&start=1mo`);
        expect(answered).toMatchObject({ status: [], uptime: { passed: 0, failed: 0 } });
      }
    });

    it.each([
      'start=yesterday',
      'start=-1h',
      'start=2024-99-99',
      'start=1h&end=2h',
      'start=100000y',
      'count=0',
      'check=nonsense',
      'start=1h&count=1e9',
    ])('refuses %s with 400', async (query) => {
      const answer = await browser.get(`/api/canary/api/graph?check=${CHECK}&${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toHaveProperty('error');
    });
  });

  describe('Run Now', () => {
    const run = (as: TestBrowser, id: string) => as.post(`/api/canary/run/check/${id}`);

    it('answers what the run found, nothing where nothing ran, 404 where there is no such check', async () => {
      const responder = openTestBrowser(server.url);
      await responder.signIn((await server.account('responder')).email, PASSWORD);
      const done = await run(responder, CHECK);
      expect([done.status, await done.json()]).toEqual([200, results.get(CHECK)]);
      const nothing = await run(responder, IDLE_CHECK);
      expect([nothing.status, await nothing.text()]).toEqual([200, '']);
      for (const id of [NOBODY, 'nonsense']) {
        const unknown = await run(responder, id);
        expect(unknown.status).toBe(404);
        expect(await unknown.json()).toHaveProperty('error');
      }
    });

    it('is refused to viewers, with subject, object and action', async () => {
      const refused = await run(browser, CHECK);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('x-rbac-object')).toBe('canaries');
      expect(refused.headers.get('x-rbac-action')).toBe('create');
      expect(await refused.json()).toMatchObject({ error: 'unauthorized. Access Denied' });
    });
  });

  it('about tells version and time, properties tell the live flags', async () => {
    const about = (await (await browser.get('/api/canary/about')).json()) as { Version: string };
    expect(about.Version).toMatch(/^\d+\.\d+\.\d+$/);
    await server.db.run(
      `insert into properties (name, value, deleted_at) values ('logs.disable', 'true', null), ('gone', 'x', now())`,
    );
    expect(await (await browser.get('/api/properties')).json()).toEqual([
      { name: 'logs.disable', value: 'true', source: 'db', type: '', description: '' },
    ]);
  });
});
