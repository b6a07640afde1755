/**
 * A pod from beginning to end: it is made, scheduled, ready, asked by HTTP where a port is given, and taken away. It is
 * asked by the cluster's own proxy, or, with `ingressHost`, through a Service and an Ingress that are made for it.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import { listOf, objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import type { Json } from '../../../catalog/scrapers/health/health.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { callHttp } from '../../kind/http-call.ts';
import type { HttpCall } from '../../kind/http-call.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { judgedObject } from './cluster-place.ts';
import type { ClusterObjects, Place } from './cluster-objects.ts';
import type { PodSpec } from './pod-spec.ts';

const DEFAULTS = {
  scheduleTimeout: 30_000,
  readyTimeout: 60_000,
  httpTimeout: 10_000,
  deleteTimeout: 60_000,
  ingressTimeout: 30_000,
  httpRetryInterval: 1500,
};
const LOOK_MS = 300;
const GRACE_SECONDS = 5;
const MOST_NAME = 50;

type Timing = keyof typeof DEFAULTS;
/** As given, or as it is otherwise. */
const msOf = (spec: PodSpec, field: Timing): number => spec[field] ?? DEFAULTS[field];

/** All waits together, or what the check allows. */
export function budgetOf(spec: PodSpec): number {
  const all = (Object.keys(DEFAULTS) as Timing[]).reduce((sum, field) => sum + msOf(spec, field), 0);
  return Math.min(spec.deadline ?? all, all);
}

interface PodPlace {
  spec: PodSpec;
  cluster: Cluster;
  objects: ClusterObjects;
  namespace: string;
  /** Stands behind its name: two runs never have the same. */
  suffix: string;
  at: Probe;
}

/** The pod as it is made, ended by its cluster where this server can't. */
function podOf(manifest: Json, { spec, namespace, suffix, at }: PodPlace): Json {
  const metadata = objectAt(manifest, 'metadata');
  const own = (textOf(metadata['name']) || 'check').slice(0, MOST_NAME);
  const labels = { ...objectAt(metadata, 'labels'), 'holdfast/pod': suffix };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name: `${own}-${suffix}`, namespace, labels },
    spec: {
      activeDeadlineSeconds: Math.ceil(at.limitMs / 1000),
      terminationGracePeriodSeconds: GRACE_SECONDS,
      ...(spec.priorityClass === undefined ? {} : { priorityClassName: spec.priorityClass }),
      ...objectAt(manifest, 'spec'),
    },
  };
}

const hasCondition = (pod: Json, wanted: string): boolean =>
  listOf(objectAt(pod, 'status')['conditions']).some(
    ({ type, status }) => type === wanted && status === 'True',
  );

/** ms until the pod has the condition; throws with what it says of itself where it has not in time. */
async function reached(
  place: Place,
  condition: string,
  { field, within }: { field: Timing; within: PodPlace },
) {
  const { at, objects, spec } = within;
  const startedMs = at.platform.now();
  const limitMs = msOf(spec, field);
  for (;;) {
    const pod = await objects.read(place);
    if (pod === null) throw new AppError('network', `${place.what} is gone`);
    const tookMs = at.platform.now() - startedMs;
    if (hasCondition(pod, condition)) return tookMs;
    const { status, message } = judgedObject(pod, at.platform.now());
    const said = [status, message].filter((text) => text !== '').join(': ');
    if (objectAt(pod, 'status')['phase'] === 'Failed')
      throw new AppError('network', `${place.what}: ${said}`);
    if (tookMs >= limitMs) {
      const what = condition === 'Ready' ? 'ready' : 'scheduled';
      throw new AppError('network', `${place.what} was not ${what} within ${limitMs} ms (${field}): ${said}`);
    }
    await at.platform.sleep(LOOK_MS, at.signal);
    at.signal.throwIfAborted();
  }
}

function serviceAndIngress(name: string, { spec, namespace, suffix }: PodPlace): Json[] {
  const port = spec.port ?? 80;
  const backend = { service: { name, port: { number: port } } };
  const path = { path: '/', pathType: 'Prefix', backend };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: { 'holdfast/pod': suffix }, ports: [{ port, targetPort: port }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: spec.ingressName ?? name, namespace },
      spec: {
        ...(spec.ingressClass === undefined ? {} : { ingressClassName: spec.ingressClass }),
        rules: [{ host: spec.ingressHost, http: { paths: [path] } }],
      },
    },
  ];
}

interface Answer {
  code: number;
  content: string;
}

function complaint(
  { expectedHttpStatuses: codes = [200, 201, 202], expectedContent = '' }: PodSpec,
  answer: Answer,
) {
  if (!codes.includes(answer.code)) return `status ${answer.code}, expected ${codes.join(', ')}`;
  return answer.content.includes(expectedContent) ? null : `the answer does not contain "${expectedContent}"`;
}

/** Through the cluster, with its credentials; or to the ingress, without any. */
function askedAt(pod: Place, { spec, cluster }: PodPlace): HttpCall {
  const path = `/${(spec.path ?? '').replace(/^\/+/, '')}`;
  if (spec.ingressHost !== undefined) return { url: new URL(`http://${spec.ingressHost}${path}`) };
  const url = new URL(`${cluster.server}${pod.path}:${spec.port ?? 80}/proxy${path}`);
  return { url, headers: cluster.headers, tls: cluster.tls };
}

async function asked(pod: Place, within: PodPlace): Promise<Answer & { error: string | null }> {
  const { spec, at } = within;
  const call = askedAt(pod, within);
  const limitMs = msOf(spec, spec.ingressHost === undefined ? 'httpTimeout' : 'ingressTimeout');
  const untilMs = at.platform.now() + limitMs;
  for (;;) {
    let answer: Answer = { code: 0, content: '' };
    let error: string | null;
    try {
      const { statusCode, body } = await callHttp(at, call);
      answer = { code: statusCode, content: body.toString('utf8').slice(0, 10_000) };
      error = complaint(spec, answer);
    } catch (thrown) {
      if (thrown instanceof AppError && ['forbidden', 'invalid'].includes(thrown.code)) throw thrown;
      error = reasonOf(thrown);
    }
    if (error === null || at.platform.now() >= untilMs) return { ...answer, error };
    await at.platform.sleep(msOf(spec, 'httpRetryInterval'), at.signal);
    at.signal.throwIfAborted();
  }
}

/** Makes it, waits, asks; what it made is noted in `made` as soon as it may be there. */
export async function podLife(manifest: Json, within: PodPlace, made: Place[]): Promise<Found> {
  const { spec, objects } = within;
  const body = podOf(manifest, within);
  const pod = await objects.create(body);
  made.push(pod);
  const scheduledMs = await reached(pod, 'PodScheduled', { field: 'scheduleTimeout', within });
  const readyMs = await reached(pod, 'Ready', { field: 'readyTimeout', within });
  const results = { pod: pod.what, scheduledMs, readyMs };
  if (spec.port === undefined && spec.path === undefined && spec.ingressHost === undefined)
    return { data: { results } };
  if (spec.ingressHost !== undefined)
    for (const object of serviceAndIngress(textOf(objectAt(body, 'metadata')['name']), within))
      made.push(await objects.create(object));
  const { code, content, error } = await asked(pod, within);
  return { data: { results: { ...results, code, content } }, error };
}

async function gone(place: Place, { spec, objects, at }: PodPlace): Promise<void> {
  const limitMs = msOf(spec, 'deleteTimeout');
  await objects.remove(place);
  const untilMs = at.platform.now() + limitMs;
  while (!at.signal.aborted && (await objects.read(place)) !== null) {
    if (at.platform.now() >= untilMs)
      throw new AppError('network', `it is there ${limitMs} ms (deleteTimeout) later`);
    await at.platform.sleep(LOOK_MS, at.signal);
  }
}

/** Takes all of it away and waits until it is gone; answers what could not be. */
export async function takeAway(made: readonly Place[], within: PodPlace): Promise<string | null> {
  const left: string[] = [];
  for (const place of made.toReversed()) {
    try {
      await gone(place, within);
    } catch (error) {
      left.push(`${place.what} could not be taken away: ${reasonOf(error)}`);
    }
  }
  return left.length === 0 ? null : left.join('; ');
}
