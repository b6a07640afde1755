/** What other programs' files become: each check is one that the server takes, and what is left out is said. */
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import fastGlob from 'fast-glob';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { canaryProblems } from '../../server/health/documents/canary-problems.ts';
import { readFile } from '../../src/features/settings/checks/read-file.ts';
import { readImport, type ReadImport } from '../../src/domain/import/read-import.ts';

function read(...documents: unknown[]): ReadImport {
  const found = readImport(documents);
  if (found === null) throw new Error('not read');
  return found;
}
const refusedOf = ({ entries }: ReadImport) =>
  entries.flatMap(({ name, spec, labels }) => (spec === null ? [] : canaryProblems({ name, spec, labels })));

const monitor = (over: object) => ({ name: 'm', type: 'http', interval: 60, active: true, ...over });
const KUMA = {
  version: '1.23.11',
  notificationList: [],
  monitorList: [
    monitor({
      name: 'Shop',
      url: 'https://shop.example.com',
      method: 'POST',
      body: '{}',
      headers: '{"X-Team": "blue"}',
      accepted_statuscodes: ['200-204', '301'],
      maxredirects: 10,
      timeout: 48,
      expiryNotification: true,
      authMethod: 'basic',
      basic_auth_user: 'ada',
      basic_auth_pass: 'secret',
      tags: [{ name: 'team', value: 'blue', color: '#4B5563' }],
    }),
    monitor({ name: 'Says hello', type: 'keyword', url: 'https://a.example.com', keyword: 'hello "you"' }),
    monitor({
      name: 'No errors',
      type: 'keyword',
      url: 'https://a.example.com',
      keyword: 'error',
      invertKeyword: true,
    }),
    monitor({
      name: 'Up',
      type: 'json-query',
      url: 'https://a.example.com',
      jsonPath: 'status.state',
      expectedValue: 'UP',
    }),
    monitor({ name: 'Database', type: 'port', hostname: 'db.example.com', port: 5432, active: false }),
    monitor({ name: 'Gateway', type: 'ping', hostname: '10.0.0.1' }),
    monitor({
      name: 'Name',
      type: 'dns',
      hostname: 'example.com',
      dns_resolve_server: '1.1.1.1',
      dns_resolve_type: 'MX',
      port: 5353,
    }),
    monitor({ name: 'Cache', type: 'redis', databaseConnectionString: 'redis://cache.example.com:6379' }),
    monitor({ name: 'Cron', type: 'push', pushToken: 'abc' }),
    monitor({ name: 'Game', type: 'steam', hostname: 'game.example.com', port: 27015 }),
    monitor({ name: 'Shop', url: 'https://shop2.example.com' }),
    monitor({ name: 'Closed', type: 'port', hostname: 'db.example.com', port: 23, upsideDown: true }),
    monitor({
      name: 'Rich',
      url: 'https://a.example.com',
      description: 'what customers see',
      accepted_statuscodes: ['200-299', '300-399', '401', 'ok'],
      maxretries: 3,
      notificationIDList: { '1': true },
    }),
  ],
};

const GATUS = `
endpoints:
  - name: front
    group: shop
    url: https://shop.example.com/health
    interval: 30s
    headers: { Host: shop }
    client: { timeout: 10s, insecure: true }
    conditions:
      - "[STATUS] == any(200, 204)"
      - "[RESPONSE_TIME] < 300"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[BODY].status == UP"
      - "len([BODY].items) > 3"
  - name: dns
    url: 8.8.8.8
    dns: { query-name: example.com, query-type: A }
    conditions: ["[DNS_RCODE] == NOERROR", "[BODY] == 93.184.216.34"]
  - { name: db, url: "tcp://db.example.com:5432", conditions: ["[CONNECTED] == true"] }
  - { name: mail, url: "starttls://smtp.example.com:587", conditions: ["[CONNECTED] == true"] }
  - { name: cert, url: "tls://example.com:443", conditions: ["[CERTIFICATE_EXPIRATION] > 240h"] }
  - { name: gateway, url: "icmp://10.0.0.1", enabled: false }
  - { name: live, url: "wss://prices.example.com/feed", body: hi, conditions: ["[CONNECTED] == true"] }
  - { name: strange, url: "sctp://x:1" }
`;

const PROMETHEUS = `
global: { scrape_interval: 30s }
scrape_configs:
  - job_name: node
    static_configs: [{ targets: ['localhost:9100'] }]
  - job_name: blackbox
    metrics_path: /probe
    params: { module: [http_2xx] }
    static_configs: [{ targets: ['https://example.com', 'shop.example.com'], labels: { team: blue } }]
  - job_name: ports
    metrics_path: /probe
    scrape_interval: 1m
    params: { module: [tcp_connect] }
    static_configs: [{ targets: ['db.example.com:5432', 'no-port'] }]
  - job_name: elsewhere
    metrics_path: /probe
    params: { module: [own_module] }
    static_configs: [{ targets: ['gateway'] }]
    file_sd_configs: [{ files: ['targets/*.json'] }]
`;

describe('a backup of Uptime Kuma', () => {
  const found = read(KUMA);
  const of = (name: string) => found.entries.find((entry) => entry.name === name);

  test('its monitors are checks that the server takes', () => {
    expect(found.format).toBe('uptime-kuma');
    expect(refusedOf(found)).toEqual([]);
    expect(of('Shop')).toMatchObject({
      labels: { team: 'blue' },
      notes: [],
      spec: {
        schedule: '@every 60s',
        http: [
          {
            name: 'Shop',
            url: 'https://shop.example.com',
            method: 'POST',
            responseCodes: [200, 201, 202, 203, 204, 301],
            maxRedirects: 10,
            timeout: 48_000,
            maxSSLExpiry: 7,
            username: { value: 'ada' },
            headers: [
              { name: 'X-Team', value: 'blue' },
              { name: 'Content-Type', value: 'application/json' },
            ],
          },
        ],
      },
    });
    expect(of('Says hello')?.spec).toMatchObject({ http: [{ responseContent: 'hello "you"' }] });
    expect(of('Up')?.spec).toMatchObject({ http: [{ test: { expr: 'string(json.status.state) == "UP"' } }] });
    expect(of('Database')?.spec).toMatchObject({ replicas: 0, tcp: [{ endpoint: 'db.example.com:5432' }] });
    expect(of('Name')?.spec).toMatchObject({
      dns: [{ query: 'example.com', querytype: 'MX', server: '1.1.1.1', port: 5353 }],
    });
    expect(of('Shop (2)')?.spec).toMatchObject({ http: [{ url: 'https://shop2.example.com' }] });
  });

  test('what nothing here is like is told and left out', () => {
    expect(of('Cron')).toMatchObject({
      spec: null,
      notes: [expect.stringContaining('waits to be called') as unknown],
    });
    expect(of('Closed')).toMatchObject({
      spec: null,
      notes: [expect.stringContaining('upside down') as unknown],
    });
    expect(of('Rich')).toMatchObject({
      spec: { http: [{ description: 'what customers see' }] },
      notes: [
        'Accepted status codes ok are left out.',
        'Its 3 retries are left out: the first failure counts.',
        'Its notifications are left out: a notification rule says who is told.',
      ],
    });
    const [codes] = [of('Rich')?.spec?.['http']].flat() as { responseCodes: number[] }[];
    expect(codes?.responseCodes).toHaveLength(201);
    expect(of('Game')).toMatchObject({ spec: null, notes: [expect.stringContaining('steam') as unknown] });
  });
});

describe('a configuration of Gatus', () => {
  const found = read(parse(GATUS));
  const of = (name: string) => found.entries.find((entry) => entry.name === name);

  test('its endpoints are checks that the server takes, with their conditions', () => {
    expect(found.format).toBe('gatus');
    expect(refusedOf(found)).toEqual([]);
    expect(of('front')).toMatchObject({
      labels: { group: 'shop' },
      notes: ['The condition len([BODY].items) > 3 is left out.'],
      spec: {
        schedule: '@every 30s',
        http: [
          {
            responseCodes: [200, 204],
            thresholdMillis: 300,
            maxSSLExpiry: 2,
            timeout: 10_000,
            test: { expr: 'json.status == "UP"' },
            tlsConfig: { insecureSkipVerify: true },
          },
        ],
      },
    });
    expect(of('dns')).toMatchObject({
      spec: { dns: [{ query: 'example.com', server: '8.8.8.8' }] },
      notes: ['Its condition on the body is left out.'],
    });
    expect(of('cert')?.spec).toMatchObject({ certificate: [{ endpoint: 'example.com:443', minDays: 10 }] });
    expect(of('mail')?.spec).toMatchObject({
      smtp: [{ url: 'smtp://smtp.example.com:587', startTLS: true }],
    });
    expect(of('gateway')?.spec).toMatchObject({ replicas: 0, icmp: [{ endpoint: '10.0.0.1' }] });
    expect(of('strange')?.spec).toBeNull();
  });
});

const STRICT = `
default-endpoint: &defaults
  interval: 5m
  conditions: ["[STATUS] >= 200", "[STATUS] < 400", "[RESPONSE_TIME] < 900", "[RESPONSE_TIME] < 300"]
endpoints:
  - { <<: *defaults, name: shared, url: "https://a.example.com" }
  - { name: usual, url: "https://a.example.com", conditions: ["[STATUS] < 300", "[STATUS] >= 200"] }
  - { name: any, url: "https://a.example.com", conditions: ["[CONNECTED] == true"] }
  - name: query
    url: https://a.example.com/graphql
    method: POST
    graphql: true
    body: "{ users { id } }"
    conditions: ["[STATUS] == 200"]
    alerts: [{ type: slack }]
    client: { oauth2: { token-url: "https://id.example.com" } }
`;

test('conditions of Gatus hold together, also those that endpoints share; what is lost is said', () => {
  const answer = readFile(STRICT);
  const entries = answer.ok ? answer.value.entries : [];
  const of = (name: string) => entries.find((entry) => entry.name === name);
  const http = (name: string) => [of(name)?.spec?.['http']].flat()[0] as Record<string, unknown>;
  expect(refusedOf({ format: 'gatus', entries, more: 0 })).toEqual([]);
  expect(of('shared')?.spec).toMatchObject({ schedule: '@every 300s' });
  expect(http('shared')).toMatchObject({
    responseCodes: Array.from({ length: 200 }, (_, at) => at + 200),
    thresholdMillis: 300,
  });
  expect(http('usual')).not.toHaveProperty('responseCodes');
  expect(of('usual')?.notes).toEqual([]);
  expect(of('any')?.notes).toEqual(['Any status was good there; here any 2xx is.']);
  expect(http('query')).toMatchObject({
    body: '{"query":"{ users { id } }"}',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
  });
  expect(of('query')?.notes).toEqual(['Left out: alerts, client.oauth2.']);
});

test('targets of the blackbox exporter, from a job or a list', () => {
  const found = read(parse(PROMETHEUS));
  expect(refusedOf(found)).toEqual([]);
  expect(found.entries.map(({ name, spec, labels }) => [name, spec, labels])).toEqual([
    [
      'https://example.com',
      { schedule: '@every 30s', http: [{ name: 'https://example.com', url: 'https://example.com' }] },
      { job: 'blackbox', team: 'blue' },
    ],
    [
      'shop.example.com',
      { schedule: '@every 30s', http: [{ name: 'shop.example.com', url: 'http://shop.example.com' }] },
      { job: 'blackbox', team: 'blue' },
    ],
    [
      'db.example.com:5432',
      { schedule: '@every 60s', tcp: [{ name: 'db.example.com:5432', endpoint: 'db.example.com:5432' }] },
      { job: 'ports' },
    ],
    ['no-port', null, { job: 'ports' }],
    [
      'gateway',
      { schedule: '@every 30s', icmp: [{ name: 'gateway', endpoint: 'gateway' }] },
      { job: 'elsewhere' },
    ],
    ['elsewhere', null, {}],
  ]);
  expect(found.entries.slice(-2).map(({ notes }) => notes.join())).toEqual([
    expect.stringContaining('own_module') as unknown,
    expect.stringContaining('file_sd_configs') as unknown,
  ]);
  const listed = read([{ targets: ['a.example.com:22', 'https://b.example.com', '10.0.0.1'], labels: {} }]);
  expect(refusedOf(listed)).toEqual([]);
  expect(listed.entries.map(({ spec }) => Object.keys(spec ?? {}))).toEqual([['tcp'], ['http'], ['icmp']]);
});

test('files of canaries are taken as they are', () => {
  const files = fastGlob.sync('canaries/**/*.yaml', { cwd: '../shared/fixtures' });
  const counts = files.map((file) => {
    const text = readFileSync(`../shared/fixtures/${file}`, 'utf8');
    const documents = parseAllDocuments(text).map((one) => one.toJS() as unknown);
    const canaries = documents.filter(
      (one) => typeof one === 'object' && one !== null && 'kind' in one && one.kind === 'Canary',
    );
    const found = readImport(documents);
    expect(found?.entries.length ?? 0, file).toBe(canaries.length);
    return found?.entries.length ?? 0;
  });
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(80);
});

test('canaries in a list keep their annotations; one that is none is told', () => {
  const one = (name: string, over: object = {}) => ({
    kind: 'Canary',
    metadata: { name, annotations: { suspend: 'true' } },
    spec: { tcp: [{ name, endpoint: 'a.example.com:1' }] },
    ...over,
  });
  const items = [one('a'), { kind: 'Service', metadata: { name: 'web' } }, one('b', { spec: null })];
  for (const documents of [[{ kind: 'List', items }], [items], items]) {
    const found = read(...documents);
    expect(found.format).toBe('canaries');
    expect(found.entries.map(({ name, annotations, spec }) => [name, annotations, spec === null])).toEqual([
      ['a', { suspend: 'true' }, false],
      ['b', undefined, true],
    ]);
  }
});

const anything = fc.anything({ withNullPrototype: true, maxDepth: 3 });
const word = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom('https://a.example.com', 'a:1', '', '__proto__'),
);
const monitors = fc.record(
  {
    name: word,
    type: fc.constantFrom(
      'http',
      'keyword',
      'json-query',
      'port',
      'ping',
      'dns',
      'redis',
      'grpc-keyword',
      'mqtt',
      'constructor',
    ),
    url: word,
    hostname: fc.constantFrom('a.example.com', '::1', ''),
    port: fc.constantFrom(1, 65_535, null),
    interval: fc.oneof(fc.integer({ min: -5, max: 100_000 }), fc.constant(null)),
    keyword: word,
    jsonPath: word,
    headers: word,
    tags: fc.array(fc.record({ name: word, value: word }), { maxLength: 3 }),
    accepted_statuscodes: fc.array(fc.constantFrom('200-299', '404', 'x', '100-599'), { maxLength: 3 }),
  },
  { requiredKeys: ['type'] },
);

describe('whatever a file holds', () => {
  test('it is read or it is none, and nothing is thrown', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.record({ monitorList: fc.array(anything) }),
          fc.record({ endpoints: fc.array(anything) }),
        ),
        (value) => {
          readImport([value]);
        },
      ),
    );
  });

  test('each monitor is a check with its address as it was, or says why it is none', () => {
    fc.assert(
      fc.property(fc.array(monitors, { maxLength: 6 }), (monitorList) => {
        for (const { spec, notes } of readImport([{ monitorList }])?.entries ?? []) {
          if (spec === null) expect(notes.join('')).not.toBe('');
        }
      }),
    );
  });
});
