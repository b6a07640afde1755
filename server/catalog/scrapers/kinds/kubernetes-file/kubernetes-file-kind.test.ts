/** A recorded cluster whose pods answer commands over the WebSocket protocol. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { makeTestCertificate } from '../../../../health/testing/test-certificate.ts';
import { answerPods } from '../../testing/pod-sockets.ts';
import type { PodAnswer } from '../../testing/pod-sockets.ts';
import { startRecordedCluster } from '../../testing/recorded-cluster.ts';
import type { RecordedCluster } from '../../testing/recorded-cluster.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { kubernetesFileKind } from './kubernetes-file-kind.ts';

const workload = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  spec: { selector: { matchLabels: { app: name } } },
});
const pod = (name: string, phase: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, labels: { app: 'postgresql' } },
  status: { phase },
});
const GOOD: PodAnswer = { stdout: '# tuned\nmax_connections = 100\n', status: { status: 'Success' } };
let given: PodAnswer | null = GOOD;
let cluster: RecordedCluster;
let pods: { asked: URL[] };
const context = scrapeSetting();
const entry = z
  .object({ spec: z.object({ kubernetesFile: z.array(z.record(z.string(), z.unknown())) }) })
  .parse(parse(readFileSync('../shared/fixtures/scrapers/fixtures/kubernetes_file.yaml', 'utf8'))).spec
  .kubernetesFile[0];

beforeAll(async () => {
  const objects = [workload('postgresql'), pod('postgresql-0', 'Pending'), pod('postgresql-1', 'Running')];
  cluster = await startRecordedCluster(objects, await makeTestCertificate(2));
  pods = answerPods(cluster.server, (_url, authorization) => (authorization === undefined ? null : given));
});
beforeEach(() => {
  given = GOOD;
  pods.asked.length = 0;
});
afterAll(async () => {
  await cluster.close();
  await context.expressions.close();
});
const scrape = (more: Record<string, unknown> = {}) =>
  kubernetesFileKind.scrape({ ...entry, kubeconfig: cluster.kubeconfig, ...more }, context);

test('the recorded scraper of the fixtures reads its file out of a running pod', async () => {
  const out = await scrape();
  expect(out).toMatchObject({ errors: [], isComplete: true });
  expect(out.documents).toMatchObject([
    {
      content: { max_connections: '100' },
      format: 'properties',
      source: 'default/postgresql:/etc/postgresql/postgresql.conf',
      known: {
        type: 'Kubernetes::File',
        name: 'postgresql.conf',
        parents: [{ type: 'Kubernetes::StatefulSet', externalId: 'uid-postgresql' }],
      },
    },
  ]);
  const [asked] = pods.asked;
  expect(asked?.pathname).toBe('/api/v1/namespaces/default/pods/postgresql-1/exec');
  expect(asked?.searchParams.getAll('command')).toEqual(['cat', '--', '/etc/postgresql/postgresql.conf']);
  expect(asked?.searchParams.get('container')).toBe('postgresql');
});

test('a file that is not there is told in the words of the pod', async () => {
  given = { stderr: 'cat: No such file or directory', status: { status: 'Failure', message: 'exit code 1' } };
  const out = await scrape();
  expect(out.isComplete).toBe(false);
  expect(out.errors.join()).toContain('No such file or directory');
});

test('a cluster that refuses, hangs up early or sends nonsense fails this file and nothing else', async () => {
  given = null;
  expect((await scrape()).errors.join()).toContain('refused to run a command');
  given = { status: null };
  expect((await scrape()).errors.join()).toContain('ended early');
  given = { ...GOOD, frames: [Buffer.alloc(0), Buffer.from([9, 1]), Buffer.from([255, 1])] };
  expect((await scrape()).errors).toEqual([]);
  given = { status: null, frames: [Buffer.from('\u0003not json')] };
  expect((await scrape()).errors.join()).toContain('not readable');
});

test('what can not be meant is refused with the reason', async () => {
  await expect(scrape({ selector: { kind: 'Service' } })).rejects.toThrow('has no pods');
  await expect(scrape({ selector: { kind: 'Pod', namespace: 'default', name: 'other' } })).rejects.toThrow(
    'no Pod is meant',
  );
  await expect(scrape({ files: [{ path: ['/etc/*.conf'] }] })).rejects.toThrow('wildcards');
  await expect(scrape({ files: [] })).rejects.toThrow('at least one path');
  const out = await scrape({ selector: { kind: 'pod', namespace: 'default', name: 'postgresql-0' } });
  expect(out.errors).toEqual(['Pod postgresql-0: none of its pods is running']);
});
