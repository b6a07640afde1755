/**
 * kubernetesResource: makes objects in a cluster, waits until they are ready, runs checks against them and takes them away
 * again (schema §4.1). `staticResources` stay; what an earlier run left of `resources` goes first.
 */
import { z } from 'zod';
import { parseDuration } from '../../../../src/domain/check/duration.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { isRecord } from '../../../../src/lib/is-record.ts';
import { objectAt, textOf } from '../../../catalog/scrapers/health/health.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import type { InnerCheck, KindContext, KindResult } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Found, Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, durationText } from '../../kind/spec-fields.ts';
import { markOf } from './check-mark.ts';
import { CLUSTER_NEEDS, clusterFields, clusterOf, judgedObject } from './cluster-place.ts';
import type { JudgedObject } from './cluster-place.ts';
import { openObjects, waitUntilGone } from './cluster-objects.ts';
import type { ClusterObjects, Place } from './cluster-objects.ts';

const MAX_OBJECTS = 50;
const manifest = z
  .record(z.string(), z.unknown())
  .refine(
    (value) =>
      textOf(value['apiVersion']) !== '' &&
      textOf(value['kind']) !== '' &&
      textOf(objectAt(value, 'metadata')['name']) !== '',
    'needs apiVersion, kind and metadata.name',
  );
const manifests = z.array(manifest).max(MAX_OBJECTS);

const schema = z.strictObject({
  ...common,
  ...clusterFields,
  thresholdMillis: count.optional(),
  resources: manifests.min(1, 'is required'),
  staticResources: manifests.optional(),
  waitFor: z
    .strictObject({
      expr: z.string().optional(),
      disable: z.boolean().optional(),
      /** Waits until they are gone again, too. */
      delete: z.boolean().optional(),
      timeout: durationText.optional(),
      interval: durationText.optional(),
    })
    .optional(),
  checks: z.array(z.record(z.string(), z.unknown())).max(20).optional(),
  checkRetries: z
    .strictObject({
      delay: durationText.optional(),
      timeout: durationText.optional(),
      interval: durationText.optional(),
    })
    .optional(),
  /** What an earlier run left goes first, unless it is false. */
  clearResources: z.boolean().optional(),
});
type Spec = z.output<typeof schema>;

const WAIT = { timeout: '10m', interval: '5s' };
const RETRIES = { delay: '0s', timeout: '1m', interval: '5s' };
/** To make and take away; what is waited for comes on top. */
const CALLS_MS = 60_000;
const MIN_INTERVAL_MS = 200;
const READY = 'dyn(resources).all(r, k8s.isReady(r))';

const msOf = (text: string | undefined, otherwise: string): number =>
  parseDuration(text || otherwise) ?? parseDuration(otherwise) ?? 0;

function budgetOf({ waitFor = {}, checks = [], checkRetries = {} }: Spec): number {
  const wait = waitFor.disable === true ? 0 : msOf(waitFor.timeout, WAIT.timeout);
  const gone = waitFor.delete === true ? msOf(waitFor.timeout, WAIT.timeout) : 0;
  const { delay, timeout } = checkRetries;
  const inner = checks.length === 0 ? 0 : msOf(delay, RETRIES.delay) + msOf(timeout, RETRIES.timeout);
  return CALLS_MS + wait + gone + inner;
}

/** Scripts of checks within are filled by those themselves. */
const OWN_SCRIPTS = new Set(['test', 'display', 'transform']);

async function filled(value: unknown, variables: Record<string, unknown>, at: Probe): Promise<unknown> {
  if (typeof value === 'string') return value.includes('{{') ? at.template(value, variables) : value;
  if (Array.isArray(value)) return Promise.all(value.map((one) => filled(one, variables, at)));
  if (!isRecord(value)) return value;
  const made: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value))
    made[key] = OWN_SCRIPTS.has(key) ? one : await filled(one, variables, at);
  return made;
}

interface Work {
  spec: Spec;
  at: Probe;
  objects: ClusterObjects;
  made: Place[];
  kept: Place[];
}

async function seen(places: readonly Place[], { objects, at }: Work): Promise<JudgedObject[]> {
  const found = await Promise.all(places.map((place) => objects.read(place)));
  return found.map((object, index) => {
    if (object === null) throw new AppError('network', `${places[index]?.what ?? ''} is gone`);
    return judgedObject(object, at.platform.now());
  });
}

const stateOf = async (work: Work) => ({
  resources: await seen(work.made, work),
  staticResources: await seen(work.kept, work),
});
type State = Awaited<ReturnType<typeof stateOf>>;

const notReady = ({ resources }: State): string =>
  resources
    .filter(({ ready }) => !ready)
    .map(({ Object: { kind }, name, status, message }) =>
      [`${textOf(kind)} ${name} is ${status || 'not ready'}`, message]
        .filter((text) => text !== '')
        .join(': '),
    )
    .join('; ');

/** Null when what is waited for is so; otherwise how far it came. */
async function waited(work: Work): Promise<string | null> {
  const { waitFor = {} } = work.spec;
  if (waitFor.disable === true) return null;
  const { at } = work;
  const limitMs = msOf(waitFor.timeout, WAIT.timeout);
  const untilMs = at.platform.now() + limitMs;
  for (;;) {
    const state = await stateOf(work);
    if (await at.holds(waitFor.expr || READY, state)) return null;
    if (at.platform.now() >= untilMs)
      return `waitFor: not so within ${waitFor.timeout || WAIT.timeout}: ${notReady(state) || 'the expression is false'}`;
    await at.platform.sleep(Math.max(msOf(waitFor.interval, WAIT.interval), MIN_INTERVAL_MS), at.signal);
    at.signal.throwIfAborted();
  }
}

async function innerChecks(work: Work): Promise<InnerCheck[]> {
  const { spec, at } = work;
  const found: InnerCheck[] = [];
  for (const one of spec.checks ?? []) {
    const made = await filled(one, await stateOf(work), at);
    found.push(...(await at.checks(isRecord(made) ? made : {})));
  }
  return found;
}

const isWell = ({ pass, notRun }: InnerCheck) => pass && notRun === null;

/** Again until all pass; what is wrong with a specification or can't be run here is no better the next time. */
async function checked(work: Work): Promise<InnerCheck[]> {
  const { spec, at } = work;
  if ((spec.checks ?? []).length === 0) return [];
  const { delay, timeout, interval } = spec.checkRetries ?? {};
  await at.platform.sleep(msOf(delay, RETRIES.delay), at.signal);
  const untilMs = at.platform.now() + msOf(timeout, RETRIES.timeout);
  for (;;) {
    const found = await innerChecks(work);
    const isFinal = found.every((one) => isWell(one) || one.invalid);
    if (isFinal || at.platform.now() >= untilMs) return found;
    await at.platform.sleep(Math.max(msOf(interval, RETRIES.interval), MIN_INTERVAL_MS), at.signal);
    at.signal.throwIfAborted();
  }
}

const shown = ({ Object: { kind }, name, namespace, health, status }: JudgedObject) => ({
  kind,
  name,
  namespace,
  health,
  status,
});

async function attempt(work: Work): Promise<Found> {
  const { spec, at, objects, made, kept } = work;
  for (const object of spec.staticResources ?? [])
    kept.push(await objects.apply(objectAt({ o: await filled(object, {}, at) }, 'o')));
  if (spec.clearResources !== false) await objects.removeLeft(spec.resources);
  const before = { staticResources: await seen(kept, work) };
  for (const object of spec.resources)
    made.push(await objects.create(objectAt({ o: await filled(object, before, at) }, 'o')));
  const late = await waited(work);
  const checks = late === null ? await checked(work) : [];
  const state = await stateOf(work);
  const display = Object.fromEntries(checks.map(({ name, message }) => [name, message]));
  const bad = checks
    .filter((one) => !isWell(one))
    .map(({ name, error, notRun }) => `${name}: ${notRun ?? error}`);
  const results = { resources: state.resources.map(shown), checks };
  return { data: { ...state, display, results }, error: late ?? (bad.length === 0 ? null : bad.join('; ')) };
}

/** Last made, first taken away. Answers what could not be. */
async function takeAway({ spec, objects, made, at }: Work): Promise<string | null> {
  const left: string[] = [];
  for (const place of made.toReversed()) {
    try {
      await objects.remove(place);
      if (spec.waitFor?.delete === true) await waitUntilGone(objects, place, at);
    } catch (error) {
      left.push(`${place.what} could not be taken away: ${reasonOf(error)}`);
    }
  }
  return left.length === 0 ? null : left.join('; ');
}

function run(spec: Spec, context: KindContext): Promise<KindResult> {
  const { thresholdMillis } = spec;
  return probe({ thresholdMillis, budgetMs: budgetOf(spec) }, context, async (at) => {
    const cluster = await clusterOf(spec, at);
    const objects = openObjects(cluster, at, markOf(at, spec.namespace));
    const work: Work = { spec, at, objects, made: [], kept: [] };
    let left: string | null = null;
    let found: Found;
    try {
      found = await attempt(work);
    } finally {
      left = await takeAway(work);
    }
    return { ...found, error: found.error ?? left };
  });
}

/** Objects that come up, are checked, and go. */
export const kubernetesResourceKind = registeredKind({
  key: 'kubernetesResource',
  type: 'kubernetes_resource',
  title: 'Kubernetes resources',
  needs: `${CLUSTER_NEEDS}; an account that may make and delete them`,
  testedAgainst: 'stand-in',
  example: {
    name: 'a pod comes up',
    namespace: 'default',
    kubeconfig: { valueFrom: { secretKeyRef: { name: 'cluster', key: 'kubeconfig' } } },
    resources: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'probe' },
        spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] },
      },
    ],
    waitFor: { expr: READY, timeout: '2m', interval: '2s' },
  },
  schema,
  run,
});
