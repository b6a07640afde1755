/** An agent against a real server, each with its own database: all of it arrives once, whatever the line does. */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/security/support/test-server.ts';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { Database } from '../../platform/db/database.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { createJobMetrics } from '../../platform/jobs/job-metrics.ts';
import { createLeases } from '../../platform/jobs/leases.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { prepareOutgoing, readBacklog } from './outgoing-query.ts';
import { pullIn } from './pull-in.ts';
import { pushOut } from './push-out.ts';
import { createPushPace } from '../push-pace.ts';
import { runAgent } from './run-agent.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts';

const { signal } = new AbortController();
const quiet = {
  logger: pino({ level: 'silent' }),
  platform: nodePlatform,
  sentFirst: new Map<string, number>(),
  pace: createPushPace(nodePlatform),
};
const idRow = z.object({ id: z.string() });
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** More than two batches. */
const RUNS = 1200;

forEachDatabase((_name, open) => {
  let server: TestServer;
  let site: Database;
  let client: UpstreamClient;
  let agentId: string;
  let settings: Parameters<typeof createUpstreamClient>[0]['upstream'];
  const guard = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });

  beforeAll(async () => {
    server = await startTestServer(await open());
    site = await open();
    const admin = openTestBrowser(server.url);
    const { email } = await server.account('admin');
    await admin.signIn(email, PASSWORD);
    const made = z
      .object({ id: z.string(), access_token: z.string() })
      .parse(await (await admin.post('/api/agent/generate', { name: 'site' })).json());
    const [agent] = await server.db.rows(idRow, 'select id from agents where person_id = $1', [made.id]);
    agentId = agent?.id ?? '';
    settings = { url: server.url, user: 'token', password: made.access_token, agentName: 'site' };
    client = createUpstreamClient({
      upstream: settings,
      guard,
      platform: nodePlatform,
      program: { id: 'edge', host: 'edge' },
    });
    await prepareOutgoing(site);
    await site.run(
      `with canary as (insert into canaries (name, namespace, spec, source)
         values ('shop', 'default', '{"http": [{"name": "home", "url": "https://shop.example"}]}', 'site.yaml') returning id),
       home as (insert into checks (canary_id, type, name, status, last_runtime)
         select id, 'http', 'home', 'healthy', now() from canary returning id)
       insert into check_statuses (check_id, time, status, duration, message)
       select id, now() - number * interval '1 minute', number % 2 = 0, number, 'run ' || number
       from home, generate_series(1, ${RUNS}) as number`,
    );
    return () => server.stop();
  }, 240_000);

  const runsOf = (db: Database, agent: string) =>
    db.rows(
      z.unknown(),
      `select check_id::text, time, check_statuses.status, duration, check_statuses.message from check_statuses
         join checks on checks.id = check_id where agent_id = $1::uuid order by time, check_id`,
      [agent],
    );
  const expectAllThere = async () =>
    expect(await runsOf(server.db, agentId)).toEqual(await runsOf(site, NOBODY));

  it('pushes all once, though the answer to each first try is lost', async () => {
    let calls = 0;
    const lossy: Pick<UpstreamClient, 'push'> = {
      async push(table, rows, stop) {
        const answer = await client.push(table, rows, stop);
        calls += 1;
        if (calls % 2 === 1) throw new Error('the line was cut');
        return answer;
      },
    };
    let outcome = 'lost';
    while (outcome !== 'done')
      outcome = await pushOut({ ...quiet, db: site, client: lossy }, signal).catch(() => 'lost');
    // A canary, a check, and three batches of runs, each twice.
    expect(calls).toBe(10);
    await expectAllThere();
    await pushOut({ ...quiet, db: site, client: lossy }, signal);
    expect(calls).toBe(10);
  });

  it('pushes again what changed while it was on its way', async () => {
    await site.run(`update checks set status = 'unhealthy'`);
    let isFirst = true;
    const slow: Pick<UpstreamClient, 'push'> = {
      async push(table, rows, stop) {
        if (isFirst)
          await site.run(
            `update checks set status = 'healthy', last_runtime = last_runtime + interval '1 second'`,
          );
        isFirst = false;
        return client.push(table, rows, stop);
      },
    };
    await pushOut({ ...quiet, db: site, client: slow }, signal);
    const status = z.object({ status: z.string() });
    expect(await server.db.rows(status, 'select status from checks where agent_id = $1', [agentId])).toEqual([
      { status: 'healthy' },
    ]);
  });

  it('brings back what upstream lost', async () => {
    await server.db.run('delete from checks where agent_id = $1', [agentId]);
    await server.db.run('delete from canaries where agent_id = $1', [agentId]);
    await site.run('update check_statuses set is_pushed = false');
    for (let round = 0; round < 4; round += 1) await pushOut({ ...quiet, db: site, client }, signal);
    await expectAllThere();
  });

  it('runs what is kept upstream for it, as it is there, and does not push it back', async () => {
    const kept = () =>
      site.rows(
        z.unknown(),
        `select name, spec from canaries where source = 'upstream' and deleted_at is null`,
      );
    const notified: string[] = [];
    const pull = () =>
      pullIn(
        { db: site, client, sealer: server.backend.outside.sealer, notify: (table) => notified.push(table) },
        signal,
      );
    const specOf = (url: string) => ({ http: [{ name: 'home', url }] });
    const [made] = await server.db.rows(
      idRow,
      `insert into canaries (name, namespace, source, agent_id, spec)
       values ('kept', 'default', 'UI', $1::uuid, $2::jsonb) returning id`,
      [agentId, JSON.stringify(specOf('https://one.example'))],
    );
    await pull();
    expect(await kept()).toEqual([{ name: 'kept', spec: specOf('https://one.example') }]);
    await pull();
    expect(notified).toEqual(['canaries']);
    await server.db.run('update canaries set spec = $2::jsonb where id = $1', [
      made?.id ?? '',
      JSON.stringify(specOf('https://two.example')),
    ]);
    await pull();
    expect(await kept()).toEqual([{ name: 'kept', spec: specOf('https://two.example') }]);
    const pushed: string[] = [];
    const counting = {
      push: (table: string, rows: readonly unknown[], stop: AbortSignal) => {
        pushed.push(table);
        return client.push(table, rows, stop);
      },
    };
    await pushOut({ ...quiet, db: site, client: counting }, signal);
    expect(pushed).toEqual([]);
    await server.db.run('update canaries set deleted_at = now() where id = $1', [made?.id ?? '']);
    await pull();
    expect(await kept()).toEqual([]);
  });

  it('loses nothing to what stands in between and answers with a page of its own', async () => {
    const between = await startLocalServer(({ url }) => ({
      body: url.pathname.endsWith('/push') ? '<html>Sign in to this network</html>' : '',
    }));
    const upstream = { ...settings, url: between.url };
    const line = createUpstreamClient({
      upstream,
      guard,
      platform: nodePlatform,
      program: { id: 'edge', host: 'edge' },
    });
    await site.run('update canaries set is_pushed = false');
    const { rows } = await readBacklog(site);
    await expect(pushOut({ ...quiet, db: site, client: line }, signal)).rejects.toThrow('with JSON');
    expect([rows > 0, (await readBacklog(site)).rows]).toEqual([true, rows]);
    // A server of another kind that says nothing of the agent's name is one all the same.
    expect(await line.ping(null, signal)).toEqual({ name: null });
    await between.close();
    await pushOut({ ...quiet, db: site, client }, signal);
  });

  it('says who it is, and stops at the token of another agent', async () => {
    const stop = new AbortController();
    const said: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void said.push(line) });
    const leases = createLeases({
      db: site,
      platform: nodePlatform,
      logger,
      metrics: createJobMetrics(),
      serverName: 'edge',
    });
    await leases.start();
    const leasing = leases.run(stop.signal);
    const running = runAgent(
      {
        db: site,
        platform: nodePlatform,
        logger,
        leases,
        settings: { upstream: { ...settings, agentName: 'elsewhere' } },
        outside: { guard, sealer: server.backend.outside.sealer },
        notify: () => {},
        notifier: server.notifier,
        playbooks: server.backend.playbooks,
      },
      stop.signal,
    );
    await expect.poll(() => said.join('')).toContain('is the token of agent');
    stop.abort();
    await Promise.all([running, leasing]);
    await leases.close();
    expect(await client.ping(await readBacklog(site), signal)).toEqual({ name: 'site' });
    const heard = z.object({ hostname: z.string(), is_heard: z.boolean(), backlog_rows: z.number() });
    expect(
      await server.db.rows(
        heard,
        `select hostname, last_seen is not null as is_heard, backlog_rows::float8 from agents_summary where id = $1`,
        [agentId],
      ),
    ).toEqual([{ hostname: 'edge', is_heard: true, backlog_rows: 0 }]);
  });
});
