/** What agents call, over HTTP: who comes in, what is stored, and that it is stored once. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestBrowser, type TestBrowser } from '../../../tests/security/support/test-browser.ts';
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/security/support/test-server.ts';
import { forEachDatabase } from '../../platform/db/test-databases.ts';
import { parsePush } from './push-schema.ts';
import { storePush } from './store-push.ts';

interface TestAgent {
  /** Of its row. */
  id: string;
  personId: string;
  token: string;
}

interface Sent {
  method?: string;
  body?: string | Buffer<ArrayBuffer>;
  headers?: Record<string, string>;
}

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, '0')}`;
const RAN = '2026-01-31T12:00:05.250Z';

const canary = (id: string, fields: object = {}) => ({
  id,
  agent_id: idOf('dead'),
  name: `canary-${id.slice(-4)}`,
  namespace: 'default',
  spec: { http: [{ name: 'home', url: 'https://example.com' }] },
  source: 'site.yaml',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  is_pushed: false,
  ...fields,
});
const check = (id: string, canaryId: string, fields: object = {}) => ({
  id,
  canary_id: canaryId,
  type: 'http',
  name: 'home',
  status: 'healthy',
  last_runtime: RAN,
  last_transition_time: '2026-01-31T11:00:00Z',
  ...fields,
});
const run = (checkId: string, fields: object = {}) => ({
  check_id: checkId,
  time: RAN,
  status: true,
  duration: 12,
  details: { code: 200 },
  ...fields,
});

forEachDatabase((_name, openDatabase) => {
  let server: TestServer;
  let admin: TestBrowser;
  let edge: TestAgent;
  let other: TestAgent;

  async function makeAgent(name: string): Promise<TestAgent> {
    const made = (await (await admin.post('/api/agent/generate', { name })).json()) as {
      id: string;
      access_token: string;
    };
    const [row] = await server.db.rows(
      z.strictObject({ id: z.string() }),
      'select id from agents where person_id = $1',
      [made.id],
    );
    return { id: row?.id ?? '', personId: made.id, token: made.access_token };
  }

  const basic = ({ token }: Pick<TestAgent, 'token'>) =>
    `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;

  function ask(authorization: string | null, path: string, sent: Sent = {}): Promise<Response> {
    const own: Record<string, string> = authorization === null ? {} : { authorization };
    if (sent.body !== undefined) own['content-type'] = 'application/json';
    return fetch(`${server.url}${path}`, { ...sent, headers: { ...own, ...sent.headers } });
  }

  const push = (agent: TestAgent, batch: unknown) =>
    ask(basic(agent), '/upstream/push', { method: 'POST', body: JSON.stringify(batch) });

  async function refusalOf(answer: Response) {
    return (await answer.json()) as { error: string; field?: string; data?: string };
  }

  /** All that this agent has here. */
  const storedOf = ({ id }: TestAgent) =>
    server.db.rows(
      z.unknown(),
      `select 'canary' as kind, to_jsonb(canaries)::text as own from canaries where agent_id = $1::uuid
       union all select 'check', to_jsonb(checks)::text from checks where agent_id = $1::uuid
       union all select 'run', to_jsonb(check_statuses)::text from check_statuses
         join checks on checks.id = check_id where agent_id = $1::uuid
       order by 1, 2`,
      [id],
    );

  const checkRow = async (id: string) =>
    (
      await server.db.rows(
        z.unknown(),
        `select agent_id, status, not_run_reason, last_transition_time = '2026-01-31T11:00:00Z' as is_its_time,
           deleted_at is not null as is_deleted from checks where id = $1::uuid`,
        [id],
      )
    )[0];

  beforeAll(async () => {
    server = await startTestServer(await openDatabase());
    const account = await server.account('admin');
    admin = openTestBrowser(server.url);
    await admin.signIn(account.email, PASSWORD);
    edge = await makeAgent('edge-1');
    other = await makeAgent('edge-2');
  });
  afterAll(() => server.stop());

  describe('who comes in', () => {
    it('a token opens /upstream by Basic and as a bearer, and nothing else', async () => {
      for (const authorization of [basic(edge), `Bearer ${edge.token}`]) {
        expect((await ask(authorization, '/upstream/ping')).status).toBe(200);
        for (const path of [
          '/api/auth/whoami',
          '/api/properties',
          '/api/db/canaries',
          '/api/identity/tokens',
        ])
          expect((await ask(authorization, path)).status, path).toBe(403);
      }
    });

    it('nobody else does: not without a token, with a made-up, expired or ended one, nor as a person', async () => {
      const [secret = '', ...rest] = edge.token.split('.');
      const madeUp = ['0'.repeat(secret.length), ...rest].join('.');
      expect((await ask(null, '/upstream/ping')).status).toBe(401);
      expect((await ask(basic({ token: madeUp }), '/upstream/ping')).status).toBe(401);
      expect((await ask(`Bearer ${madeUp}`, '/upstream/ping')).status).toBe(401);
      expect((await ask(basic({ token: 'junk' }), '/upstream/ping')).status).toBe(400);
      expect((await admin.get('/api/upstream/ping')).status).toBe(403);

      const expired = await makeAgent('edge-expired');
      await server.db.run(
        `update access_tokens set expires_at = now() - interval '1 minute' where person_id = $1`,
        [expired.personId],
      );
      expect((await push(expired, {})).status).toBe(401);

      const removed = await makeAgent('edge-removed');
      expect((await push(removed, {})).status).toBe(200);
      await server.db.run('update agents set deleted_at = now() where id = $1::uuid', [removed.id]);
      expect((await push(removed, {})).status).toBe(401);
    });

    it('a ping notes when, which version and whose clock, and is no change of the agent', async () => {
      const heard = () =>
        server.db.rows(
          z.strictObject({
            version: z.string().nullable(),
            backlog: z.string().nullable(),
            is_late: z.boolean(),
            is_ahead: z.boolean(),
          }),
          `select version, last_seen < now() - interval '1 minute' as is_late,
             backlog_rows || ' since ' || (backlog_since at time zone 'UTC')::date || ', ' || thinned_rows || ' lost' as backlog,
             clock_skew_ms between 3500000 and 3700000 as is_ahead from agents where id = $1::uuid`,
          [edge.id],
        );
      const changed = () =>
        server.db.text('select updated_at::text from agents where id = $1::uuid', [edge.id]);
      const before = await changed();
      const said = {
        version: '1.2.3',
        hostname: 'edge',
        time: new Date(Date.now() + 3_600_000).toISOString(),
        backlog: { rows: 3_000_000, since: '2026-01-31T12:00:00Z', thinned: 12 },
      };
      const known = {
        version: '1.2.3',
        backlog: '3000000 since 2026-01-31, 12 lost',
        is_late: false,
        is_ahead: true,
      };
      const answer = await ask(basic(edge), '/upstream/ping', { method: 'POST', body: JSON.stringify(said) });
      expect(await answer.json()).toMatchObject({ agent_id: edge.id, name: 'edge-1' });
      expect(await heard()).toEqual([known]);
      const named = await changed();
      await ask(basic(edge), '/upstream/ping');
      expect(await heard()).toEqual([known]);
      expect(await changed()).toBe(named);
      expect(named).not.toBe(before);
    });
  });

  describe('a batch', () => {
    const [canaryId, checkId] = [idOf('a1'), idOf('c1')];
    const batch = {
      canaries: [canary(canaryId)],
      checks: [check(checkId, canaryId)],
      check_statuses: [
        run(checkId),
        run(checkId, { time: '2026-01-31 11:59:00', status: false, error: 'no' }),
      ],
    };

    it('is stored as rows of its agent, and the same again changes nothing, gzip or not', async () => {
      const first = await push(edge, batch);
      expect(await first.json()).toEqual({ stored: { canaries: 1, checks: 1, check_statuses: 2 } });
      expect(await checkRow(checkId)).toEqual({
        agent_id: edge.id,
        status: 'healthy',
        not_run_reason: null,
        is_its_time: true,
        is_deleted: false,
      });
      const stored = await storedOf(edge);
      expect(stored).toHaveLength(4);
      const again = await ask(basic(edge), '/upstream/push', {
        method: 'POST',
        body: gzipSync(JSON.stringify(batch)),
        headers: { 'content-encoding': 'gzip' },
      });
      expect(await again.json()).toEqual({ stored: { canaries: 0, checks: 0, check_statuses: 0 } });
      expect(await storedOf(edge)).toEqual(stored);
      const both = await Promise.all([push(edge, batch), push(edge, batch)]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(await storedOf(edge)).toEqual(stored);
    });

    it('counts by what is newer: a later run or writing changes the row, an earlier one does not', async () => {
      const later = { last_runtime: '2026-01-31T12:01:05Z', status: 'unhealthy' };
      await push(edge, { checks: [check(checkId, canaryId, later)] });
      expect(await checkRow(checkId)).toMatchObject({ status: 'unhealthy' });
      await push(edge, batch);
      expect(await checkRow(checkId)).toMatchObject({ status: 'unhealthy' });
      const labelled = async (updatedAt: string, labels: object) => {
        await push(edge, { canaries: [canary(canaryId, { updated_at: updatedAt, labels })] });
        return server.db.text('select labels::text from canaries where id = $1::uuid', [canaryId]);
      };
      expect(await labelled('2026-01-03T00:00:00Z', { site: 'a' })).toContain('"a"');
      expect(await labelled('2026-01-02T12:00:00Z', { site: 'b' })).toContain('"a"');
    });

    it('makes a check known again that was unknown because its agent was silent', async () => {
      await server.db.run(
        `update checks set seen_status = status, status = null, not_run_reason = 'silent', blind_since = now()
          where id = $1::uuid`,
        [checkId],
      );
      const said = { last_runtime: '2026-01-31T12:02:05Z', status: 'healthy' };
      await push(edge, { checks: [check(checkId, canaryId, said)] });
      expect(await checkRow(checkId)).toMatchObject({ status: 'healthy', not_run_reason: null });
    });

    it('never writes what is somebody else\u2019s', async () => {
      const stored = await storedOf(edge);
      const newer = { updated_at: '2026-02-01T00:00:00Z', name: 'taken over' };
      const theirs = await push(other, { canaries: [canary(idOf('b1')), canary(canaryId, newer)] });
      expect(theirs.status).toBe(403);
      expect(await refusalOf(theirs)).toMatchObject({ field: 'canaries[1].id' });
      const own = canary(idOf('b1'));
      const taken = await push(other, { canaries: [own], checks: [check(checkId, own.id)] });
      expect(await refusalOf(taken)).toMatchObject({ field: 'checks[0].id' });

      const astray = await push(other, { checks: [check(idOf('c2'), canaryId)] });
      expect(astray.status).toBe(409);
      expect(JSON.parse((await refusalOf(astray)).data ?? '')).toMatchObject({
        ids: [idOf('c2')],
        missing: { canaries: [canaryId] },
      });
      const runs = await push(other, { check_statuses: [run(checkId, { time: '2026-01-31T13:00:00Z' })] });
      expect(runs.status).toBe(409);
      expect(JSON.parse((await refusalOf(runs)).data ?? '')).toMatchObject({
        ids: [`${checkId}2026-01-31T13:00:00Z`],
      });
      expect(await storedOf(edge)).toEqual(stored);
      expect(await storedOf(other)).toEqual([]);
    });

    it.each([
      [{ canaries: [canary('junk')] }, 'canaries[0].id: must be a UUID'],
      [{ checks: [check(idOf('c9'), canaryId, { name: '' })] }, 'checks[0].name: must not be empty'],
      [
        { checks: [check(idOf('c9'), canaryId, { last_runtime: 'noon' })] },
        'checks[0].last_runtime: must be a time such as',
      ],
      [
        { check_statuses: [run(checkId), run(checkId, { time: '9999-01-01T00:00:00Z' })] },
        'check_statuses[1].time: lies more than a day ahead',
      ],
      [{ check_statuses: [run(checkId, { duration: 3_000_000_000 })] }, 'does not fit its column'],
      [{ check_statuses: [run(checkId, { status: 'yes' })] }, 'check_statuses[0].status: '],
      [{ canaries: [canary(idOf('a9')), canary(idOf('A9'))] }, 'canaries[1].id: is in this batch twice'],
      [{ checks: 'all' }, 'checks: '],
      [[], 'body: '],
    ])('of garbage is refused whole, with the field: %j', async (sent, text) => {
      const stored = await storedOf(edge);
      const answer = await push(edge, sent);
      expect(answer.status).toBe(400);
      expect((await refusalOf(answer)).error).toContain(text);
      expect(await storedOf(edge)).toEqual(stored);
    });

    it('with tables that are not taken is refused with a sentence that says which are', async () => {
      const answer = await push(edge, { canaries: [canary(idOf('a8'))], view_panels: [{ id: idOf('1') }] });
      expect(answer.status).toBe(501);
      expect((await refusalOf(answer)).error).toContain('takes no view_panels of agents');
      expect(JSON.stringify(await storedOf(edge))).not.toContain(idOf('a8'));
      expect((await push(edge, { canaries: null, components: [] })).status).toBe(200);
      const gone = await ask(basic(edge), '/upstream/artifacts/x', { method: 'PUT' });
      expect(gone.status).toBe(501);
      expect((await refusalOf(gone)).error).toContain('canary/pull');
    });

    it('is removed by DELETE with the keys, from its own agent only', async () => {
      const remove = async (agent: TestAgent, body: object) =>
        (await ask(basic(agent), '/upstream/push', { method: 'DELETE', body: JSON.stringify(body) })).json();
      const keys = { canaries: [{ id: canaryId }], check_statuses: [{ check_id: checkId, time: RAN }] };
      expect(await remove(other, keys)).toEqual({ removed: { canaries: 0, check_statuses: 0 } });
      expect(await remove(edge, keys)).toEqual({ removed: { canaries: 1, check_statuses: 1 } });
      expect(await checkRow(checkId)).toMatchObject({ is_deleted: true });
      expect(await remove(edge, keys)).toEqual({ removed: { canaries: 0, check_statuses: 0 } });
    });

    it('that was on its way when its agent was deleted is refused', async () => {
      const gone = await makeAgent('edge-3');
      await server.db.run('update agents set deleted_at = now() where id = $1', [gone.id]);
      const late = {
        agentId: gone.id,
        batch: parsePush({ canaries: [canary(idOf('d1'))] }, Date.now()),
        at: new Date(),
      };
      await expect(storePush(server.db, late)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await storedOf(gone)).toEqual([]);
    });

    it('is bounded as it is unpacked, and unpacked for agents only', async () => {
      const bomb = gzipSync(`{"canaries":[]${' '.repeat(9 * 1024 * 1024)}}`);
      const send = (authorization: string | null, body: Buffer<ArrayBuffer>) =>
        ask(authorization, '/upstream/push', {
          method: 'POST',
          body,
          headers: { 'content-encoding': 'gzip' },
        });
      expect((await send(basic(edge), bomb)).status).toBe(413);
      expect((await send(null, bomb)).status).toBe(401);
      expect((await send(basic(edge), Buffer.from('no gzip'))).status).toBe(400);
    });
  });

  it('an agent fetches its canaries and scrapers with their secrets, and hears what was deleted', async () => {
    const spec = { http: [{ name: 'in', url: 'https://example.com', password: { value: 's3cret' } }] };
    await server.db.run(
      `insert into canaries (id, name, namespace, agent_id, source, spec)
       values ($1::uuid, 'given', 'default', $2::uuid, 'UI', $3::jsonb)`,
      [idOf('e1'), edge.id, JSON.stringify(spec)],
    );
    await server.db.run(
      `insert into config_scrapers (id, name, agent_id, source, spec) values ($1::uuid, 'files', $2::uuid, 'UI', '{}'::jsonb)`,
      [idOf('e2'), edge.id],
    );
    const shown = await server.db.text('select spec::text from canaries where id = $1::uuid', [idOf('e1')]);
    expect(shown).not.toContain('s3cret');
    const pull = async (agent: TestAgent, query = '') =>
      (await (await ask(basic(agent), `/upstream/canary/pull${query}`)).json()) as {
        before: string;
        canaries: { id: string; deleted_at: string | null }[];
      };
    const { before, canaries } = await pull(edge);
    expect(canaries).toMatchObject([{ id: idOf('e1'), agent_id: edge.id, spec, deleted_at: null }]);
    expect(canaries[0]).not.toHaveProperty('sealed');
    expect((await pull(other)).canaries).toEqual([]);
    const scrapers = await ask(basic(edge), '/upstream/scrapeconfig/pull');
    expect(await scrapers.json()).toMatchObject([{ id: idOf('e2'), name: 'files', source: 'UI' }]);

    await server.db.run('update canaries set deleted_at = now() where id = $1::uuid', [idOf('e1')]);
    expect((await pull(edge)).canaries).toEqual([]);
    const since = await pull(edge, `?since=${encodeURIComponent(before)}`);
    expect(since.canaries.map(({ id, deleted_at: at }) => [id, at !== null])).toEqual([[idOf('e1'), true]]);
    expect((await ask(basic(edge), '/upstream/canary/pull?since=noon')).status).toBe(400);
  });

  it('an agent of another make goes its round: ping, pulls, every table of the contract in one push, removals', async () => {
    const at = (digits: string) => idOf(`77${digits}`);
    const times = { created_at: RAN, updated_at: RAN };
    const link = { selector_id: 'x', ...times };
    const every = {
      topologies: [{ id: at('1'), name: 'shop', namespace: 'default', spec: {}, ...times }],
      config_scrapers: [{ id: at('2'), name: 'files', spec: {}, ...times }],
      canaries: [canary(at('3'), { name: 'round' })],
      config_items: [
        { id: at('4'), scraper_id: at('2'), name: 'host', type: 'Host', config_class: 'Host', ...times },
        {
          id: at('5'),
          scraper_id: at('2'),
          name: 'pod',
          type: 'Pod',
          config_class: 'Pod',
          parent_id: at('4'),
          path: at('4'),
          ...times,
        },
      ],
      components: [
        { id: at('6'), topology_id: at('1'), name: 'web', external_id: 'web', status: 'healthy', ...times },
        {
          id: at('7'),
          topology_id: at('1'),
          name: 'db',
          external_id: 'db',
          status: 'healthy',
          parent_id: at('6'),
          ...times,
        },
      ],
      checks: [check(at('8'), at('3'))],
      check_statuses: [run(at('8'))],
      config_relationships: [{ config_id: at('4'), related_id: at('5'), relation: 'RunsOn', ...link }],
      component_relationships: [{ component_id: at('7'), relationship_id: at('6'), ...link }],
      config_component_relationships: [{ component_id: at('6'), config_id: at('4'), ...link }],
      config_analysis: [
        {
          id: at('9'),
          config_id: at('4'),
          analyzer: 'a',
          analysis_type: 'security',
          severity: 'high',
          status: 'open',
          first_observed: RAN,
        },
      ],
      config_changes: [
        {
          id: at('a'),
          config_id: at('4'),
          external_change_id: 'c',
          change_type: 'diff',
          severity: 'info',
          ...times,
        },
      ],
      job_history: [
        { id: at('b'), name: 'Scrape', status: 'FAILED', time_start: RAN, time_end: RAN, created_at: RAN },
      ],
      artifacts: [
        {
          id: at('c'),
          check_id: at('8'),
          check_time: RAN,
          path: 'a.txt',
          filename: 'a.txt',
          size: 4,
          checksum: 'sum',
          content: Buffer.from('file').toString('base64'),
          ...times,
        },
      ],
      playbook_actions: [{ id: at('d'), name: 'unknown here', status: 'completed', result: {} }],
    };
    expect((await ask(basic(edge), '/upstream/ping')).status).toBe(200);
    for (const pull of [`canary/pull?since=${RAN}`, `scrapeconfig/pull?since=${RAN}`])
      expect((await ask(basic(edge), `/upstream/${pull}`)).status).toBe(200);
    expect((await ask(basic(edge), '/upstream/playbook-action?wait=0')).status).toBe(204);
    const counts = (one: (rows: number) => number, actions = 0) => ({
      ...Object.fromEntries(Object.entries(every).map(([table, rows]) => [table, one(rows.length)])),
      playbook_actions: actions,
    });
    const stored = await push(edge, every);
    expect(await stored.json()).toEqual({ stored: counts((rows) => rows) });
    expect(await (await push(edge, every)).json()).toEqual({ stored: counts(() => 0) });
    expect((await push(other, { artifacts: every.artifacts })).status).toBe(403);
    const { playbook_actions: _kept, ...removable } = every;
    const removed = await ask(basic(edge), '/upstream/push', {
      method: 'DELETE',
      body: JSON.stringify(removable),
    });
    expect(removed.status).toBe(200);
  });

  it('made-up tokens close their place to more of them, as Basic and as bearers; a right one still comes in', async () => {
    const [secret = '', ...rest] = edge.token.split('.');
    const madeUp = (number: number) => [String(number).padStart(secret.length, '0'), ...rest].join('.');
    const statuses = new Set<number>();
    // Fifty failures of any kind close a place (docs/security.md).
    for (let number = 1; number <= 52; number += 1) {
      const token = madeUp(number);
      const authorization = number % 2 === 0 ? basic({ token }) : `Bearer ${token}`;
      statuses.add((await ask(authorization, '/upstream/ping')).status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await ask(`Bearer ${edge.token}`, '/upstream/ping')).status).toBe(200);
  });
});
