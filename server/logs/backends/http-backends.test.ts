/** Backends that are asked over HTTP, at stand-ins of this machine: what they ask for, and what they make of it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import type { Asked, LocalServer } from '../../catalog/scrapers/testing/local-server.ts';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { elasticsearchBackend, opensearchBackend } from './elastic-backend.ts';
import { kubernetesBackend } from './kubernetes-backend.ts';
import type { BackendContext, BackendLine, LogQuestion } from './log-backend.ts';

const NOW = Date.now();
const MIB = 1024 * 1024;

let service: LocalServer;
let answer: (asked: Asked) => unknown = () => ({});

beforeAll(async () => {
  service = await startLocalServer((asked) => ({ body: answer(asked) }));
});
afterAll(() => service.close());
beforeEach(() => {
  service.asked.length = 0;
});

const question = (part: Partial<LogQuestion> = {}): LogQuestion => ({
  id: 'shop/web',
  type: 'Pod',
  namespace: 'shop',
  name: 'app',
  labels: { app: 'web' },
  words: [],
  startMs: NOW - 3_600_000,
  endMs: NOW,
  limit: 100,
  ...part,
});
const context: BackendContext = {
  signal: new AbortController().signal,
  guard: createServerGuard({ egressAllow: ['127.0.0.1', 'localhost'], egressDeny: [], databaseUrl: null }),
  trust: 'user',
  author: 'granter',
  secret: async (value) => String(value),
  connection: async () => null,
  now: () => NOW,
  logsDir: null,
};

const kubeconfig = () =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster: { server: service.url, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    users: [{ name: 'a', user: { token: 'the-token-of-this-cluster' } }],
  });
const PODS = {
  items: [{ metadata: { name: 'web-1' }, spec: { containers: [{ name: 'main' }, { name: 'proxy' }] } }],
};

/** As the API server sends it: of what is since then the newest lines, cut behind so many bytes. */
function sent(log: readonly (readonly [number, string])[], { url: { searchParams } }: Asked): string {
  const since = Date.parse(searchParams.get('sinceTime') ?? '');
  const of = log.filter(([atMs]) => atMs >= since);
  const tail = searchParams.get('tailLines');
  const some = tail === null ? of : of.slice(-Number(tail));
  const text = some.map(([atMs, message]) => `${new Date(atMs).toISOString()} ${message}\n`).join('');
  return text.slice(0, Number(searchParams.get('limitBytes')));
}

it('a container that wrote more than is read at once: pages have its newest lines first, and every line once', async () => {
  // 12 MB in two hours.
  const long = 'x'.repeat(30_000);
  const log = Array.from(
    { length: 700 },
    (_, at) => [NOW - 7_000_000 + at * 10_000, `${at} ${long}`] as const,
  );
  answer = (asked) => (asked.url.pathname.endsWith('/log') ? sent(log, asked) : PODS);
  const spec = { kubeconfig: kubeconfig(), container: 'main' };
  for (const endMs of [NOW - 3_500_000, NOW]) {
    const found: BackendLine[] = [];
    const startMs = NOW - 7_200_000;
    let end = endMs;
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await kubernetesBackend.read(
        spec,
        question({ startMs, endMs: end, limit: 1000 }),
        context,
      );
      expect(page.notes).toEqual([]);
      expect(page.lines.every(({ atMs }) => atMs >= (page.reachedMs ?? 0))).toBe(true);
      found.push(...page.lines);
      if (!page.isCut) break;
      end = (page.reachedMs ?? 0) - 1;
    }
    const wanted = log.filter(([atMs]) => atMs <= endMs).toReversed();
    expect(found.map(({ message }) => message)).toEqual(wanted.map(([, message]) => message));
  }
});

it('a container that wrote too much in one moment: half a line is no line, and what is left out is said', async () => {
  const log = Array.from({ length: 900 }, (_, at) => [NOW - 1000, `${at} ${'x'.repeat(10_000)}`] as const);
  answer = (asked) => (asked.url.pathname.endsWith('/log') ? sent(log, asked) : PODS);
  const spec = { kubeconfig: kubeconfig(), container: 'main' };
  const asked = question({ endMs: NOW - 10, startMs: NOW - 1001, limit: 1000 });
  const found = await kubernetesBackend.read(spec, asked, context);
  expect(found.isCut).toBe(true);
  expect(found.notes).toEqual([]);
  const atOnce = question({ startMs: NOW - 1000, endMs: NOW - 1000, limit: 1000 });
  const cut = await kubernetesBackend.read(spec, atOnce, context);
  expect(cut.notes).toEqual([expect.stringMatching(/web-1, main: writes more than 8 MB in a moment/)]);
  expect(cut.lines.at(-1)?.message).toMatch(/^0 x/);
  expect(cut.lines.length).toBeLessThan((8 * MIB) / 10_000);
  expect(cut.lines.every(({ message }) => message.endsWith('x'.repeat(10_000)))).toBe(true);
});

it('a container that no pod has is said', async () => {
  answer = () => PODS;
  const found = await kubernetesBackend.read(
    { kubeconfig: kubeconfig(), container: 'gone' },
    question(),
    context,
  );
  expect(found).toMatchObject({
    lines: [],
    notes: ['container: no pod in shop with the labels app=web has a container gone'],
  });
});

it('what a search left out is said: failed shards, documents without a time; where none has one, the field is wrong', async () => {
  const hits = ['2026-03-01T10:00:02Z', null, '2026-03-01T10:00:01Z'].map((time) => ({
    _source: { '@timestamp': time, message: 'found' },
  }));
  const spec = { url: service.url, index: 'logs' };
  answer = () => ({ _shards: { total: 5, failed: 2 }, hits: { total: { value: 3 }, hits } });
  expect(await elasticsearchBackend.read(spec, question(), context)).toMatchObject({
    lines: [{ message: 'found' }, { message: 'found' }],
    isCut: false,
    notes: [
      'The search failed in 2 of 5 shards: lines may be missing',
      'Documents without a time in @timestamp are left out: 1',
    ],
  });
  answer = () => ({ hits: { total: 1, hits: hits.slice(1, 2) } });
  await expect(opensearchBackend.read(spec, question(), context)).rejects.toThrow(
    /^fields\.timestamp: documents have no time/,
  );
});
