/**
 * pod: one pod of a cluster, followed to its end and taken away (schema §7.4). The pod is gone when the action is over,
 * however it ended; where the server itself is killed, the pod's own deadline ends it.
 */
import { basename } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { V1ContainerStatus } from '@kubernetes/client-node';
import type { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../../src/contract/specs/playbook-spec.ts';
import { openCluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { Cluster } from '../../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { runInPod } from '../../../catalog/scrapers/kinds/kubernetes-file/pod-command.ts';
import type { LeftFile } from '../../../platform/exec/collect-files.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { registered } from '../action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from '../action-kind.ts';
import { openPodCalls, podManifest } from './pod-calls.ts';
import type { PodCalls, PodState } from './pod-calls.ts';
import { KEEPER, podSpecOf, withKeeper } from './pod-manifest.ts';
import type { Json } from './pod-manifest.ts';

type PodActionSpec = z.output<typeof PLAYBOOK_ACTIONS.pod>;

const LOOK_EVERY_MS = 500;
const DEFAULT_LOG_CHARS = 3000;
/** What the cluster, or the guard, did not let come into being. */
const REFUSED: ReadonlySet<string> = new Set(['unauthorized', 'forbidden']);
const STDOUT = '/dev/stdout';
const MAX_FILES = 10;
const MAX_FILE_BYTES = 1024 * 1024;
/** A name that a pod and a label may have, with room for what makes it the action's own. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

interface Rendered {
  name: string;
  namespace: string;
  connection: string;
  spec: Json;
  maxLogChars: number;
  limitMs: number | null;
  artifacts: string[];
}

async function render(given: PodActionSpec, context: RenderContext): Promise<Rendered> {
  const name = await context.fill(given.name);
  if (!NAME.test(name))
    throw new AppError(
      'invalid',
      `pod.name: "${name.slice(0, 100)}" is no name of a pod (a-z, 0-9, -; 40 at most)`,
    );
  const namespace = await context.fill(given.namespace ?? '');
  if (namespace !== '' && !NAMESPACE.test(namespace))
    throw new AppError('invalid', `pod.namespace: "${namespace.slice(0, 100)}" is no name of a namespace`);
  const artifacts = await Promise.all((given.artifacts ?? []).map(({ path }) => context.fill(path)));
  if (artifacts.length > MAX_FILES)
    throw new AppError('invalid', `pod.artifacts: ${artifacts.length} files; ${MAX_FILES} may be kept`);
  const wanted = artifacts.filter((path) => path !== STDOUT);
  return {
    name,
    namespace,
    connection: given.connection ?? '',
    spec: withKeeper(await podSpecOf(given.spec, context), wanted),
    maxLogChars: given.maxLength ?? DEFAULT_LOG_CHARS,
    limitMs: given.timeout === undefined ? null : given.timeout * 60_000,
    artifacts,
  };
}

async function clusterOf({ connection }: Rendered, context: ActionContext): Promise<Cluster> {
  const secret = (value: unknown) => Promise.resolve(String(value));
  if (connection === '') {
    if (context.author !== 'operator')
      throw new AppError(
        'forbidden',
        "pod.connection: is missing; the server's own account in a cluster is for playbooks of files only",
      );
    return openCluster(undefined, { ...context, secret });
  }
  const found = await context.connection(connection);
  if (found === null) throw new AppError('invalid', `pod.connection: ${connection} was not found`);
  if (found.certificate === '')
    throw new AppError('invalid', `pod.connection: ${connection} has no kubeconfig in its certificate`);
  return openCluster(found.certificate, { ...context, secret });
}

function namespaceOf({ config }: Cluster, wanted: string): string {
  const own = config.getContextObject(config.getCurrentContext())?.namespace ?? '';
  return wanted || own || 'default';
}

interface Watching {
  pod: PodCalls;
  rendered: Rendered;
  context: ActionContext;
  /** All that the containers wrote. */
  logs: string[];
  problems: string[];
}

/** Looks until the state is as wanted; throws why the pod can't get there. */
async function stateWhen(
  { pod, context }: Watching,
  isWanted: (state: PodState) => boolean,
): Promise<PodState> {
  const { platform, signal } = context;
  for (;;) {
    signal.throwIfAborted();
    const state = await pod.state();
    if (isWanted(state)) return state;
    // An earlier container failed: this one never begins.
    if (state.isOver && state.problem === null) return state;
    if (state.problem !== null) throw new AppError('invalid', `pod: ${state.problem.slice(0, 500)}`);
    await platform.sleep(LOOK_EVERY_MS, signal);
  }
}

const statusOf = ({ containers }: PodState, name: string): V1ContainerStatus['state'] =>
  containers.find((one) => one.name === name)?.state;
const hasEnded = (state: PodState, name: string) => statusOf(state, name)?.terminated !== undefined;

/** Tells what a container writes, line by line; answers how it ended. */
async function followed(name: string, isAlone: boolean, watching: Watching): Promise<PodState> {
  const { pod, context, logs, problems } = watching;
  const hasBegun = (state: PodState) => statusOf(state, name)?.running !== undefined || hasEnded(state, name);
  const begun = await stateWhen(watching, hasBegun);
  if (!hasBegun(begun)) return begun;
  const decoder = new StringDecoder('utf8');
  let open = '';
  const tell = (text: string, isLast: boolean) => {
    const all = open + text;
    const end = isLast ? all.length : all.lastIndexOf('\n') + 1;
    open = all.slice(end);
    const lines = all.slice(0, end);
    if (lines === '') return;
    const shown = isAlone ? lines : lines.replaceAll(/^(?=[^\n])/gm, `[${name}] `);
    logs.push(shown);
    context.output('stdout', shown);
  };
  try {
    await pod.follow(name, (part) => tell(decoder.write(part), false));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AppError) || error.code === 'bad_payload') throw error;
    // How the container ends is another question than whether its log could be read.
    problems.push(`the log of ${name} ends early: ${error.message}`);
  }
  tell(decoder.end(), true);
  return stateWhen(watching, (state) => hasEnded(state, name));
}

function namesOf(spec: Json, key: string): string[] {
  const list = spec[key];
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const { name } = one as { name?: unknown };
    return typeof name === 'string' && name !== KEEPER ? [name] : [];
  });
}

/** How the containers ended; the first one that failed ends it all. */
async function watched(watching: Watching): Promise<{ error: string | null; containers: object[] }> {
  const { spec } = watching.rendered;
  const names = [...namesOf(spec, 'initContainers'), ...namesOf(spec, 'containers')];
  const ended = await Promise.all(names.map((name) => followed(name, names.length === 1, watching)));
  const containers = names.map((name, at) => {
    const last = ended[at] === undefined ? undefined : statusOf(ended[at], name)?.terminated;
    return { name, exitCode: last?.exitCode ?? -1, reason: last?.reason ?? 'did not begin' };
  });
  const failed = containers.find(({ exitCode }) => exitCode !== 0);
  const error =
    failed === undefined
      ? null
      : `container ${failed.name}: exit code ${failed.exitCode} ${failed.reason}`.trim();
  return { error, containers };
}

async function filesOf(
  cluster: Cluster,
  { namespace, name }: { namespace: string; name: string },
  { rendered, context, logs, problems }: Watching,
): Promise<LeftFile[]> {
  const files: LeftFile[] = [];
  for (const path of rendered.artifacts) {
    try {
      const place = { namespace, pod: name, container: KEEPER };
      const command = ['cat', '--', path];
      const content =
        path === STDOUT
          ? Buffer.from(logs.join(''))
          : await runInPod(cluster, { place, command, what: path }, context);
      if (content.length > MAX_FILE_BYTES)
        problems.push(`artifacts: ${path} is larger than ${MAX_FILE_BYTES} bytes and is left out`);
      else files.push({ name: path === STDOUT ? 'stdout.log' : basename(path), content });
    } catch (error) {
      if (context.signal.aborted) throw error;
      problems.push(`artifacts: ${reasonOf(error)}`);
    }
  }
  return files;
}

/** A pod that can't be taken away is told of, and ends by its own deadline. */
async function removed(
  pod: PodCalls,
  { namespace, name, output }: { namespace: string; name: string; output: ActionContext['output'] },
): Promise<void> {
  try {
    await pod.remove();
  } catch (error) {
    output('stderr', `the pod ${namespace}/${name} could not be taken away: ${reasonOf(error)}\n`);
  }
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const cluster = await clusterOf(rendered, context);
  const namespace = namespaceOf(cluster, rendered.namespace);
  const limitMs = Math.min(context.timeoutMs, rendered.limitMs ?? Infinity);
  const name = `${rendered.name}-${context.actionId.replaceAll('-', '').slice(-12)}`;
  const place = { namespace, name };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(limitMs)]);
  const bounded = { ...context, signal, timeoutMs: limitMs };
  const pod = await openPodCalls(cluster, place, bounded);
  const watching: Watching = { pod, rendered, context: bounded, logs: [], problems: [] };
  const resultOf = () => ({
    Logs: watching.logs.join('').slice(-rendered.maxLogChars),
    pod: `${namespace}/${name}`,
    ...(watching.problems.length > 0 ? { problems: watching.problems } : {}),
  });
  const deadlineSeconds = Math.ceil(limitMs / 1000);
  let mayBeThere = true;
  try {
    await pod.create(podManifest(rendered.spec, { ...place, runId: context.runId, deadlineSeconds }));
    const { error, containers } = await watched(watching);
    const files = await filesOf(cluster, place, watching);
    return { error, files, result: { ...resultOf(), containers } };
  } catch (error) {
    mayBeThere = !(error instanceof AppError && REFUSED.has(error.code) && watching.logs.length === 0);
    const isLate = signal.aborted && !context.signal.aborted;
    const reason = isLate ? `pod.timeout: took longer than ${limitMs / 60_000} min` : reasonOf(error);
    return { error: reason, result: resultOf() };
  } finally {
    if (mayBeThere) await removed(pod, { ...place, output: context.output });
  }
}

/** A pod that runs once. */
export const podAction = registered({ name: 'pod', schema: PLAYBOOK_ACTIONS.pod, render, run });
