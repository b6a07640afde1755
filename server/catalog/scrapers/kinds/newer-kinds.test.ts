/** Kinds that speak to services by their published interface, over a server of the test, through the real guard. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createServerGuard } from '../../../platform/egress/server-guard.ts';
import { startLocalServer } from '../testing/local-server.ts';
import type { Answered, Asked, LocalServer } from '../testing/local-server.ts';
import { scrapeSetting } from '../testing/scrape-setting.ts';
import { clickhouseKind } from './clickhouse/clickhouse-kind.ts';
import { gcpKind } from './gcp/gcp-kind.ts';
import { githubKind } from './github/github-kind.ts';
import { httpKind } from './http/http-kind.ts';
import { logsKind } from './logs/logs-kind.ts';
import { pathMatcher } from './services/path-pattern.ts';
import { slackKind } from './slack/slack-kind.ts';
import { sqlKind } from './sql/sql-kind.ts';
import { terraformKind } from './terraform/terraform-kind.ts';

const guard = createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null });
const context = scrapeSetting({ guard });
const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => context.expressions.close());

const serve = async (answer: (asked: Asked) => Answered): Promise<LocalServer> => {
  const server = await startLocalServer(answer);
  servers.push(server);
  return server;
};

test('gcp: assets of all pages, with their health, places and relations; start scripts are masked', async () => {
  const asset = (name: string, assetType: string, data: object) => ({
    name: `//compute.googleapis.com/projects/p/zones/europe-west1-b/${name}`,
    assetType,
    resource: {
      data,
      location: 'europe-west1-b',
      parent: '//cloudresourcemanager.googleapis.com/projects/1',
    },
  });
  const disk = 'https://www.googleapis.com/compute/v1/projects/p/zones/europe-west1-b/disks/d';
  const { url, asked } = await serve((question) => {
    if (question.url.pathname === '/token') return { body: { access_token: 'a-token' } };
    return question.url.searchParams.has('pageToken')
      ? {
          body: {
            assets: [asset('disks/d', 'compute.googleapis.com/Disk', { status: 'FAILED', sizeGb: '10' })],
          },
        }
      : {
          body: {
            assets: [
              asset('instances/i', 'compute.googleapis.com/Instance', {
                name: 'i',
                status: 'RUNNING',
                disks: [{ source: disk }],
                metadata: { items: [{ key: 'startup-script', value: 'export KEY=hush' }] },
              }),
              asset('x', 'securitycenter.googleapis.com/Finding', {}),
            ],
            nextPageToken: '2',
          },
        };
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'reader@p.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `${url}/token`,
  });
  const found = await gcpKind.scrape(
    { project: 'p', credentials, endpoint: url, exclude: ['Finding'] },
    context,
  );
  expect(found.documents.map(({ known }) => [known.type, known.name, known.health])).toEqual([
    ['GCP::Project', 'p', undefined],
    ['GCP::Compute::Instance', 'i', 'healthy'],
    ['GCP::Compute::Disk', 'd', 'unhealthy'],
  ]);
  expect(JSON.stringify(found)).not.toContain('hush');
  expect(found.documents[1]?.known.relationships?.[0]?.to.externalId).toBe(
    found.documents[2]?.known.externalIds?.[0],
  );
  expect(asked.at(-1)?.headers['authorization']).toBe('Bearer a-token');
});

test('clickhouse: rows, asked to read only', async () => {
  const { url, asked } = await serve(() => ({ body: { data: [{ id: 1 }, { id: 2 }] } }));
  const entry = { url, username: 'reader', password: 'p', query: 'select id from hosts;' };
  const found = await clickhouseKind.scrape(entry, context);
  expect(found.documents.map(({ content }) => content)).toEqual([{ id: 1 }, { id: 2 }]);
  expect(asked[0]).toMatchObject({
    body: 'select id from hosts',
    headers: { 'x-clickhouse-user': 'reader' },
  });
  expect(asked[0]?.url.searchParams.get('readonly')).toBe('2');
});

test('sql: a statement for SQL Server that might change something is refused before it is sent', async () => {
  const { url } = await serve(() => ({ body: '' }));
  const entry = { connection: url.replace('http', 'sqlserver'), query: 'select 1; drop table a' };
  await expect(sqlKind.scrape(entry, context)).rejects.toMatchObject({ code: 'invalid' });
});

test('slack: what a rule matches becomes changes of the items that it names', async () => {
  const { url, asked } = await serve((question) =>
    question.url.pathname.endsWith('conversations.list')
      ? {
          body: {
            ok: true,
            channels: [
              { id: 'C1', name: 'notification-a' },
              { id: 'C2', name: 'other' },
            ],
          },
        }
      : {
          body: {
            ok: true,
            messages: [
              { ts: '1787000000.1', text: 'name: web | severity: high', username: 'Notifier' },
              { ts: '1787000001.1', text: 'name: web | severity: high', username: 'somebody' },
              { ts: '1787000002.1', text: 'hello', username: 'Notifier' },
            ],
          },
        },
  );
  const entry = {
    token: 't',
    endpoint: url,
    channels: ['notification-*'],
    rules: [
      {
        regexp: String.raw`name: (?P<name>\w+) \| severity: (?P<severity>\w+)`,
        filter: { bot: 'Notifier' },
        config: [{ name: { expr: 'env.name' }, types: [{ value: 'Kubernetes::Pod' }] }],
        mapping: { type: 'Told' },
      },
    ],
  };
  const about = { type: 'Kubernetes::Pod', externalId: 'u', scope: 'any' } as const;
  const looked: unknown[] = [];
  const findItems = async (to: object) => (looked.push(to), [about]);
  const found = await slackKind.scrape(entry, { ...context, findItems });
  expect(looked).toEqual([{ scope: 'all', name: 'web', type: 'Kubernetes::Pod' }]);
  expect(found.changes).toMatchObject([{ about, changeType: 'Told', severity: 'high', source: 'slack' }]);
  expect(asked.filter(({ url: { pathname } }) => pathname.endsWith('history'))).toHaveLength(1);
});

test('logs: equal lines once, from the place that is named, without what the entry asks of it', async () => {
  const lines = [
    { atMs: 3000, message: 'again', labels: {} },
    { atMs: 1000, message: 'again', labels: {} },
  ];
  const asked: unknown[] = [];
  const readLogs = async (...given: unknown[]) => (
    asked.push(given[0], given[1]),
    { lines, isCut: false, notes: ['2 of 5 shards failed'] }
  );
  const entry = { loki: { url: 'http://x', query: '{job="app"}', limit: '50', start: '24h' } };
  const found = await logsKind.scrape(entry, { ...context, readLogs });
  expect(asked).toMatchObject([{ loki: { url: 'http://x', query: '{job="app"}' } }, { limit: 50 }]);
  expect(found.documents[0]?.content).toMatchObject({ logs: [{ message: 'again', count: 2 }] });
  expect(found.warnings).toEqual(['2 of 5 shards failed']);
});

test('terraform: a state without what it calls sensitive, related to what it made', async () => {
  const state = {
    version: 4,
    terraform_version: '1.9.0',
    serial: 3,
    outputs: { key: { value: 'hush', sensitive: true } },
    resources: [
      {
        mode: 'managed',
        type: 'aws_db_instance',
        name: 'db',
        instances: [
          {
            attributes: {
              arn: 'arn:aws:rds:x',
              user: 'u',
              pin: 'hush',
              deep: { code: 'hush' },
              password: 'hush',
            },
            sensitive_attributes: [
              [{ type: 'get_attr', value: 'pin' }],
              [
                { type: 'get_attr', value: 'deep' },
                { type: 'get_attr', value: 'code' },
              ],
            ],
            private: 'hush',
          },
        ],
      },
    ],
  };
  const { url } = await serve(() => ({ body: JSON.stringify(state) }));
  const found = await terraformKind.scrape({ state: { url: `${url}/prod.tfstate` } }, context);
  expect(found.errors).toEqual([]);
  expect(found.documents[0]?.known).toMatchObject({
    type: 'Terraform::State',
    name: 'prod.tfstate',
    health: 'healthy',
    relationships: [{ to: { externalId: 'arn:aws:rds:x', scope: 'all' } }],
  });
  expect(JSON.stringify(found)).not.toContain('hush');
});

const statesOf = (output: Awaited<ReturnType<typeof terraformKind.scrape>>) =>
  output.documents.map(({ source, known }) => [source, known?.name]);
const smallState = JSON.stringify({ version: 4, terraform_version: '1.9.0', serial: 1, resources: [] });

test.each([
  ['**', 'a/b.tfstate', true],
  ['prod/*', 'prod/b.tfstate', true],
  ['prod/*', 'prod/c/b.tfstate', false],
  ['prod/**/b.*', 'prod/b.tfstate', true],
  ['prod/**/b.*', 'prod/c/d/b.tfstate', true],
  ['prod/**/b.*', 'prod/cb.tfstate', false],
  ['env-?/*.tfstate', 'env-1/x.tfstate', true],
  ['env-?/*.tfstate', 'env-12/x.tfstate', false],
  [`${'*a'.repeat(60)}b`, 'a'.repeat(500), false],
])('a path pattern %s and %s', (pattern, path, isMeant) => {
  expect(pathMatcher(pattern)(path)).toBe(isMeant);
});

test('terraform: states of a bucket on S3, by a path with a wildcard and one by one, signed', async () => {
  const { url, asked } = await serve(({ url: { searchParams, pathname } }) => {
    if (!searchParams.has('list-type')) return { body: smallState };
    expect([pathname, searchParams.get('prefix')]).toEqual(['/states/', 'prod/']);
    const keys = ['a.tfstate', 'notes.txt', 'b.tfstate', 'old/a.tfstate', 'large.tfstate'];
    const sizeOf = (key: string) => (key.startsWith('large') ? 40 * 1024 ** 2 : 10);
    const contents = keys
      .map((key) => `<Contents><Key>prod/${key}</Key><Size>${sizeOf(key)}</Size></Contents>`)
      .join('');
    return {
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`,
    };
  });
  const s3 = {
    bucket: 'states',
    endpoint: url,
    region: 'eu-west-1',
    usePathStyle: true,
    accessKey: { value: 'AKIA' },
    secretKey: { value: 'a-secret' },
  };
  const literal = { ...context, secret: async () => 'AKIA' };
  const all = await terraformKind.scrape({ state: { s3: { ...s3, objectPath: 'prod/*' } } }, literal);
  // What is there and not read is not gone.
  expect([all.errors, all.isComplete]).toEqual([
    ['state: prod/large.tfstate is larger than 32 MB and is not read'],
    false,
  ]);
  expect(statesOf(all)).toEqual([
    ['s3://states/prod/a.tfstate', 'a.tfstate'],
    ['s3://states/prod/b.tfstate', 'b.tfstate'],
  ]);
  const one = await terraformKind.scrape({ state: { s3: { ...s3, objectPath: 'x.tfstate' } } }, literal);
  expect(statesOf(one)).toEqual([['s3://states/x.tfstate', 'x.tfstate']]);
  for (const { headers } of asked)
    expect(headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA/);
});

test('terraform: states of a bucket on Google Cloud Storage, with a token for its service account', async () => {
  const { url, asked } = await serve(({ url: { pathname, searchParams } }) => {
    if (pathname === '/token') return { body: { access_token: 'a-token' } };
    if (searchParams.get('alt') === 'media') return { body: smallState };
    expect([pathname, searchParams.get('prefix')]).toEqual(['/storage/v1/b/states/o', 'prod/']);
    if (!searchParams.has('pageToken'))
      return { body: { items: [{ name: 'prod/readme.md' }], nextPageToken: 'two' } };
    const many = Array.from({ length: count }, (_, at) => ({ name: `prod/${at}.tfstate`, size: '10' }));
    return { body: { items: [...many, { name: 'prod/old/a.tfstate' }] } };
  });
  let count = 1;
  const credentials = JSON.stringify({
    type: 'service_account',
    client_email: 'reader@p.iam.gserviceaccount.com',
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
    token_uri: `${url}/token`,
  });
  const gcs = { bucket: 'states', endpoint: url, objectPath: 'prod/*', credentials: { value: credentials } };
  const read = () =>
    terraformKind.scrape({ state: { gcs } }, { ...context, secret: async () => credentials });
  const found = await read();
  expect(found.errors).toEqual([]);
  expect(statesOf(found)).toEqual([['gs://states/prod/0.tfstate', '0.tfstate']]);
  count = 201;
  const cut = await read();
  expect([cut.documents.length, cut.isComplete]).toEqual([200, false]);
  expect(cut.errors).toEqual([expect.stringContaining('finds more than 200 states')]);
  expect(asked.at(-1)?.headers['authorization']).toBe('Bearer a-token');
});

test('http: pages until the expression says there is no more, never elsewhere', async () => {
  const { url } = await serve((question) => {
    const page = Number(question.url.searchParams.get('page') ?? 1);
    return { body: { value: [{ id: page }], next: page < 3 ? `/hosts?page=${page + 1}` : '' } };
  });
  const pagination = { nextPageExpr: 'response.body.next' };
  const found = await httpKind.scrape({ url: `${url}/hosts`, pagination }, context);
  expect(found.documents.map(({ content }) => content)).toEqual([[{ id: 1 }, { id: 2 }, { id: 3 }]]);
  const few = await httpKind.scrape(
    { url: `${url}/hosts`, pagination: { ...pagination, maxPages: 2 } },
    context,
  );
  expect([few.isComplete, few.errors.length]).toEqual([false, 1]);
  const away = { nextPageExpr: '"http://elsewhere.example/"' };
  await expect(httpKind.scrape({ url, pagination: away }, context)).rejects.toMatchObject({
    code: 'invalid',
  });
});

test('github: repositories by selector, with open alerts once a rule; what is off is told', async () => {
  const repository = (name: string, more: object = {}) => ({
    name,
    full_name: `acme/${name}`,
    html_url: `https://github.com/acme/${name}`,
    topics: ['shop'],
    ...more,
  });
  let isEndless = false;
  const { url } = await serve(({ url: { pathname, searchParams } }) => {
    if (pathname.endsWith('/users/acme/repos') && isEndless)
      return { body: Array.from({ length: 100 }, (_, at) => repository(`r${at}`)) };
    if (pathname.endsWith('/users/acme/repos'))
      return {
        body: [repository('a'), repository('b', { topics: ['old'] }), repository('c', { archived: true })],
      };
    if (pathname.endsWith('/dependabot/alerts'))
      return {
        headers: searchParams.has('after')
          ? {}
          : { link: '<https://elsewhere.example/alerts?per_page=100&after=x>; rel="next"' },
        body: [1, 2].map((number) => ({
          html_url: `https://x/${number}`,
          dependency: { package: { name: 'left-pad' } },
          security_advisory: { ghsa_id: 'GHSA-1', severity: 'high', summary: 'pads too much' },
        })),
      };
    return { status: 404, body: {} };
  });
  const connection = async () => ({
    type: 'github',
    url: `${url}/api/v3`,
    username: '',
    password: 't',
    certificate: '',
    insecureTls: false,
    properties: {},
  });
  const entry = {
    connection: 'c',
    repositories: [{ owner: 'acme', repo: '*', topics: ['shop'] }],
    security: true,
  };
  const found = await githubKind.scrape(entry, { ...context, connection });
  expect(found.errors).toEqual([]);
  expect(found.documents.map(({ known }) => known.name)).toEqual(['acme/a']);
  expect(found.documents[0]?.known.analyses).toMatchObject([
    { analyzer: 'Dependabot: GHSA-1 left-pad', severity: 'high', summary: 'pads too much (4 places)' },
  ]);
  expect(found.warnings).toHaveLength(2);
  isEndless = true;
  const many = await githubKind.scrape({ ...entry, security: false }, { ...context, connection });
  expect(many.isComplete).toBe(false);
  expect(many.errors).toEqual([expect.stringContaining('more than 2000 repositories')]);
});
