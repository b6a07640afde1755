/**
 * A secret reaches only hosts that it was granted to, whoever of those without the right on connections writes what:
 * every field of every kind gets a reference in turn, everything is run, and a listener that was granted nothing,
 * every table and the log are looked through. The service that was granted the secrets answers with what it was sent.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createLeases } from '../../../server/platform/jobs/leases.ts';
import { createCheckService } from '../../../server/health/create-check-service.ts';
import { CHECK_KINDS } from '../../../server/health/kinds/all-kinds.ts';
import { createRedactor } from '../../../server/platform/crypto/redact.ts';
import { createChangeNotifier } from '../../../server/platform/jobs/change-notifier.ts';
import type { CheckService } from '../../../server/health/check-service.ts';
import type { Database } from '../../../server/platform/db/database.ts';
import { openMigratedDatabase } from '../../../server/platform/db/test-databases.ts';
import { createEventParts } from '../../../server/app/event-parts.ts';
import { createLogger } from '../../../server/platform/logger.ts';
import { nodePlatform } from '../../../server/platform/platform.ts';
import {
  seedIncident,
  seedResponder,
} from '../../../server/incidents/responders/testing/responder-setting.ts';
import { parseSettings } from '../../../server/platform/settings/settings.ts';
import { LOG_BACKENDS } from '../../../src/contract/specs/log-backend-spec.ts';
import { SCRAPER_KINDS } from '../../../src/contract/specs/scraper-spec.ts';
import { teamSpecSchema } from '../../../src/contract/specs/team-spec.ts';
import { drawing, drawnFirst } from '../support/drawing.ts';
import { listen } from '../support/echo-listener.ts';
import type { Heard } from '../support/echo-listener.ts';
import { actionPlaces, performPlace } from '../support/action-places.ts';
import { markedPlaces } from '../support/marked-specs.ts';
import { allRelations } from '../support/relations-query.ts';
import { severalAtOnce } from '../support/several-at-once.ts';
import { signInAs } from '../support/signed-in.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startTestServer } from '../support/test-server.ts';
import type { TestServer } from '../support/test-server.ts';

const NEVER = '@never';
/** Kinds of checks that sign in nowhere. */
const WITHOUT_URL = new Set([
  'tcp',
  'dns',
  'icmp',
  'exec',
  'folder',
  'certificate',
  'ssh',
  'ntp',
  'grpc',
  'docker',
  'dynatrace',
  'kubernetes',
  'kubernetesResource',
  'pod',
  'namespace',
  'junit',
  'catalog',
  'webhook',
  'databaseBackup',
  'pubsub',
  'restic',
]);
const ANSWERED = { prefer: 'return=representation' };
/** Of a connection, of a mounted secret, of one that was granted, of a config map. */
const SECRETS = {
  connection: 'c0nnEction-k9Zq+/7&hu5hmark',
  vault: 'v4ult-q8Xw+/3&hu5hmark',
  open: 'op3n-w5Rt+/1&hu5hmark',
  settings: 'sett1ngs-p2Lm+/9&hu5hmark',
};
const valueFrom = (kind: 'secretKeyRef' | 'configMapKeyRef', name: string) => ({
  valueFrom: { [kind]: { name, key: 'key' } },
});

async function idOf(answer: Response): Promise<string> {
  const rows = (await answer.json()) as { id: string }[];
  return rows[0]?.id ?? '';
}

const detector = createRedactor();
for (const secret of Object.values(SECRETS)) detector.note(secret);
/** Whether a text holds one of them in any form that is known. */
const holds = (text: string): boolean => detector.text(text) !== text || text.includes('hu5hmark');

describe('references to secrets, written by an editor', () => {
  let db: Database;
  let folder: string;
  let server: TestServer;
  let checks: CheckService;
  let granted: Heard;
  let listener: Heard;
  let editor: SignedIn;
  let admin: SignedIn;
  const logged: string[] = [];
  const logger = createLogger(
    'trace',
    new Writable({ write: (chunk: Buffer, _encoding, done) => (logged.push(chunk.toString()), done()) }),
  );

  const mount = async (path: string, text: string) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  };

  beforeAll(async () => {
    db = await openMigratedDatabase('postgres');
    folder = await mkdtemp(join(tmpdir(), 'holdfast-granted-'));
    listener = await listen();
    granted = await listen(`${listener.url}/redirected`);
    await mount('secrets/vault/key', SECRETS.vault);
    await mount('secrets/open/key', SECRETS.open);
    await mount('secrets/open/allowed-hosts', `# the service\n${granted.url}\n`);
    await mount('configmaps/settings/key', SECRETS.settings);
    server = await startTestServer(db, {
      logger,
      dataDir: folder,
      egressAllow: ['loopback'],
      playbooks: { isExecAllowed: true },
    });
    editor = await signInAs(server, 'editor');
    admin = await signInAs(server, 'admin');
    const answer = await admin.browser.post('/api/db/connections', {
      name: 'prod',
      type: 'http',
      url: `${granted.url}/base`,
      username: 'me',
      password: SECRETS.connection,
    });
    expect(answer.status).toBe(201);
    // From here on everything that is called with it opens it.
    await vi.waitFor(
      async () => expect(await db.text('select bool_and(is_sealed)::text from spec_secrets')).toBe('true'),
      { timeout: 60_000 },
    );
    const settings = parseSettings({ DATA_DIR: folder, EGRESS_ALLOW: 'loopback' }, []);
    const notifier = createChangeNotifier(nodePlatform);
    checks = createCheckService({
      ...server.backend.outside,
      db,
      notifier,
      leases: createLeases({ db, platform: nodePlatform, logger, isAlone: true }),
      settings,
      logger,
      platform: nodePlatform,
      url: server.url,
    });
    await checks.start();
  });
  afterAll(async () => {
    await checks.stop(5000);
    await server.stop();
    granted.server.close();
    listener.server.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What is put into each place: every way to name a secret, and the address of whoever wants it. */
  const marks = (): unknown[] => [
    'connection://default/prod/password',
    'connection://default/prod',
    'secret://vault/key',
    'secret://default/vault/key',
    'configmap://settings/key',
    valueFrom('secretKeyRef', 'vault'),
    valueFrom('configMapKeyRef', 'settings'),
    `${listener.url}/taken`,
    `${granted.url}/away`,
    '$(password)',
    '$(open)',
  ];
  /** What stands beside it: an address of a stranger, or a secret that goes to its own host. */
  const bases = (): object[] => [
    { url: `${listener.url}/x` },
    { connection: 'connection://default/prod' },
    { connection: 'prod', url: `${granted.url}/away` },
    {
      url: `${granted.url}/open?$(open)`,
      body: '$(open)',
      env: [{ name: 'open', ...valueFrom('secretKeyRef', 'open') }],
      headers: [{ name: 'x-open', ...valueFrom('secretKeyRef', 'open') }],
    },
  ];
  const scraperBase = { id: '$.id', type: 'Echo', clusterName: 'c', query: 'select 1', script: 'true' };
  const KUBECONFIG = () =>
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: listener.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 't' } }],
    });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const GOOGLE_KEY = () =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'a@b.example',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${listener.url}/token`,
    });
  const ofKind: Record<string, () => object> = {
    aws: () => ({ accessKey: 'a', secretKey: 'b', endpoint: listener.url, region: ['us-east-1'] }),
    azure: () => ({ subscriptionID: 's', clientID: 'c', clientSecret: 's', tenantID: 't' }),
    githubActions: () => ({ owner: 'o', repository: 'r' }),
    azureDevops: () => ({ organization: 'o', projects: ['*'], pipelines: ['*'] }),
    kubernetes: () => ({ kubeconfig: KUBECONFIG() }),
    kubernetesFile: () => ({
      kubeconfig: KUBECONFIG(),
      selector: { kind: 'Pod' },
      files: [{ path: ['/x'] }],
    }),
    gcp: () => ({ project: 'p', credentials: GOOGLE_KEY(), endpoint: listener.url }),
    terraform: () => ({ state: { url: `${listener.url}/x.tfstate` } }),
    slack: () => ({ token: 't', endpoint: listener.url, rules: [{ regexp: 'x' }] }),
    github: () => ({ repositories: [{ owner: 'o', repo: 'r' }], scorecardURL: listener.url, openssf: true }),
    clickhouse: () => ({ url: listener.url }),
    logs: () => ({ loki: { url: listener.url, query: '{a="b"}' } }),
    postgres: () => ({ connection: `postgres://u:$(password)@${listener.url.slice(7)}/x` }),
    sql: () => ({ connection: `postgres://u:$(password)@${listener.url.slice(7)}/x` }),
    tcp: () => ({ endpoint: listener.url.slice(7) }),
    dns: () => ({ query: 'localhost', server: '127.0.0.1', port: 1, timeout: 1 }),
    icmp: () => ({ endpoint: '127.0.0.1' }),
    exec: () => ({ script: 'true' }),
  };

  const POD = { kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const SOON = { deadline: 2000, readyTimeout: 0, scheduleTimeout: 0, httpTimeout: 0, deleteTimeout: 0 };

  /** Of checks that have no url, or the name of a scraper; all are led to whoever wants to hear secrets. */
  const ofCheck: Record<string, () => object> = {
    elasticsearch: () => ({ query: '*' }),
    docker: () => ({ image: `${listener.url.slice(7)}/team/app:1` }),
    dynatrace: () => ({ scheme: 'http', host: listener.url.slice(7), apiKey: 'k' }),
    kubernetes: () => ({ kubeconfig: KUBECONFIG(), kind: 'Pod' }),
    kubernetesResource: () => ({
      kubeconfig: KUBECONFIG(),
      resources: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }],
      waitFor: { timeout: '0s', interval: '1s' },
      checkRetries: { timeout: '0s' },
    }),
    pod: () => ({ kubeconfig: KUBECONFIG(), spec: POD, ...SOON }),
    namespace: () => ({ kubeconfig: KUBECONFIG(), podSpec: POD, namespaceNamePrefix: 'a-', ...SOON }),
    junit: () => ({ kubeconfig: KUBECONFIG(), testResults: '/r', spec: POD.spec, timeout: 1 }),
    catalog: () => ({ selector: [{ name: 'a' }] }),
    webhook: () => ({ token: 't' }),
    databaseBackup: () => ({
      gcp: { project: 'p', instance: 'i', gcpConnection: { endpoint: listener.url, credentials: 't' } },
    }),
    pubsub: () => ({
      pubsub: { project_id: 'p', subscription: 's' },
      endpoint: listener.url,
      credentials: 't',
    }),
    restic: () => ({ repository: `rest:${listener.url}/`, password: 'p' }),
    ntp: () => ({ endpoint: '127.0.0.1:1', timeout: 1 }),
    grpc: () => ({ endpoint: listener.url.slice(7), plaintext: true, timeout: 1 }),
    helm: () => ({ chart: 'shop' }),
    github: () => ({ query: 'is:open' }),
    azureDevops: () => ({ organization: 'o', project: 'p', pipeline: 'x' }),
    gitProtocol: () => ({ repository: `${listener.url}/x` }),
    folder: () => ({
      path: 's3://b',
      awsConnection: { accessKey: 'a', secretKey: 'b', endpoint: listener.url, region: 'us-east-1' },
    }),
  };

  /** Specifications for each place of the schema that takes a text, those that can be read. */
  function specsOf(
    { kind, needs }: { kind: string; needs: (() => object) | undefined },
    schema: z.ZodType,
    draw: () => number,
  ): unknown[] {
    const given = marks();
    const takers = [`${listener.url}/taken`, `${granted.url}/away`];
    return markedPlaces(schema).flatMap((make, index) => {
      const drawn = [{ base: bases()[draw() % bases().length], mark: given[draw() % given.length] }];
      // Each field of those that send most also leads a secret of the granted host elsewhere.
      const led = bases().slice(1);
      const fixed = kind === 'http' ? takers.flatMap((mark) => led.map((base) => ({ base, mark }))) : [];
      return [...drawn, ...fixed].flatMap(({ base, mark }) => {
        const under = WITHOUT_URL.has(kind) ? {} : base;
        const spec = make({ ...under, ...needs?.(), name: `n${index}` }, mark);
        return schema.safeParse(spec).success ? [spec] : [];
      });
    });
  }
  async function stored({ name, spec }: { name: string; spec: object }): Promise<string> {
    const [row] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into config_scrapers (name, source, spec) values ($1, 'UI', $2::jsonb) returning id`,
      [name, JSON.stringify(spec)],
    );
    return row?.id ?? '';
  }

  async function scrapeAll(seed: number): Promise<void> {
    const draw = drawing(seed);
    const scrapers = Object.entries(SCRAPER_KINDS).map(([kind, schema]) => ({
      kind,
      entries: specsOf({ kind, needs: ofKind[kind] }, schema, draw).map((entry) =>
        Object.assign({}, scraperBase, entry),
      ),
    }));
    await severalAtOnce(scrapers, async ({ kind, entries }) => {
      const body = {
        name: `${kind}-${seed}`,
        source: 'UI',
        spec: { schedule: NEVER, full: true, [kind]: entries },
      };
      const made = await editor.browser.post('/api/db/config_scrapers', body, ANSWERED);
      expect([kind, [201, 400, 504].includes(made.status), made.status]).toEqual([kind, true, made.status]);
      // What the form's way in refuses may have come in by another one: it is run as well.
      const id = made.status === 201 ? await idOf(made) : await stored(body);
      expect((await editor.browser.post(`/api/config/run/${id}`)).status).toBeLessThan(500);
    });
  }

  async function checkAll(seed: number): Promise<void> {
    const draw = drawing(seed);
    let canaries = 0;
    for (const { key: kind, schema, isSingle = false } of CHECK_KINDS) {
      const entries = specsOf({ kind, needs: ofCheck[kind] ?? ofKind[kind] }, schema, draw).map(
        (entry, index) => Object.assign({}, entry, { name: `${kind}-${index}`, dependsOn: [] }),
      );
      // As many as a person's file has at most; all at once take longer than one statement may.
      const atOnce = isSingle ? 1 : 50;
      for (let from = 0; from < entries.length; from += atOnce) {
        const body = {
          name: `${kind}-${from}-${seed}`,
          namespace: 'default',
          spec: { schedule: NEVER, [kind]: isSingle ? entries[from] : entries.slice(from, from + atOnce) },
        };
        const made = await editor.browser.post('/api/db/canaries', body);
        expect([kind, made.status]).toEqual([kind, 201]);
        canaries += 1;
      }
    }
    const saved = () =>
      db.rows(
        z.custom<{ id: string; canary: string }>(),
        `select checks.id, canary_id as canary from checks join canaries on canaries.id = canary_id
          where canaries.name like $1`,
        [`%-${seed}`],
      );
    await expect
      .poll(async () => new Set((await saved()).map(({ canary }) => canary)).size, { timeout: 60_000 })
      .toBe(canaries);
    const known = await saved();
    expect(known.length).toBeGreaterThan(100);
    await severalAtOnce(known, async ({ id }) => expect(await checks.runCheckNow(id)).not.toBe('unknown'));
  }

  async function storedTeam(row: { name: string; created_by: string; spec: object }): Promise<string> {
    const [team] = await db.rows(
      z.custom<{ id: string }>(),
      `insert into teams (name, created_by, spec) values ($1, $2, $3::jsonb) returning id`,
      [row.name, row.created_by, JSON.stringify(row.spec)],
    );
    return team?.id ?? '';
  }

  async function callAll(seed: number): Promise<void> {
    const draw = drawing(seed);
    const world = await seedIncident(db, `incident ${seed}`);
    const specs = markedPlaces(teamSpecSchema.pick({ responder_clients: true })).map((make) => {
      const client = { statusUrl: '', ...bases()[draw() % 3] };
      const clients = Object.fromEntries(
        ['jira', 'service_now', 'webhook', 'ca'].map((name) => [name, client]),
      );
      return make({ responder_clients: clients }, marks()[draw() % marks().length]);
    });
    for (const [index, spec] of specs.entries()) {
      const row = { name: `team ${seed} ${index}`, created_by: editor.id, spec: spec as object };
      const made = await editor.browser.post('/api/db/teams', row, ANSWERED);
      expect([201, 400]).toContain(made.status);
      // A reference where only a text may stand is refused; another way in may have brought it.
      const id = made.status === 201 ? await idOf(made) : await storedTeam(row);
      for (const responderType of ['jira', 'webhook', 'service_now'])
        await seedResponder(db, world, {
          team: id,
          properties: { responderType, project: 'P', issueType: '1' },
        });
    }
    const events = createEventParts({
      db,
      notifier: server.notifier,
      platform: nodePlatform,
      logger,
      leases: createLeases({ db, platform: nodePlatform, logger }),
      settings: { smtpUrl: null, isDemo: false },
      outside: server.backend.outside,
      mailbox: { isFile: true, send: () => Promise.reject(new Error('no mail')) },
      publicUrl: () => server.url,
    });
    while ((await events.settle(new AbortController().signal)) > 0);
  }

  /** Of the places of logs, beside what stands in all. */
  const ofLogs: Record<string, () => object> = {
    ...ofKind,
    file: () => ({ paths: ['*.log'] }),
    sql: () => ({ ...ofKind['sql']?.(), query: 'select 1' }),
    elasticsearch: () => ({ index: 'x' }),
    opensearch: () => ({ index: 'x' }),
    kubernetes: () => ({ kubeconfig: KUBECONFIG(), namespace: 'a' }),
    cloudwatch: () => ({ accessKey: 'a', secretKey: 'b', endpoint: listener.url, logGroup: 'g' }),
  };

  /** Each is tried when it was written; then all of them are asked for a component's lines. */
  async function readAll(seed: number): Promise<void> {
    const draw = drawing(seed);
    const backends = Object.entries(LOG_BACKENDS).flatMap(([kind, schema]) => {
      const isKnown = ([name]: [string, unknown]) => Object.hasOwn(schema.shape, name);
      return markedPlaces(schema).flatMap((make, index) => {
        const base = { ...bases()[draw() % bases().length], ...ofLogs[kind]?.() };
        const known = Object.fromEntries(Object.entries(base).filter(isKnown));
        const written = drawnFirst(marks(), draw()).map((mark) => make(known, mark));
        const spec = written.find((one) => schema.safeParse(one).success);
        return spec === undefined ? [] : [{ kind, name: `${kind} ${index} ${seed}`, spec }];
      });
    });
    expect(new Set(backends.map(({ kind }) => kind))).toEqual(new Set(Object.keys(LOG_BACKENDS)));
    await severalAtOnce(backends, async ({ kind, name, spec: place }) => {
      const spec = { [kind]: place };
      const made = await editor.browser.post(
        '/api/db/logging_backends',
        { name, source: 'UI', spec },
        ANSWERED,
      );
      expect([kind, [201, 400].includes(made.status)]).toEqual([kind, true]);
      const tested = made.status === 201 ? { id: await idOf(made) } : { spec, author: 'user' as const };
      const said = await server.backend.logs.test(tested, AbortSignal.timeout(60_000)).catch(String);
      expect([kind, holds(said)]).toEqual([kind, false]);
    });
    const id = nodePlatform.newId();
    await db.run(
      `insert into components (id, name, external_id, type, status, log_selectors)
       values ($1, 'logged', 'logged', 'Service', 'healthy', '[{"name": "app", "labels": {"app": "x"}}]')`,
      [id],
    );
    const read = await editor.browser.post('/api/logs', { id, name: 'app' });
    expect(holds(await read.text())).toBe(false);
  }

  async function performAll(seed: number): Promise<void> {
    const env = ['open', 'vault'].map((name) => [{ name, ...valueFrom('secretKeyRef', name) }]).concat([[]]);
    const given = [...marks(), '{{.env.open}}', `${listener.url}/{{.env.vault}}`];
    const places = { marks: given, bases: bases(), stranger: listener.url, env };
    await severalAtOnce(actionPlaces(places, drawing(seed)), async (place) => {
      const kept = await performPlace(server.backend.playbooks, place);
      expect([place.spec, holds(kept) && kept]).toEqual([place.spec, false]);
    });
  }

  async function expectNothingLeaked(): Promise<void> {
    expect(listener.all.filter(holds)).toEqual([]);
    expect(logged.filter(holds)).toEqual([]);
    const found: string[] = [];
    for (const name of await allRelations(db)) {
      // Where the connection's own password is kept; no client reads it.
      if (name.startsWith('rpc/') || name === 'spec_secrets') continue;
      const rows = await db.rows(
        z.custom<{ row: string }>(),
        `select to_jsonb(t)::text as row from "${name}" t limit 20000`,
      );
      found.push(...rows.filter(({ row }) => holds(row)).map(({ row }) => `${name}: ${row.slice(0, 300)}`));
    }
    expect(found).toEqual([]);
  }

  it(
    'reach nobody but the host that they were granted to, and are stored nowhere',
    { timeout: 600_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
          await scrapeAll(seed);
          await checkAll(seed);
          await callAll(seed);
          await readAll(seed);
          await performAll(seed);
          await expectNothingLeaked();
        }),
        { numRuns: 1, endOnFailure: true },
      );
      // What was granted did arrive: the test would see nothing otherwise.
      const heard = granted.all.join('\n');
      expect(heard).toContain(Buffer.from(`me:${SECRETS.connection}`).toString('base64'));
      expect(heard).toContain(SECRETS.open);
      expect(heard).not.toContain(SECRETS.vault);
      expect(listener.all.length).toBeGreaterThan(10);
    },
  );
});
