/** kubernetesResource, pod and namespace over a cluster of the test that keeps what is made in it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import { kindSetting } from '../../testing/kind-setting.ts';
import { startJsonServer } from '../../testing/json-server.ts';
import { startLiveCluster } from '../../testing/live-cluster.ts';
import type { LiveCluster } from '../../testing/live-cluster.ts';
import { runKind } from '../../testing/run-kind.ts';

let cluster: LiveCluster;
beforeEach(async () => {
  cluster = await startLiveCluster();
});
afterEach(() => cluster.stop());

const PENDING = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] };
const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'a' }] },
});
const paths = () => [...cluster.objects.keys()];

describe('kubernetesResource', () => {
  const QUICK = { interval: '200ms', timeout: '2s' };
  const run = (spec: object, context = kindSetting()) =>
    runKind('kubernetesResource', { kubeconfig: cluster.kubeconfig, waitFor: QUICK, ...spec }, context);

  test('makes what is asked for, waits until it is ready, and takes it away; what is static stays', async () => {
    let looks = 0;
    cluster.statusOf = () =>
      (looks += 1) > 2 ? { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } : PENDING;
    const staticResources = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } },
    ];
    const found = await run({
      resources: [pod('probe-{{strings.ToLower (random.Alpha 6)}}')],
      staticResources,
    });
    expect(found).toMatchObject({
      pass: true,
      error: null,
      data: { staticResources: [{ name: 'settings' }] },
    });
    expect(paths()).toEqual(['/api/v1/namespaces/default/configmaps/settings']);
  });

  test('says how far it came where it is not ready in time, and leaves nothing behind', async () => {
    cluster.statusOf = () => PENDING;
    const found = await run({ resources: [pod('probe')], waitFor: { interval: '200ms', timeout: '300ms' } });
    expect(found).toMatchObject({
      pass: false,
      invalid: false,
      error: expect.stringMatching(/within 300ms: Pod probe is/),
    });
    expect(paths()).toEqual([]);
  });

  test('takes away what an earlier run left, and never what somebody else made', async () => {
    const other = '/api/v1/namespaces/default/pods/probe';
    cluster.objects.set(other, pod('probe'));
    const found = await run({ resources: [pod('probe')] });
    expect(found).toMatchObject({ pass: false, error: expect.stringContaining('already exists') });
    expect(paths()).toEqual([other]);
    cluster.objects.delete(other);
    await run({ resources: [pod('probe')] });
    const labels = objectAt(
      JSON.parse(cluster.asked.findLast(({ method }) => method === 'POST')?.body ?? ''),
      'metadata',
      'labels',
    );
    cluster.objects.set(`${other}-left`, { ...pod('probe-left'), metadata: { name: 'probe-left', labels } });
    const kept = await run({ resources: [pod('probe')], clearResources: false });
    expect(kept).toMatchObject({ pass: true });
    expect(paths()).toEqual([`${other}-left`]);
    expect(await run({ resources: [pod('probe')] })).toMatchObject({ pass: true });
    expect(paths()).toEqual([]);
  });

  test('runs checks within against what was made, again until they pass', async () => {
    const asked: unknown[] = [];
    const checks = async (spec: Record<string, unknown>) => {
      asked.push(spec);
      const pass = asked.length > 1;
      return [
        {
          type: 'http',
          name: 'inner',
          pass,
          message: 'said',
          error: pass ? '' : 'not yet',
          notRun: null,
          invalid: false,
        },
      ];
    };
    const inner = { http: [{ name: 'inner', url: 'http://{{(index .resources 0).Object.metadata.name}}' }] };
    const found = await run(
      { resources: [pod('probe')], checks: [inner], checkRetries: { interval: '200ms', timeout: '5s' } },
      kindSetting({ checks }),
    );
    expect(found).toMatchObject({ pass: true, data: { display: { inner: 'said' } } });
    expect(asked).toEqual([1, 2].map(() => ({ http: [{ name: 'inner', url: 'http://probe' }] })));
  });

  test('waits for what its expression says, and until all is gone', async () => {
    const expr = 'dyn(resources).all(r, r.name == "other")';
    const never = await run({
      resources: [pod('probe')],
      waitFor: { expr, interval: '200ms', timeout: '300ms' },
    });
    expect(never).toMatchObject({ pass: false, error: expect.stringContaining('the expression is false') });
    const looksAfter = () => {
      const gone = cluster.asked.findLastIndex(({ method }) => method === 'DELETE');
      return cluster.asked.slice(gone + 1).length;
    };
    await run({ resources: [pod('probe')] });
    expect(looksAfter()).toBe(0);
    await run({ resources: [pod('probe')], waitFor: { ...QUICK, delete: true } });
    expect(looksAfter()).toBe(1);
  });

  test('shows nothing of what a Secret holds', async () => {
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { key: 'hidden-value' },
    };
    const found = await run({ resources: [secret], waitFor: { disable: true } });
    expect(found).toMatchObject({
      pass: true,
      data: { resources: [{ Object: { stringData: { key: '***' } } }] },
    });
    expect(JSON.stringify(found)).not.toContain('hidden-value');
  });

  test('a refusal of the cluster is told with its own words', async () => {
    const found = await run({ resources: [{ ...pod('a'), kind: 'Spaceship' }] });
    expect(found).toMatchObject({ pass: false, error: 'the cluster serves no v1 Spaceship' });
    await expect(run({ resources: [{ kind: 'Pod' }] })).rejects.toThrow('metadata.name');
  });
});

describe('pod and namespace', () => {
  const spec = `kind: Pod\nmetadata: {name: hello}\nspec: {containers: [{name: web, image: a}]}\n`;
  const base = { httpRetryInterval: 100, httpTimeout: 300, deleteTimeout: 5000, port: 80, path: '/status' };
  const runPod = (more: object = {}) =>
    runKind('pod', { kubeconfig: cluster.kubeconfig, spec, ...base, ...more });

  test('a pod that comes up and answers passes, and is gone afterwards', async () => {
    cluster.pages['/status'] = { body: 'all is well' };
    const found = await runPod({ expectedContent: 'well' });
    expect(found).toMatchObject({ pass: true, data: { results: { code: 200, content: 'all is well' } } });
    expect(paths()).toEqual([]);
    const made = JSON.parse(cluster.asked.find(({ method }) => method === 'POST')?.body ?? '');
    expect(objectAt(made, 'spec')['activeDeadlineSeconds']).toBeGreaterThan(0);
    expect(textOf(objectAt(made, 'metadata')['name'])).toMatch(/^hello-\w{8}$/);
  });

  test('a wrong answer and a pod that does not come up fail, each with its limit', async () => {
    cluster.pages['/status'] = { status: 500 };
    expect(await runPod()).toMatchObject({ pass: false, error: 'status 500, expected 200, 201, 202' });
    cluster.statusOf = () => PENDING;
    expect(await runPod({ readyTimeout: 300 })).toMatchObject({
      pass: false,
      error: expect.stringContaining('was not ready within 300 ms (readyTimeout)'),
    });
    cluster.statusOf = () => ({ phase: 'Failed', reason: 'Evicted', message: 'no room' });
    expect(await runPod()).toMatchObject({ pass: false, error: expect.stringContaining('Evicted') });
    expect(paths()).toEqual([]);
  });

  test('a pod behind an ingress is asked there, without the credentials of the cluster', async () => {
    const shop = await startJsonServer(() => ({ status: 418, body: 'tea' }));
    const own = { ingressHost: `127.0.0.1:${shop.port}`, ingressName: 'door', ingressClass: 'nginx' };
    const limits = { ingressTimeout: 300, scheduleTimeout: 2000, deadline: 60_000 };
    const found = await runPod({ ...own, ...limits, expectedHttpStatuses: [418], priorityClass: 'high' });
    expect(found).toMatchObject({ pass: true, data: { results: { code: 418, content: 'tea' } } });
    expect(shop.asked.map(({ url, headers }) => [url.pathname, headers.authorization])).toEqual([
      ['/status', undefined],
    ]);
    const made = cluster.asked.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []));
    expect(made).toMatchObject([
      { kind: 'Pod', spec: { priorityClassName: 'high', activeDeadlineSeconds: 60 } },
      { kind: 'Service', spec: { ports: [{ port: 80 }] } },
      { kind: 'Ingress', metadata: { name: 'door' }, spec: { ingressClassName: 'nginx' } },
    ]);
    expect(paths()).toEqual([]);
    shop.stop();
    cluster.statusOf = () => ({ phase: 'Pending' });
    expect(await runPod({ scheduleTimeout: 200 })).toMatchObject({
      pass: false,
      error: expect.stringContaining('was not scheduled within 200 ms (scheduleTimeout)'),
    });
  });

  test('a namespace is made with its labels, holds the pod, and goes with it', async () => {
    cluster.pages['/status'] = {};
    const found = await runKind('namespace', {
      kubeconfig: cluster.kubeconfig,
      podSpec: spec,
      namespaceNamePrefix: 'check-',
      namespaceLabels: { team: 'shop' },
      namespaceAnnotations: { why: 'a check' },
      ...base,
    });
    expect(found).toMatchObject({
      pass: true,
      data: { results: { pod: expect.stringMatching(/^Pod check-\w{8}\/hello-/) } },
    });
    expect(paths()).toEqual([]);
    const asked = cluster.asked.map(({ body }) => body).join('');
    expect(asked).toContain('"team":"shop"');
    expect(asked).toContain('"why":"a check"');
  });

  test('what is no manifest is refused, naming the field', async () => {
    await expect(runPod({ spec: 'a: [' })).rejects.toThrow('must be the manifest');
    await expect(runPod({ spec: 'kind: Pod' })).rejects.toThrow('at least one container');
  });
});
