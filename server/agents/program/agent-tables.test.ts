/** Everything that an agent pushes besides what it checks, against a real server: each row once, whatever the line does. */
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/security/support/test-server.ts';
import type { Database } from '../../platform/db/database.ts';
import { openMigratedDatabase } from '../../platform/db/test-databases.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { deleteOldResults } from '../../health/results/result-query.ts';
import { nodePlatform } from '../../platform/platform.ts';
import { cleanUpDeleted } from '../clean-up.ts';
import { PUSH_TABLES } from '../push-tables.ts';
import { prepareOutgoing, readBacklog } from './outgoing-query.ts';
import { pullIn } from './pull-in.ts';
import { pushOut } from './push-out.ts';
import { createPushPace } from '../push-pace.ts';
import { thinOut } from './thin-out.ts';
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts';

const { signal } = new AbortController();
const NOBODY = '00000000-0000-0000-0000-000000000000';
const logger = pino({ level: 'silent' });
const guard = createServerGuard({ egressAllow: [], egressDeny: [], databaseUrl: null });

let server: TestServer;
let site: Database;
let client: UpstreamClient;
let agentId: string;

const FOUND = `
  insert into topologies (name, namespace, spec, source) values ('shop', 'default', '{"components": []}', 'ConfigFile');
  insert into config_scrapers (name, spec, source) values ('files', '{"file": []}', 'ConfigFile');
  insert into config_items (name, type, config_class, scraper_id, config, health)
    select 'host ' || number, 'Host', 'Host', id, jsonb_build_object('number', number), 'healthy'
    from config_scrapers, generate_series(1, 700) as number;
  update config_items as item set parent_id = above.id, path = above.id::text
    from config_items as above where above.name = 'host 700' and item.name like 'host 1_';
  insert into config_changes (config_id, change_type, summary, external_change_id, details)
    select id, 'diff', 'changed', 'c' || id, '{"a": 1}' from config_items where name like 'host 2%';
  insert into config_analysis (config_id, analyzer, analysis_type, severity, summary)
    select id, 'rules', 'security', 'high', 'open port' from config_items where name like 'host 3%';
  insert into config_relationships (config_id, related_id, relation, selector_id)
    select one.id, two.id, 'RunsOn', 's' from config_items as one join config_items as two on two.name = 'host 5'
    where one.name = 'host 6';
  insert into components (topology_id, external_id, name, type, status, config_id)
    select topologies.id, 'web', 'web', 'app', 'healthy', config_items.id from topologies
    join config_items on config_items.name = 'host 5';
  insert into components (topology_id, external_id, name, type, status, parent_id, path)
    select topology_id, 'db', 'db', 'app', 'unhealthy', id, id::text from components;
  insert into component_relationships (component_id, relationship_id, selector_id)
    select child.id, child.parent_id, 'x' from components as child where parent_id is not null;
  insert into config_component_relationships (component_id, config_id, selector_id)
    select id, config_id, 'y' from components where config_id is not null;
  insert into job_history (name, resource_type, resource_id, status, time_start, time_end, details)
    values ('scrape', 'config_scraper', 'r', 'FAILED', now(), now(), '{"errors": ["no"]}'),
      ('scrape', 'config_scraper', 'r', 'SUCCESS', now(), now(), '{}');
  insert into canaries (name, namespace, spec, source) values ('shop', 'default', '{}', 'site.yaml');
  insert into checks (canary_id, type, name, status, last_runtime, created_at, updated_at)
    select id, 'http', 'home', 'healthy', now(), now(), now() from canaries;
  insert into check_statuses (check_id, time, status, duration)
    select id, now() - number * interval '10 minutes', number % 7 > 0, number from checks, generate_series(1, 600) as number;
  with file as (insert into artifacts (check_id, check_time, path, filename, content_type, size, checksum)
      select id, now(), number || '.txt', number || '.txt', 'text/plain', 4, 'sum' from checks, generate_series(1, 9) as number
      returning id)
    insert into artifact_contents (artifact_id, content) select id, 'file' from file;`;

/** What both sides have of a table, without whose it is. */
function rowsOf(
  db: Database,
  { name, key, columns, hasAgent, parents }: (typeof PUSH_TABLES)[number],
  agent: string,
) {
  const [column, parent] = parents[0] ?? [];
  const own = hasAgent
    ? 'agent_id'
    : `(select agent_id from ${parent} as whole where whole.id = own.${column})`;
  const skipped = new Set(['updated_at', 'next_runtime']);
  const list = [...key, ...columns].filter((one) => !skipped.has(one)).join(', ');
  const isPushed = name === 'job_history' ? `and status = 'FAILED'` : '';
  return db.rows(
    z.unknown(),
    `select ${list} from ${name} as own where ${own} = $1::uuid ${isPushed} order by ${key.join(', ')}`,
    [agent],
  );
}

async function expectSame(): Promise<void> {
  // Actions are those that were handed over (tests/playbooks/agents.test.ts).
  for (const table of PUSH_TABLES.filter(({ name }) => name !== 'playbook_run_actions')) {
    const here = await rowsOf(site, table, NOBODY);
    expect(here.length, table.name).toBeGreaterThan(0);
    expect(await rowsOf(server.db, table, agentId), table.name).toEqual(here);
  }
}

const sentFirst = new Map<string, number>();
const pace = createPushPace(nodePlatform);
const deps = (line: Pick<UpstreamClient, 'push'> = client) => ({
  sentFirst,
  pace,
  db: site,
  client: line,
  logger,
  platform: nodePlatform,
});

async function pushAll(line: Pick<UpstreamClient, 'push'> = client): Promise<number> {
  for (let round = 1; round < 60; round += 1) {
    const outcome = await pushOut(deps(line), signal).catch(() => 'lost');
    if (outcome === 'done') return round;
  }
  throw new Error('the push never ends');
}

beforeAll(async () => {
  server = await startTestServer(await openMigratedDatabase('postgres'));
  site = await openMigratedDatabase('postgres');
  const admin = openTestBrowser(server.url);
  await admin.signIn((await server.account('admin')).email, PASSWORD);
  const made = z
    .object({ id: z.string(), access_token: z.string() })
    .parse(await (await admin.post('/api/agent/generate', { name: 'site' })).json());
  agentId = (await server.db.text('select id::text from agents where person_id = $1', [made.id])) ?? '';
  const upstream = { url: server.url, user: 'token', password: made.access_token, agentName: 'site' };
  client = createUpstreamClient({
    upstream,
    guard,
    platform: nodePlatform,
    program: { id: 'edge', host: 'edge' },
  });
  await prepareOutgoing(site);
  for (const statement of FOUND.split(';\n')) await site.run(statement);
  return () => server.stop();
}, 240_000);

it('pushes every table, once, though the answer to each other call is lost', async () => {
  expect((await readBacklog(site)).rows).toBeGreaterThan(1400);
  let calls = 0;
  await pushAll({
    async push(table, rows, stop) {
      const answer = await client.push(table, rows, stop);
      calls += 1;
      if (calls % 2 === 1) throw new Error('the line was cut');
      return answer;
    },
  });
  await expectSame();
  const before = calls;
  expect(await readBacklog(site)).toMatchObject({ rows: 0, since: null });
  expect(calls).toBe(before);
  // The sums of days that are over come with the runs.
  const sums = await server.db.text(
    `select sum(total)::text from check_statuses_1h where created_at < date_trunc('hour', now() - interval '3 hours')`,
  );
  expect(Number(sums)).toBeGreaterThan(500);
});

it('changes and removals follow, and nothing is told twice', async () => {
  await site.run(`update config_items set health = 'unhealthy', config = '{"now": 1}' where name = 'host 9'`);
  await site.run(`update config_items set deleted_at = now(), delete_reason = 'STALE' where name = 'host 8'`);
  await site.run(`update components set status = 'healthy', parent_id = null where name = 'db'`);
  await pushAll();
  await expectSame();
  // A component's place among those beside it goes along, also where nothing else of it changed.
  await site.run(
    `update component_own_states set "order" = 7 where component_id = (select id from components where name = 'db')`,
  );
  await pushAll();
  const place = `select "order"::text from component_own_states as own join components on components.id = own.component_id
    where components.agent_id = $1 and components.name = 'db'`;
  expect(await server.db.text(place, [agentId])).toBe('7');
  const events = () => server.db.text('select count(*)::text from event_queue');
  const told = await events();
  await site.run('update config_changes set is_pushed = false');
  await site.run('update config_items set is_pushed = false');
  await pushAll();
  await expectSame();
  expect(await events()).toBe(told);
});

it('brings back what upstream lost, parents first', async () => {
  await server.db.run(`delete from config_items where agent_id = $1 and name = 'host 250'`, [agentId]);
  await site.run(`update config_changes set is_pushed = false where config_id in
    (select id from config_items where name = 'host 250')`);
  await pushAll();
  await expectSame();
});

it('never writes rows of another agent, and removes only its own', async () => {
  await server.db.run(
    `insert into config_items (id, name, type, config_class) values ('018f0000-0000-7000-8000-000000000001', 'ours', 'Host', 'Host')`,
  );
  const taken = {
    id: '018f0000-0000-7000-8000-000000000001',
    name: 'taken',
    type: 'Host',
    config_class: 'Host',
  };
  expect(await client.push('config_items', [taken], signal)).toMatchObject({
    kind: 'refused',
    error: expect.stringMatching('somebody else'),
  });
  expect(
    await server.db.text(`select name from config_items where id = '018f0000-0000-7000-8000-000000000001'`),
  ).toBe('ours');
});

it('says of no job that it is of what is somebody else\u2019s here', async () => {
  const job = (digit: string, resource: string) => ({
    id: `018f0000-0000-7000-8000-0000000000b${digit}`,
    name: 'scrape',
    resource_type: 'config_scraper',
    resource_id: resource,
    status: 'FAILED',
  });
  const ours = await server.db.text(
    `insert into config_scrapers (name, spec, source) values ('of this server', '{}', 'UI') returning id::text`,
  );
  const own = await server.db.text(`select id::text from config_scrapers where agent_id = $1`, [agentId]);
  const rows = [job('1', own ?? ''), job('2', 'no id at all'), job('3', NOBODY)];
  expect(await client.push('job_history', [...rows, job('4', ours ?? '')], signal)).toMatchObject({
    kind: 'refused',
    error: expect.stringContaining('job_history[3].resource_id'),
  });
  expect(await client.push('job_history', rows, signal)).toEqual({ kind: 'stored' });
  await server.db.run(`delete from job_history where id::text like '018f0000-0000-7000-8000-0000000000b_'`);
});

it('runs scrapers that are kept upstream; what it found of a removed one ends, and is not tried for ever', async () => {
  await server.db.run(
    `insert into config_scrapers (name, spec, source, agent_id) values ('kept', '{"file": [{"paths": ["/tmp/x"]}]}', 'UI', $1::uuid)`,
    [agentId],
  );
  const pull = () =>
    pullIn({ db: site, client, sealer: server.backend.outside.sealer, notify: () => {} }, signal);
  await pull();
  expect(
    await site.text(`select name from config_scrapers where source = 'Push' and deleted_at is null`),
  ).toBe('kept');
  await site.run(
    `insert into config_items (name, type, config_class, scraper_id)
     select 'found', 'Host', 'Host', id from config_scrapers where source = 'Push'`,
  );
  await server.db.run(`delete from config_scrapers where name = 'kept'`);
  await pushAll();
  expect((await readBacklog(site)).rows).toBe(0);
  await pull();
  expect(
    await site.text(
      `select count(*)::text from config_scrapers where source = 'Push' and deleted_at is null`,
    ),
  ).toBe('0');
});

it('keeps a bounded number of runs: the oldest are thinned first, changes of the outcome last', async () => {
  await site.run('delete from check_statuses');
  await site.run(
    `insert into check_statuses (check_id, time, status)
     select id, now() - number * interval '10 seconds', number <> 1500 from checks, generate_series(1, 2000) as number`,
  );
  const given = await thinOut({ db: site, logger, most: 1500 });
  const left = Number(await site.text('select count(*)::text from check_statuses'));
  expect(left).toBe(2000 - given);
  expect(left).toBeLessThanOrEqual(1500);
  expect(await site.text('select count(*)::text from check_statuses where not status')).toBe('1');
  // The newer half is whole.
  expect(
    await site.text(`select count(*)::text from check_statuses where time > now() - interval '9000 seconds'`),
  ).toMatch(/^(89\d|90\d)$/);
  expect((await readBacklog(site)).thinned).toBe(given);
  expect(await thinOut({ db: site, logger, most: 1500 })).toBe(0);
  // What is older than runs are kept, and was never pushed, is given up, too.
  await site.run(
    `insert into check_statuses (check_id, time, status, is_pushed)
     select id, now() - interval '40 days' - number * interval '1 minute', true, number = 1 from checks, generate_series(1, 3) as number`,
  );
  await deleteOldResults(site, 30);
  expect((await readBacklog(site)).thinned).toBe(given + 2);
});

it('a row that is refused for what is in it waits aside and is named, and the others go on', async () => {
  // Of another agent here: its id is taken.
  const taken = '018f0000-0000-7000-8000-000000000001';
  await site.run(
    `insert into config_items (id, name, type, config_class) values ($1, 'taken', 'Host', 'Host')`,
    [taken],
  );
  await site.run(
    `insert into config_items (name, type, config_class, parent_id) values ('below', 'Host', 'Host', $1)`,
    [taken],
  );
  await site.run(
    `insert into config_items (name, type, config_class) select 'beside ' || number, 'Host', 'Host' from generate_series(1, 60) as number`,
  );
  await pushAll();
  const stored = (name: string) =>
    server.db.text('select count(*)::text from config_items where agent_id = $1 and name like $2', [
      agentId,
      name,
    ]);
  expect(await stored('beside %')).toBe('60');
  expect(await stored('taken')).toBe('0');
  // The item, what is below it, and the link between them.
  expect((await readBacklog(site)).rows).toBe(3);
  const told = `select details::text from job_history where name = 'PushUpstream' and resource_id = 'config_items' and status = 'FAILED'
    order by created_at desc limit 1`;
  expect(await site.text(told)).toMatch(/somebody else/);
  expect(await server.db.text(told)).toMatch(/somebody else/);
  // Nothing is asked again before its time, unless the row changes.
  let calls = 0;
  const counting: Pick<UpstreamClient, 'push'> = {
    push(table, rows, stop) {
      calls += 1;
      return client.push(table, rows, stop);
    },
  };
  await pushAll(counting);
  expect(calls).toBe(0);
  await server.db.run('delete from config_items where id = $1', [taken]);
  await site.run(`update push_refusals set retry_at = now() - interval '1 second'`);
  await pushAll();
  expect([await stored('taken'), await stored('below')]).toEqual(['1', '1']);
  expect((await readBacklog(site)).rows).toBe(0);
  expect(await site.text('select count(*)::text from push_refusals')).toBe('0');
});

it('what hardly anything of is taken waits as a whole, and asks for little', async () => {
  await site.run('update config_items set is_pushed = false');
  let calls = 0;
  const refusing: Pick<UpstreamClient, 'push'> = {
    push: () => {
      calls += 1;
      return Promise.resolve({ kind: 'refused', error: 'set the clock of the agent' });
    },
  };
  await pushAll(refusing);
  expect(calls).toBeLessThan(30);
  await site.run(`update push_refusals set retry_at = now() - interval '1 second'`);
  await pushAll();
  expect((await readBacklog(site)).rows).toBe(0);
});

it('what upstream misses however often it is sent holds up nothing else', async () => {
  const item = (await site.text(`select id::text from config_items where name = 'host 40'`)) ?? '';
  await site.run(`update config_analysis set is_pushed = false where config_id in
    (select id from config_items where name = 'host 300')`);
  await site.run(
    `insert into config_changes (config_id, change_type, summary, external_change_id) values ($1, 'diff', 'late', 'late')`,
    [item],
  );
  await site.run(`insert into check_statuses (check_id, time, status) select id, now(), true from checks`);
  let calls = 0;
  const forgetful: Pick<UpstreamClient, 'push'> = {
    push(table, rows, stop) {
      calls += 1;
      if (table !== 'config_changes') return client.push(table, rows, stop);
      return Promise.resolve({ kind: 'missing', missing: new Map([['config_items', [item]]]) });
    },
  };
  await pushAll(forgetful);
  expect(calls).toBeLessThan(20);
  expect((await readBacklog(site)).rows).toBe(1);
  expect(await site.text(`select error from push_refusals where table_name = 'config_changes'`)).toContain(
    'is missed however often',
  );
  await site.run(`update push_refusals set retry_at = now() - interval '1 second'`);
  await pushAll();
  expect((await readBacklog(site)).rows).toBe(0);
});

it('what a clock said that was ahead does not hold up what the right one says', async () => {
  const said = async (status: string, ahead: string) => {
    await site.run('update checks set status = $1, last_runtime = now() + $2::text::interval', [
      status,
      ahead,
    ]);
    await pushAll();
    return server.db.text('select status from checks where agent_id = $1', [agentId]);
  };
  expect(await said('unhealthy', '1 hour')).toBe('unhealthy');
  expect(await said('healthy', '0 seconds')).toBe('healthy');
  // By clocks that are right, the later run counts.
  expect(await said('unhealthy', '-1 hour')).toBe('healthy');
});

it('when a check is due is told by this server\u2019s clock', async () => {
  const dueIn = (clock: string) =>
    server.db
      .text(`select round(extract(epoch from next_runtime - now()))::text from checks where agent_id = $1`, [
        agentId,
      ])
      .then((seconds) => [clock, Math.round(Number(seconds) / 60)]);
  for (const clock of ['-3600000', '3600000', '300']) {
    await server.db.run('update agents set clock_skew_ms = $2::bigint where id = $1', [agentId, clock]);
    await site.run(
      `update checks set last_runtime = now() + interval '2 hours', next_runtime = now() + interval '5 minutes' +
        case when abs($1::bigint) > 1000 then $1::bigint else 0 end * interval '1 millisecond'`,
      [clock],
    );
    await pushAll();
    expect(await dueIn(clock)).toEqual([clock, 5]);
  }
});

// Rows of more than a day from now are refused (push-schema.ts).
it('no clock keeps a check green that is not run, nor an item fresh, however far it is off and whatever is known of that', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -70_000, max: 70_000 }),
      fc.integer({ min: 10, max: 7200 }),
      fc.option(fc.integer({ min: -70_000, max: 70_000 })),
      async (aheadSeconds, everySeconds, knownAhead) => {
        await server.db.run('update checks set last_runtime = null where agent_id = $1', [agentId]);
        await server.db.run('update agents set clock_skew_ms = $2::bigint * 1000 where id = $1', [
          agentId,
          knownAhead,
        ]);
        await site.run(
          `update checks set last_runtime = now() + $1::integer * interval '1 second',
             next_runtime = now() + ($1::integer + $2::integer) * interval '1 second'`,
          [aheadSeconds, everySeconds],
        );
        await site.run(
          `update config_items set last_scraped_time = now() + $1::integer * interval '1 second' where name = 'host 5'`,
          [aheadSeconds],
        );
        await pushAll();
        const late = await server.db.text(
          `select ((select bool_or(next_runtime > now() + $2::integer * interval '1 second') from checks where agent_id = $1)
             or (select bool_or(last_scraped_time > now()) from config_items where agent_id = $1))::text`,
          [agentId, everySeconds],
        );
        expect(late).toBe('false');
      },
    ),
    { numRuns: 4 },
  );
  await server.db.run('update agents set clock_skew_ms = 0 where id = $1', [agentId]);
});

it('a check under another id takes the place of the one before: the database of its agent began anew', async () => {
  const again = '018f0000-0000-7000-8000-0000000000c1';
  const [canary] = await site.rows(
    z.strictObject({ id: z.string(), type: z.string(), name: z.string() }),
    'select canary_id::text as id, type, name from checks',
  );
  const anew = {
    id: again,
    canary_id: canary?.id,
    type: canary?.type,
    name: canary?.name,
    status: 'healthy',
  };
  for (let round = 0; round < 2; round += 1)
    expect(await client.push('checks', [anew], signal)).toEqual({ kind: 'stored' });
  expect(
    await server.db.text(
      'select string_agg(id::text, $2) from checks where agent_id = $1 and deleted_at is null',
      [agentId, ' '],
    ),
  ).toBe(again);
});

it('what a deleted agent brought goes in batches', async () => {
  await server.db.run(
    `insert into config_items (name, type, config_class, agent_id)
     select 'many ' || number, 'Host', 'Host', $1::uuid from generate_series(1, 2100) as number`,
    [agentId],
  );
  await server.db.run('update agents set cleanup = true, deleted_at = now() where id = $1', [agentId]);
  const live = () =>
    server.db.text('select count(*)::text from config_items where agent_id = $1 and deleted_at is null', [
      agentId,
    ]);
  expect(Number(await live())).toBeGreaterThan(0);
  await cleanUpDeleted({ db: server.db, platform: nodePlatform, logger, notify: () => {} }, signal);
  expect(await live()).toBe('0');
  expect(await server.db.text('select count(*)::text from agent_cleanups')).toBe('0');
}, 240_000);
