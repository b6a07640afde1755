/** kubernetes: logs of the pods that the selector's labels select, by the API server of a cluster. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { KubernetesSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { timeOfLine } from '../../../src/domain/logs/line-time.ts';
import { openCluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import type { Cluster } from '../../catalog/scrapers/kinds/kubernetes/kube-config.ts';
import { callService, refusalOf } from '../../catalog/scrapers/kinds/services/service-call.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { givenMessage } from './log-backend.ts';
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
const MIB = 1024 * 1024;
const MAX_BYTES = 8 * MIB;
const MAX_HALVINGS = 12;
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
  if (sources.length === 0)
    notes.push(
      `container: no pod in ${place.namespace} with the labels ${place.selector} has a container ${spec.container ?? ''}`,
    );
  return { sources, notes };
}

interface PodLog {
  lines: BackendLine[];
  /** Complete down to here; null where everything in the range was read. */
  reachedMs: number | null;
  notes: readonly string[];
}

interface Asked {
  question: LogQuestion;
  context: BackendContext;
}

type Place = Source & { namespace: string };

/** What the container wrote since then, from the oldest line on: no more than `MAX_BYTES` of it. */
async function bodySince(
  cluster: Cluster,
  { pod, container, namespace }: Place,
  { question, context, sinceMs }: Asked & { sinceMs: number },
): Promise<Buffer> {
  const path = `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(pod)}/log`;
  const url = new URL(`${cluster.server}${path}`);
  const query = {
    container,
    timestamps: 'true',
    sinceTime: new Date(sinceMs).toISOString(),
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
  return answer.body;
}

interface ReadBody {
  lines: BackendLine[];
  /** The body is as long as it may be, and ended before the range did: newer lines are missing. */
  isShort: boolean;
}

function readBody(body: Buffer, place: Place, { question, context }: Asked): ReadBody {
  const { startMs, endMs } = question;
  const { namespace, pod, container } = place;
  const labels = { namespace, pod, container };
  const isFull = body.length >= MAX_BYTES;
  const texts = body.toString('utf8').split('\n');
  // What stands behind the last line end is nothing, or half a line.
  const rest = texts.pop() ?? '';
  if (rest !== '' && !isFull) texts.push(rest);
  let lastMs = startMs;
  const lines = texts.flatMap((line): BackendLine[] => {
    const [stamp = ''] = /^\S+/.exec(line) ?? [];
    const atMs = timeOfLine(stamp, context.now());
    if (atMs === null) return [];
    lastMs = Math.max(lastMs, atMs);
    return atMs < startMs || atMs > endMs
      ? []
      : [{ atMs, ...givenMessage(line.slice(stamp.length).replace(/^ /, '')), labels }];
  });
  return { lines, isShort: isFull && lastMs <= endMs };
}

/**
 * The newest lines of a container. Its log is sent from the oldest line on, so where it is longer than what is read at
 * once, it is asked for again from half way to the end of the range.
 */
async function logOf(cluster: Cluster, place: Place, asked: Asked): Promise<PodLog> {
  const { startMs, endMs, limit } = asked.question;
  // A range of now ends ahead of the clock, where nothing is.
  const untilMs = Math.max(startMs, Math.min(endMs, asked.context.now()));
  let sinceMs = startMs;
  let read = readBody(await bodySince(cluster, place, { ...asked, sinceMs }), place, asked);
  for (let at = 0; at < MAX_HALVINGS && read.isShort && sinceMs < untilMs; at += 1) {
    sinceMs = Math.ceil((sinceMs + untilMs) / 2);
    read = readBody(await bodySince(cluster, place, { ...asked, sinceMs }), place, asked);
  }
  const newestFirst = read.lines
    .filter(({ atMs }) => atMs >= sinceMs)
    .toReversed()
    .toSorted((a, b) => b.atMs - a.atMs);
  const lines = newestFirst.slice(0, limit);
  const cutMs = newestFirst.length > limit ? (lines.at(-1)?.atMs ?? sinceMs) : sinceMs;
  const left = `${place.pod}, ${place.container}: writes more than ${MAX_BYTES / MIB} MB in a moment; lines before ${new Date(endMs).toISOString()} are left out`;
  return {
    lines,
    reachedMs: cutMs > startMs || newestFirst.length > limit ? cutMs : null,
    notes: read.isShort ? [left] : [],
  };
}

/** Whether it answers, and its pods may be read where the specification says of which namespace. */
async function tryOut(
  { kubeconfig, namespace }: KubernetesSpec,
  context: BackendContext,
): Promise<BackendAnswer> {
  const cluster = await openCluster(kubeconfig, context);
  if (namespace === undefined || !NAMESPACE.test(namespace)) await cluster.get('/version');
  else await cluster.get(`/api/v1/namespaces/${namespace}/pods`, { limit: '1' });
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
    notes: [...notes, ...problems, ...logs.flatMap((log) => log.notes)],
  };
}

/** Complete down to where the first of the logs that were cut ended. */
function merged(
  logs: readonly PodLog[],
  limit: number,
): Pick<BackendAnswer, 'lines' | 'isCut' | 'reachedMs'> {
  const floors = logs.flatMap(({ reachedMs }) => (reachedMs === null ? [] : [reachedMs]));
  const floor = floors.length === 0 ? null : Math.max(...floors);
  const all = logs.flatMap(({ lines }) => lines).filter(({ atMs }) => floor === null || atMs >= floor);
  const lines = all.toSorted((a, b) => b.atMs - a.atMs).slice(0, limit);
  const reached = all.length > limit ? lines.at(-1)?.atMs : (floor ?? undefined);
  return { lines, isCut: reached !== undefined, ...(reached === undefined ? {} : { reachedMs: reached }) };
}

export const kubernetesBackend: LogBackendKind<KubernetesSpec> = { kind: 'kubernetes', read };
