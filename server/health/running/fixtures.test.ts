/**
 * Real specifications of the kinds that run here, against servers of this machine: their texts replaced and their
 * outcomes expected as shared/fixtures/loopback.json says.
 */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readCanaryFile } from '../documents/canary-file.ts';
import type { Canary } from '../documents/canary-document.ts';
import { createExpressions } from '../../platform/expressions/expression-thread.ts';
import { startFixtureServices } from '../testing/fixture-services.ts';
import type { FixtureServices } from '../testing/fixture-services.ts';
import { MARIADB_PASSWORD } from '../../playbooks/actions/testing/mariadb.ts';
import { startTestDns } from '../testing/dns-server.ts';
import type { DnsRecord, TestDns } from '../testing/dns-server.ts';
import { startHttpBin } from '../testing/http-bin.ts';
import type { TestHttp } from '../testing/http-bin.ts';
import { kindSetting } from '../testing/kind-setting.ts';
import { makeTestCertificate } from '../testing/test-certificate.ts';
import type { TestCertificate } from '../testing/test-certificate.ts';
import type { Outcome } from '../results/outcome.ts';
import { postedVariables } from '../kinds/inbound/webhook-kind.ts';
import { runEntry } from './run-entry.ts';

const FIXTURES = '../shared/fixtures';
const loopback = z
  .object({
    canaries: z.array(
      z.object({
        file: z.string(),
        replace: z.array(z.tuple([z.string(), z.string()])),
        expect: z.record(z.string(), z.enum(['pass', 'fail'])),
        display: z.record(z.string(), z.string()).default({}),
        values: z.record(z.string(), z.record(z.string(), z.string())).default({}),
        records: z.array(z.string()).default([]),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(FIXTURES, 'loopback.json'), 'utf8')));
type Case = (typeof loopback.canaries)[number];
const cases = loopback.canaries;
const kindIn = (file: string) => /^canaries\/runnable\/(\w+)\//.exec(file)?.[1] ?? '';
/** What the notes of loopback.json say in words: which checks come out, and how. */
const IN_WORDS: Readonly<Record<string, Case['expect']>> = {
  'canaries/runnable/http/http-crawl_pass.yaml': { docs: 'pass' },
  'canaries/runnable/alertmanager/alertmanager.yaml': {
    'alert-manager-transform': 'pass',
    'Watchdog/shop/cart-0': 'pass',
  },
  'canaries/runnable/ldap/ldap_pass.yaml': { 'ldap user login': 'pass', 'ldap group login': 'pass' },
  'canaries/runnable/webhook/alertmanager.yaml': { 'my-webhook': 'pass', disk1: 'pass' },
};
/** Refused, and not run. */
const REFUSED = new Set(['canaries/runnable/tcp/schedule_invalid.yaml']);
const POSTED = {
  alerts: [
    {
      name: 'disk',
      fingerprint: '1',
      labels: {},
      annotations: { summary: 'full', description: 'the disk is full' },
    },
  ],
};
const RENAMED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'canaries/runnable/prometheus/prometheus.yaml': [['git_version', 'version']],
  'canaries/runnable/mysql/mysql_pass.yaml': [
    ['mysqladmin', 'runner'],
    ['admin123', MARIADB_PASSWORD],
    ['mysqldb', 'shop'],
  ],
};
/** Fixtures whose schedule is wrong on purpose; the rest of them runs. */
const WRONG_SCHEDULE = 'every 30 @minutes';

let certificate: TestCertificate;
let bin: TestHttp;
let secureBin: TestHttp;
let dns: TestDns;
let tcp: Server;
let services: FixtureServices;
let dataDir: string;
const expressions = createExpressions();

/** `google.com. MX 10 smtp.google.com.` */
function recordOf(line: string): DnsRecord {
  const [name = '', type = '', ...value] = line.split(' ');
  return { name, type: type as DnsRecord['type'], value: value.join(' ') };
}

beforeAll(async () => {
  certificate = await makeTestCertificate(20);
  bin = await startHttpBin(null);
  secureBin = await startHttpBin(certificate);
  dns = await startTestDns(cases.flatMap(({ records }) => records.map(recordOf)));
  tcp = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  services = await startFixtureServices(certificate);
  dataDir = await mkdtemp(join(tmpdir(), 'holdfast-fixtures-'));
});
afterAll(async () => {
  tcp.close();
  await Promise.all([
    bin.stop(),
    secureBin.stop(),
    dns.stop(),
    services.stop(),
    expressions.close(),
    rm(dataDir, { recursive: true }),
  ]);
});

function filled(text: string): string {
  const ports: Record<string, string> = {
    RATES_PORT: String(bin.port),
    HTTPBIN_PORT: String(bin.port),
    HTTPBIN_TLS_PORT: String(secureBin.port),
    DNS_PORT: String(dns.port),
    TCP_PORT: String((tcp.address() as AddressInfo).port),
    CA: certificate.ca,
    ...services.ports,
  };
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => ports[name] ?? whole);
}

async function mountValues(values: Case['values']): Promise<void> {
  for (const [place, entries] of Object.entries(values)) {
    const [kind = '', name = ''] = place.split(' ');
    const folder = join(dataDir, kind === 'secret' ? 'secrets' : 'configmaps', name);
    await mkdir(folder, { recursive: true });
    for (const [key, value] of Object.entries(entries)) await writeFile(join(folder, key), filled(value));
  }
}

function canariesOf(found: Case): Canary[] {
  let text = readFileSync(join(FIXTURES, found.file), 'utf8').replaceAll(WRONG_SCHEDULE, '@every 30m');
  for (const [from, to] of [...found.replace, ...(RENAMED[found.file] ?? [])])
    text = text.replaceAll(from, filled(to));
  return readCanaryFile(found.file, text).flatMap((outcome) => (outcome.ok ? [outcome.canary] : []));
}

/** Stands for an authority that the machine trusts, which only the start of a process can name. */
function trustAuthority(canary: Canary): void {
  for (const { runnable } of canary.entries) {
    if (runnable?.kind === 'http' && !('tlsConfig' in runnable.spec))
      Object.assign(runnable.spec, { tlsConfig: { ca: { value: certificate.ca } } });
  }
}

/** Every entry once, those that others depend on first, as they are written. */
async function runAll(canary: Canary): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const outputs: Record<string, unknown> = {};
  for (const entry of canary.entries) {
    const run = {
      canary: { ...canary, id: 'c' },
      entry,
      checkId: null,
      outputs,
      lastResult: async () => null,
      variables: postedVariables({ content: '', json: POSTED, headers: {} }),
    };
    const ended = await runEntry(run, {
      ...kindSetting({ dataDir }),
      findConnection: async () => null,
      expressions,
    });
    outputs[entry.name] = ended[0]?.data;
    for (const outcome of ended) outcomes.set(outcome.derived?.name ?? entry.name, outcome);
  }
  return outcomes;
}

/** Files by kind that came out as noted. */
const asNoted = new Map<string, number>();

async function outcomesOf(found: Case): Promise<Map<string, Outcome>> {
  await mountValues(found.values);
  const outcomes = new Map<string, Outcome>();
  for (const canary of canariesOf(found)) {
    trustAuthority(canary);
    for (const [name, outcome] of await runAll(canary)) outcomes.set(name, outcome);
  }
  return outcomes;
}

test.each(cases.map((found) => [found.file, found] as const))(
  '%s comes out as expected',
  async (file, found) => {
    const outcomes = await outcomesOf(found);
    const results = Object.fromEntries(
      [...outcomes].map(([name, { pass, error }]) => [name, pass ? 'pass' : `fail: ${error ?? ''}`]),
    );
    const expected = { ...found.expect, ...IN_WORDS[file] };
    expect(Object.keys(expected).length === 0).toBe(REFUSED.has(file));
    if (REFUSED.has(file)) expect(results).toEqual({});
    if (Object.hasOwn(IN_WORDS, file)) expect(Object.keys(results)).toEqual(Object.keys(expected));
    for (const [name, verdict] of Object.entries(expected))
      expect(results).toMatchObject({ [name]: expect.stringMatching(new RegExp(`^${verdict}`)) });
    for (const [name, text] of Object.entries(found.display)) expect(outcomes.get(name)?.message).toBe(text);
    asNoted.set(kindIn(file), (asNoted.get(kindIn(file)) ?? 0) + 1);
  },
);

/** Kinds that ran before the registry (16e66ab6), whose files came out as noted then, too: this file's test of that time. */
const BEFORE: Readonly<Record<string, number>> = { http: 20, tcp: 2, dns: 1, icmp: 1, exec: 3, folder: 3 };

test('docs have how many files of each kind come out as noted, before and now', async ({ skip }) => {
  const kinds = [...new Set(cases.map(({ file }) => kindIn(file)))];
  const all = (kind: string) => cases.filter(({ file }) => kindIn(file) === kind).length;
  const sum = (of: (kind: string) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
  const before = (kind: string) => BEFORE[kind] ?? 0;
  const now = (kind: string) => asNoted.get(kind) ?? 0;
  // Of a part of this file there is nothing to be said.
  if (sum(now) < cases.length) skip();
  const line = (name: string, of: (count: (kind: string) => number) => number) =>
    `| ${name} | ${of(all)} | ${of(before)} | ${of(now)} |`;
  const text = `# Checks of our fixtures that come out as noted

Made by \`server/health/running/fixtures.test.ts\` (\`npx vitest run server/health/running/fixtures.test.ts --update\` writes it anew):
canary files of real projects, run on loopback, with the outcomes that were written down for them before. "Before" is the commit
ahead of the registry of kinds (16e66ab6), by the same test as it was then; what can be run at all stands in
[checks-kinds.md](checks-kinds.md) and [scrapers-kinds.md](scrapers-kinds.md).

| kind | files | before | now |
|---|---|---|---|
${kinds.map((kind) => line(`\`${kind}\``, (count) => count(kind))).join('\n')}
${line('all', sum)}
`;
  await expect(text).toMatchFileSnapshot('../../../docs/checks-outcomes.md');
});

test('the figures of the fixtures are worked out, one by one and by a transform', async () => {
  const figuresIn = async (name: string) => {
    const found = cases.find(({ file }) => file.endsWith(name));
    if (found === undefined) throw new Error(name);
    const outcomes = [...(await outcomesOf(found)).values()];
    return outcomes.flatMap(({ figures = [] }) =>
      figures.map((one) => ({ ...one, value: typeof one.value })),
    );
  };
  const rate = (to: string) => ({
    name: 'exchange_rate',
    type: 'gauge',
    value: 'number',
    labels: { from: 'USD', to },
  });
  const took = { name: 'exchange_rate_api', type: 'histogram', value: 'number', labels: {} };
  for (const name of ['http/metrics-multiple.yaml', 'http/metrics-transformed.yaml']) {
    const figures = await figuresIn(name);
    expect(figures).toHaveLength(4);
    expect(figures).toEqual(expect.arrayContaining([rate('GBP'), rate('EUR'), rate('ILS'), took]));
  }
  const [counted] = await figuresIn('http/http_pass.yaml');
  expect(counted?.labels).toEqual({
    name: 'httpbin_2xx_count',
    check_name: 'http-minimal-check',
    status_class: '2',
  });
});

test('the helper functions of expressions give one message', async () => {
  const found = cases.find(({ file }) => file.endsWith('exec/cel.yaml'));
  const [canary] = canariesOf(
    found ?? { file: '', replace: [], expect: {}, display: {}, values: {}, records: [] },
  );
  const message = canary === undefined ? '' : (await runAll(canary)).get('cel-test')?.message;
  expect(message).toContain('hello-mellow');
  expect(message).toContain('HumanDuration(23212) = 1h');
  expect(message).toContain('fdbd8e75a67f29f701a4e040385e2e23986303ea10239211af907fcbb83578b3');
});

test('a secret that a check reads is in nothing that is stored of it', async () => {
  await mountValues({ 'secret deep': { key: 'hidden-value' } });
  const text = `kind: Canary\nmetadata: {name: a}\nspec:\n  http:\n    - name: a\n      url: http://127.0.0.1:${bin.port}/basic-auth/u/p?echo=$(token)\n      env: [{name: token, valueFrom: {secretKeyRef: {name: deep, key: key}}}]\n      display: {expr: "'seen hidden-value'"}\n      test: {expr: "'hidden-value is not a verdict'"}\n      responseCodes: [401]\n      transform: {expr: "{'detail': {'x': 'hidden-value'}}.toJSON()"}\n`;
  const [read] = readCanaryFile('a.yaml', text);
  const outcome = read?.ok === true ? (await runAll(read.canary)).get('a') : undefined;
  expect(outcome).toMatchObject({ pass: false, message: 'seen ***', detail: { x: '***' } });
  expect(JSON.stringify([outcome?.message, outcome?.error, outcome?.detail])).not.toContain('hidden-value');
});
