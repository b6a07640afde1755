/** kubernetes: logs of the pods that the selector's labels select, by the API server of a cluster. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { KubernetesSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { timeOfLine } from '../../../src/domain/logs/line-time.ts';
import { openCluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { Cluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { callService, refusalOf } from '../../catalog/scrapers/kinds/services/service-call.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { boundedMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { filledIn } from './placeholders.ts';

const MAX_PODS = 50;
/** Of the log of one container. */
const MAX_BYTES = 8 * 1024 * 1024;
const AT_ONCE = 5;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const LABEL_NAME = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

const podsSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
      spec: z.object({ containers: z.array(z.object({ name: z.string() })) }),
    }),
  ),
});

interface Source {
  pod: string;
  container: string;
}

/** Throws for labels that Kubernetes does not have: escaped wrongly, they would be another selector. */
export function podSelectorOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels);
  if (pairs.length === 0)
    throw new AppError('invalid', 'the log selector has no labels, and pods are found by them');
  for (const [name, value] of pairs)
    if (!LABEL_NAME.test(name) || !LABEL_VALUE.test(value))
      throw new AppError('invalid', `labels: ${name}=${value.slice(0, 100)} is no label of a pod`);
  return pairs.map(([name, value]) => `${name}=${value}`).join(',');
}

function namespaceOf(spec: KubernetesSpec, question: LogQuestion): string {
  const { text } = filledIn('namespace', spec.namespace ?? '$(namespace)', {
    question,
    write: (value) => value,
  });
  if (!NAMESPACE.test(text))
    throw new AppError('invalid', `namespace: "${text.slice(0, 100)}" is no namespace`);
  return text;
}

async function sourcesOf(
  cluster: Cluster,
  spec: KubernetesSpec,
  place: { namespace: string; selector: string },
): Promise<{ sources: Source[]; notes: string[] }> {
  const path = `/api/v1/namespaces/${place.namespace}/pods`;
  const parsed = podsSchema.safeParse(await cluster.get(path, { labelSelector: place.selector }));
  if (!parsed.success) throw new AppError('bad_payload', 'the cluster answered no list of pods');
  const pods = parsed.data.items;
  if (pods.length === 0)
    return { sources: [], notes: [`No pod in ${place.namespace} has the labels ${place.selector}`] };
  const sources = pods
    .slice(0, MAX_PODS)
    .flatMap((pod) =>
      pod.spec.containers
        .filter(({ name }) => spec.container === undefined || name === spec.container)
        .map(({ name }) => ({ pod: pod.metadata.name, container: name })),
    );
  const notes = pods.length > MAX_PODS ? [`Only ${MAX_PODS} of ${pods.length} pods were looked at`] : [];
  return { sources, notes };
}

interface PodLog {
  lines: BackendLine[];
  isCut: boolean;
}

async function logOf(
  cluster: Cluster,
  { pod, container, namespace }: Source & { namespace: string },
  { question, context }: { question: LogQuestion; context: BackendContext },
): Promise<PodLog> {
  const path = `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(pod)}/log`;
  const url = new URL(`${cluster.server}${path}`);
  const query = {
    container,
    timestamps: 'true',
    sinceTime: new Date(question.startMs).toISOString(),
    // The range may end before the newest line, which only the lines themselves say.
    ...(question.endMs >= context.now() ? { tailLines: String(question.limit + 1) } : {}),
    limitBytes: String(MAX_BYTES),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { headers, tls } = cluster;
  const answer = await callService(context, {
    method: 'GET',
    url,
    headers: { ...headers, accept: '*/*' },
    body: null,
    tls,
  });
  if (answer.statusCode !== 200) throw refusalOf(`pod ${pod}`, answer.statusCode);
  const labels = { namespace, pod, container };
  const { startMs, endMs, limit } = question;
  const texts = answer.body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const all = texts.flatMap((line): BackendLine[] => {
    const [, stamp = '', message = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? [];
    const atMs = timeOfLine(stamp, context.now());
    return atMs === null || atMs < startMs || atMs > endMs
      ? []
      : [{ atMs, message: boundedMessage(message), labels }];
  });
  const newestFirst = all.toReversed().toSorted((a, b) => b.atMs - a.atMs);
  return {
    lines: newestFirst.slice(0, limit),
    isCut: newestFirst.length > limit || answer.body.length >= MAX_BYTES,
  };
}

/** Whether it answers: without a selector no pods are meant. */
async function tryOut({ kubeconfig }: KubernetesSpec, context: BackendContext): Promise<BackendAnswer> {
  const cluster = await openCluster(kubeconfig, context);
  await cluster.get('/version');
  return { lines: [], isCut: false, held: [] };
}

async function read(
  spec: KubernetesSpec,
  question: LogQuestion,
  context: BackendContext,
): Promise<BackendAnswer> {
  if (question.isTrial === true) return tryOut(spec, context);
  const place = { namespace: namespaceOf(spec, question), selector: podSelectorOf(question.labels) };
  const cluster = await openCluster(spec.kubeconfig, context);
  const { sources, notes } = await sourcesOf(cluster, spec, place);
  const logs: PodLog[] = [];
  const problems: string[] = [];
  for (let at = 0; at < sources.length; at += AT_ONCE) {
    const some = sources.slice(at, at + AT_ONCE).map(async (source) => {
      try {
        logs.push(await logOf(cluster, { ...source, namespace: place.namespace }, { question, context }));
      } catch (error) {
        if (context.signal.aborted) throw error;
        problems.push(reasonOf(error));
      }
    });
    await Promise.all(some);
  }
  if (logs.length === 0 && problems.length > 0) throw new AppError('server', problems[0] ?? '');
  return {
    ...merged(logs, question.limit),
    held: Object.keys(question.labels),
    notes: [...notes, ...problems],
  };
}

/** Complete down to where the first of the logs that were cut ended. */
function merged(logs: readonly PodLog[], limit: number): Pick<BackendAnswer, 'lines' | 'isCut'> {
  const floor = Math.max(...logs.flatMap(({ isCut, lines }) => (isCut ? [lines.at(-1)?.atMs ?? 0] : [])), 0);
  const all = logs.flatMap(({ lines }) => lines).filter(({ atMs }) => atMs >= floor);
  const lines = all.toSorted((a, b) => b.atMs - a.atMs).slice(0, limit);
  return { lines, isCut: all.length > limit || logs.some(({ isCut }) => isCut) };
}

export const kubernetesBackend: LogBackendKind<KubernetesSpec> = { kind: 'kubernetes', read };
