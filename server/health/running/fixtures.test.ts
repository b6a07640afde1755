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
import { runEntry } from './run-entry.ts';

const FIXTURES = '../shared/fixtures';
/** Of these, the services run here; the others need one that this machine has not. */
const KINDS =
  /^canaries\/runnable\/(http|tcp|dns|icmp|exec|folder|redis|mongodb|postgres|mysql|elasticsearch|opensearch|prometheus|alertmanager)\//;
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
const cases = loopback.canaries.filter(({ file }) => KINDS.test(file));
/** What the notes of loopback.json say in words. */
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

test('the fixtures hold every kind that runs here', () => {
  expect(new Set(cases.map(({ file }) => KINDS.exec(file)?.[1]))).toEqual(
    new Set(
      'http tcp dns icmp exec folder redis mongodb postgres mysql elasticsearch opensearch prometheus alertmanager'.split(
        ' ',
      ),
    ),
  );
});

test.each(
  cases.filter((found) => Object.keys(found.expect).length > 0).map((found) => [found.file, found] as const),
)('%s comes out as expected', async (_file, found) => {
  await mountValues(found.values);
  const outcomes = new Map<string, Outcome>();
  for (const canary of canariesOf(found)) {
    trustAuthority(canary);
    for (const [name, outcome] of await runAll(canary)) outcomes.set(name, outcome);
  }
  const results = Object.fromEntries(
    [...outcomes].map(([name, { pass, error }]) => [name, pass ? 'pass' : `fail: ${error ?? ''}`]),
  );
  for (const [name, verdict] of Object.entries(found.expect))
    expect(results).toMatchObject({ [name]: expect.stringMatching(new RegExp(`^${verdict}`)) });
  for (const [name, text] of Object.entries(found.display)) expect(outcomes.get(name)?.message).toBe(text);
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
