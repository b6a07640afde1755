/** A recorded cluster, read by the real client over TLS. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isRecord } from '../../../../../src/lib/is-record.ts';
import { scraperBaseSchema } from '../../../../../src/contract/specs/scraper-entry.ts';
import { makeTestCertificate } from '../../../../health/testing/test-certificate.ts';
import { extractEntry } from '../../extract/extract-entry.ts';
import { objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { RawDocument, ScrapeOutput } from '../../specs/scraped.ts';
import { startRecordedCluster } from '../../testing/recorded-cluster.ts';
import type { RecordedCluster } from '../../testing/recorded-cluster.ts';
import { scrapeSetting } from '../../testing/scrape-setting.ts';
import { kubernetesKind } from './kubernetes-kind.ts';

const FOLDER = '../shared/fixtures/kubernetes';
const SCRAPERS = '../shared/fixtures/scrapers/fixtures';
const context = scrapeSetting();
let cluster: RecordedCluster;

function documentsOf(file: string): Json[] {
  const text = readFileSync(file, 'utf8').replaceAll(/@now(-\w+)?/g, '2026-08-21T06:00:00Z');
  return parseAllDocuments(text, { uniqueKeys: false })
    .map((document): unknown => document.toJSON())
    .filter(isRecord);
}

beforeAll(async () => {
  const files = fastGlob.globSync(['lists/*', 'objects/{Pod,Node,RoleBinding,HelmRelease}/*'], {
    cwd: FOLDER,
  });
  const objects = files.flatMap((file) => documentsOf(join(FOLDER, file)));
  const more = [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv-1', uid: 'uid-pv-1' },
      spec: { claimRef: { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'minio' } },
      status: { phase: 'Bound' },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'junit-1', namespace: 'minio', uid: 'uid-cm-1' },
    },
  ];
  cluster = await startRecordedCluster([...objects, ...more], await makeTestCertificate(2));
});
afterEach(() => cluster.broken.clear());
afterAll(async () => {
  await cluster.close();
  await context.expressions.close();
});

const scrape = (entry: Record<string, unknown> = {}): Promise<ScrapeOutput> =>
  kubernetesKind.scrape({ clusterName: 'local', kubeconfig: cluster.kubeconfig, ...entry }, context);

function itemOf({ documents }: ScrapeOutput, type: string, name: string): RawDocument['known'] {
  const found = documents.find(({ known }) => known.type === type && known.name === name);
  if (found === undefined) throw new Error(`no ${type} ${name}`);
  return found.known;
}
const typesOf = ({ documents }: ScrapeOutput): Set<string | undefined> =>
  new Set(documents.map(({ known }) => known.type));

test('every object of the cluster becomes an item, and the cluster is one of them', async () => {
  const out = await scrape();
  expect(out.errors).toEqual([]);
  expect(out.isComplete).toBe(true);
  const uids = new Set(
    cluster.objects
      .filter(({ kind }) => kind !== 'Event')
      .map((object) => objectAt(object, 'metadata')['uid'] ?? object),
  );
  expect(out.documents).toHaveLength(uids.size + 1);
  expect(itemOf(out, 'Kubernetes::Cluster', 'local')).toMatchObject({
    externalIds: ['Kubernetes/local/Cluster//local'],
  });
  expect(typesOf(out)).not.toContain('Kubernetes::Event');
});

test('an item has its kind, place, labels, health, parents and what it runs on', async () => {
  const pod = itemOf(await scrape(), 'Kubernetes::Pod', 'canary-checker-6985458cf7-45l8t');
  expect(pod).toMatchObject({
    configClass: 'Pod',
    tags: { cluster: 'local', namespace: 'mission-control' },
    labels: { 'control-plane': 'canary-checker' },
    status: 'Running',
    createdAt: new Date('2026-08-21T06:00:00Z'),
  });
  expect(pod.parents?.map(({ type }) => type)).toEqual([
    'Kubernetes::ReplicaSet',
    'Kubernetes::Namespace',
    'Kubernetes::Cluster',
  ]);
  expect(pod.relationships?.map(({ relation }) => relation)).toContain('NodePod');
});

test('what changes on its own is not stored, and no value of a secret is', async () => {
  const out = await scrape();
  for (const { content } of out.documents)
    for (const name of ['managedFields', 'resourceVersion'])
      expect(objectAt(content, 'metadata')).not.toHaveProperty(name);
  const secrets = cluster.objects.filter(({ kind }) => kind === 'Secret');
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of secrets) {
    const values = Object.values({ ...objectAt(secret, 'data'), ...objectAt(secret, 'stringData') });
    const stored = out.documents.find(
      ({ known }) =>
        known.type === 'Kubernetes::Secret' && known.name === objectAt(secret, 'metadata')['name'],
    );
    for (const value of values) expect(JSON.stringify(stored)).not.toContain(JSON.stringify(value));
    expect(JSON.stringify(stored)).toContain('******');
  }
});

test('events are changes of what they are about, a warning worse than the rest', async () => {
  const out = await scrape({ event: { severityKeywords: { error: ['additional property'] } } });
  expect(out.changes[0]).toMatchObject({
    about: { type: 'Kubernetes::HelmRelease' },
    changeType: 'UpgradeFailed',
    severity: 'high',
    source: 'kubernetes/helm-controller',
  });
  expect((await scrape()).changes[0]?.severity).toBe('medium');
  expect((await scrape({ event: { exclusions: { reason: ['Upgrade*'] } } })).changes).toEqual([]);
});

test('the recorded scraper of the fixtures leaves out what it excludes and finds what it looks up', async () => {
  const document = z
    .object({ spec: z.object({ kubernetes: z.array(z.record(z.string(), z.unknown())) }) })
    .parse(parse(readFileSync(join(SCRAPERS, 'kubernetes.yaml'), 'utf8')));
  const out = await scrape({ ...document.spec.kubernetes[0], kubeconfig: cluster.kubeconfig });
  const base = scraperBaseSchema.parse(document.spec.kubernetes[0]);
  const place = { field: 'kubernetes[0]', entry: base, isFull: false, now: new Date() };
  const { items, errors } = await extractEntry(out, place, context.expressions);
  expect(errors).toEqual([]);
  expect(items).toHaveLength(out.documents.length);
  expect(JSON.stringify(items.map(({ config }) => config))).not.toContain('ownerReferences');
  const types = typesOf(out);
  expect(types).toContain('Kubernetes::Pod');
  for (const kind of ['Secret', 'ReplicaSet']) expect(types).not.toContain(`Kubernetes::${kind}`);
  expect(out.documents.some(({ known }) => known.name === 'junit-1')).toBe(false);
  expect(out.documents.some(({ known }) => known.tags?.['namespace'] === 'canaries')).toBe(false);
  expect(itemOf(out, 'Kubernetes::PersistentVolume', 'pv-1').relationships).toContainEqual({
    to: {
      type: 'Kubernetes::PersistentVolumeClaim',
      externalId: 'Kubernetes/local-kind-cluster/PersistentVolumeClaim/minio/data',
    },
    relation: 'PersistentVolumeClaimPersistentVolume',
    direction: 'in',
  });
  const binding = itemOf(out, 'Kubernetes::RoleBinding', 'argo-argocd-notifications-controller');
  expect(binding.relationships?.map(({ relation }) => relation)).toEqual(['HelmReleaseRoleBinding']);
});

test('a resource that is refused is told, and nothing counts as gone', async () => {
  cluster.broken.set('/api/v1/pods', 403);
  cluster.broken.set('/apis/apps/v1', 503);
  const out = await scrape();
  expect(out.isComplete).toBe(false);
  expect(out.errors.join('\n')).toContain('pods (v1)');
  expect(out.errors.join('\n')).toContain('apps/v1');
  expect(typesOf(out)).toContain('Kubernetes::Node');
  expect(typesOf(out)).not.toContain('Kubernetes::Pod');
});

test('namespaces, scope and watch narrow what is asked for', async () => {
  const some = await scrape({ namespace: 'minio' });
  expect(new Set(some.documents.map(({ known }) => known.tags?.['namespace']))).toEqual(
    new Set([undefined, 'minio']),
  );
  expect(typesOf(some)).not.toContain('Kubernetes::Node');
  const wide = await scrape({ scope: 'Cluster' });
  expect(typesOf(wide)).not.toContain('Kubernetes::Pod');
  const few = await scrape({ watch: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] });
  expect(typesOf(few)).toEqual(new Set(['Kubernetes::Cluster', 'Kubernetes::Deployment']));
});

test('long lists are read page by page to their end', async () => {
  const many = Array.from({ length: 1201 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: `sa-${index}`, namespace: 'many', uid: `uid-sa-${index}` },
  }));
  cluster.objects.push(...many);
  const out = await scrape({ watch: [{ apiVersion: 'v1', kind: 'ServiceAccount' }] });
  expect(out.documents).toHaveLength(1202);
  cluster.objects.splice(-many.length);
});

test('a kubeconfig that would run a command or read a file here is refused', async () => {
  const base = z.record(z.string(), z.unknown()).parse(JSON.parse(cluster.kubeconfig));
  const asUser = (user: unknown) =>
    scrape({ kubeconfig: JSON.stringify({ ...base, users: [{ name: 'reader', user }] }) });
  await expect(asUser({ exec: { command: 'touch', args: ['/tmp/x'] } })).rejects.toThrow('exec plugins');
  await expect(asUser({ 'client-key': '/etc/shadow' })).rejects.toThrow('names a file');
  await expect(asUser({ tokenFile: '/etc/shadow' })).rejects.toThrow('401');
  await expect(asUser({ 'auth-provider': { name: 'oidc' } })).rejects.toThrow('auth-provider');
  await expect(scrape({ kubeconfig: '- a' })).rejects.toThrow('kubeconfig');
  await expect(asUser({ token: 'wrong' })).rejects.toThrow('401');
});

test('without a kubeconfig, outside of a cluster, it says just that', async () => {
  await expect(kubernetesKind.scrape({ clusterName: 'local' }, context)).rejects.toThrow(
    /^kubeconfig is missing, and this server does not run in a cluster/,
  );
});

test('somebody who writes scrapers through the API reaches neither this machine nor its own account', async () => {
  const user = { ...context, trust: 'user' as const };
  const entry = { clusterName: 'local', kubeconfig: cluster.kubeconfig };
  await expect(kubernetesKind.scrape(entry, user)).rejects.toThrow('not allowed');
  await expect(kubernetesKind.scrape({ clusterName: 'local' }, user)).rejects.toThrow(
    'kubeconfig is missing',
  );
});
