/**
 * junit: a pod runs tests and leaves JUnit reports in a folder (schema §4.1). A second container keeps the folder until
 * the reports are read, by the cluster's exec; then the pod goes.
 */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { runInPod } from '../../../catalog/scrapers/kinds/kubernetes-file/pod-command.ts';
import { KEEPER, withKeeper } from '../../../playbooks/actions/pod/pod-manifest.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, required } from '../../kind/spec-fields.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { markOf } from './check-mark.ts';
import { CLUSTER_NEEDS, clusterFields, clusterOf } from './cluster-place.ts';
import { openObjects } from './cluster-objects.ts';
import type { ClusterObjects, Place } from './cluster-objects.ts';
import { readReport, totalsOf } from './junit-report.ts';
import type { TestReport } from './junit-report.ts';
import { trimEnd } from '../../../../src/lib/trim-end.ts';

const schema = z.strictObject({
  ...common,
  ...clusterFields,
  thresholdMillis: count.optional(),
  testResults: required.pipe(z.string().regex(/^\/[^*?[\]]+$/, 'must be the whole path of a folder')),
  /** Minutes; at most 15. */
  timeout: z.number().min(1).max(15).optional(),
  /** Of a pod. */
  spec: z
    .record(z.string(), z.unknown())
    .refine((value) => listOf(value['containers']).length > 0, 'containers: name at least one'),
});
type JunitSpec = z.output<typeof schema>;

const DEFAULT_MINUTES = 5;
const CALLS_MS = 60_000;
const LOOK_MS = 1000;
const MAX_FILES = 50;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const STUCK = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
]);

interface Run {
  spec: JunitSpec;
  at: Probe;
  cluster: Cluster;
  objects: ClusterObjects;
  pod: { namespace: string; name: string };
}

function podOf({ spec, at, pod }: Run): Json {
  const folder = trimEnd(spec.testResults, '/');
  const kept = withKeeper({ ...spec.spec }, [`${folder}/report.xml`]);
  const deadline = Math.ceil(at.limitMs / 1000);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: pod,
    spec: { activeDeadlineSeconds: deadline, ...kept, restartPolicy: 'Never' },
  };
}

/** Waits until all containers but the keeper have ended. */
async function ended(place: Place, { at, objects }: Run): Promise<void> {
  for (;;) {
    const pod = await objects.read(place);
    if (pod === null) throw new AppError('network', `${place.what} is gone`);
    const status = objectAt(pod, 'status');
    const all = listOf(status['containerStatuses']);
    const waiting = all
      .map((one) => ({ name: textOf(one['name']), state: objectAt(one, 'state', 'waiting') }))
      .find(({ state }) => STUCK.has(textOf(state['reason'])));
    if (waiting !== undefined)
      throw new AppError(
        'network',
        `${waiting.name}: ${textOf(waiting.state['reason'])}: ${textOf(waiting.state['message'])}`,
      );
    if (status['phase'] === 'Failed')
      throw new AppError(
        'network',
        `${place.what}: ${textOf(status['reason']) || 'failed'} ${textOf(status['message'])}`,
      );
    const others = all.filter(({ name }) => name !== KEEPER);
    const isOver = ({ state }: Json) => Object.keys(objectAt({ state }, 'state', 'terminated')).length > 0;
    if (others.length > 0 && others.every(isOver)) return;
    await at.platform.sleep(LOOK_MS, at.signal);
    at.signal.throwIfAborted();
  }
}

async function reportOf({ spec, at, cluster, pod }: Run): Promise<TestReport> {
  const place = { namespace: pod.namespace, pod: pod.name, container: KEEPER };
  const inPod = (command: readonly string[], what: string) => runInPod(cluster, { place, command, what }, at);
  const found = await inPod(['find', spec.testResults, '-type', 'f', '-name', '*.xml'], spec.testResults);
  const files = found
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .toSorted();
  if (files.length === 0)
    throw new AppError('network', `testResults: the tests left no .xml file in ${spec.testResults}`);
  if (files.length > MAX_FILES)
    throw new AppError('bad_payload', `testResults: more than ${MAX_FILES} files of reports`);
  const suites = [];
  for (const file of files) {
    const xml = await inPod(['head', '-c', String(MAX_FILE_BYTES + 1), file], file);
    if (xml.length > MAX_FILE_BYTES)
      throw new AppError('bad_payload', `${file}: is longer than ${MAX_FILE_BYTES} bytes`);
    suites.push(...readReport(file, xml.toString('utf8')));
  }
  return { ...totalsOf(suites.flatMap(({ tests }) => tests)), suites };
}

function foundOf(results: TestReport, hasTest: boolean): Found {
  const bad = results.failed + results.error;
  const all = results.passed + results.skipped + bad;
  const message = `${results.passed} of ${all} passed`;
  return { data: { results }, message, error: bad > 0 && !hasTest ? `${bad} of ${all} tests failed` : null };
}

function run(spec: JunitSpec, context: KindContext): Promise<KindResult> {
  const { thresholdMillis, timeout = DEFAULT_MINUTES } = spec;
  const budgetMs = timeout * 60_000 + CALLS_MS;
  return probe({ thresholdMillis, budgetMs }, context, async (at) => {
    const cluster = await clusterOf(spec, at);
    const mark = markOf(at, spec.namespace);
    const objects = openObjects(cluster, at, mark);
    const name = `junit-${at.platform.newId().replaceAll('-', '').slice(-8).toLowerCase()}`;
    const work: Run = { spec, at, cluster, objects, pod: { namespace: mark.namespace, name } };
    const pod = podOf(work);
    await objects.removeLeft([pod]);
    const place = await objects.create(pod);
    let left: string | null = null;
    let found: Found;
    try {
      await ended(place, work);
      found = foundOf(await reportOf(work), spec.test !== undefined);
    } finally {
      left = await objects.remove(place).then(
        () => null,
        (error: unknown) => `${place.what} could not be taken away: ${reasonOf(error)}`,
      );
    }
    return { ...found, error: found.error ?? left };
  });
}

/** Tests that run in a pod. */
export const junitKind = registeredKind({
  key: 'junit',
  title: 'JUnit tests',
  needs: `${CLUSTER_NEEDS}; an account that may make pods and run commands in them`,
  testedAgainst: 'stand-in',
  example: {
    name: 'end to end',
    namespace: 'default',
    testResults: '/results/',
    timeout: 10,
    kubeconfig: { valueFrom: { secretKeyRef: { name: 'cluster', key: 'kubeconfig' } } },
    spec: { containers: [{ name: 'tests', image: 'registry.example.com/shop/tests:1' }] },
    test: { expr: 'results.failed == 0 && results.passed > 0' },
  },
  schema,
  run,
});
