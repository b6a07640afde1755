/**
 * cloudwatch: FilterLogEvents of the AWS client, over the guarded transport. It answers the oldest first, so the newest
 * are looked for in windows that grow backwards from the end of the range.
 */
import type { CloudWatchLogsClient, FilteredLogEvent } from '@aws-sdk/client-cloudwatch-logs';
import { AppError } from '../../../src/contract/errors.ts';
import type { CloudwatchSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { awsClientConfig } from '../../catalog/scrapers/kinds/aws/aws-access.ts';
import { givenMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { filledIn } from './placeholders.ts';

const FIRST_WINDOW_MS = 5 * 60_000;
const SHORTEST_WINDOW_MS = 1000;
const GROWTH = 4;
const SHRINKING = 20;
/** Each is a call; AWS allows a few in a second. */
const MAX_CALLS = 60;
/** A window with more is looked at in shorter ones. */
const MAX_WINDOW_CALLS = 10;

interface Window {
  startMs: number;
  endMs: number;
}

/** The events of a window; null when there are more than a window should have. */
type ReadWindow = (window: Window, isShortest: boolean) => Promise<BackendLine[] | null>;

interface Place {
  group: string;
  prefix: string;
}

/** Reads through the client, counting its calls. */
function createReader(client: CloudWatchLogsClient, place: Place, signal: AbortSignal) {
  const state = { calls: 0 };
  const read: ReadWindow = async ({ startMs, endMs }, isShortest) => {
    const { FilterLogEventsCommand } = await import('@aws-sdk/client-cloudwatch-logs');
    const lines: BackendLine[] = [];
    let nextToken: string | undefined;
    for (let at = 0; at < MAX_WINDOW_CALLS; at += 1) {
      state.calls += 1;
      const command = new FilterLogEventsCommand({
        logGroupName: place.group,
        startTime: startMs,
        endTime: endMs,
        ...(place.prefix === '' ? {} : { logStreamNamePrefix: place.prefix }),
        ...(nextToken === undefined ? {} : { nextToken }),
      });
      const page = await client.send(command, { abortSignal: signal });
      lines.push(...(page.events ?? []).flatMap((event) => lineOf(event, place.group)));
      nextToken = page.nextToken;
      if (nextToken === undefined) return lines;
    }
    return isShortest ? lines : null;
  };
  return { read, state };
}

function lineOf(
  { timestamp, message = '', logStreamName = '' }: FilteredLogEvent,
  logGroup: string,
): BackendLine[] {
  if (timestamp === undefined) return [];
  const labels = { logGroup, logStream: logStreamName };
  return [{ atMs: timestamp, ...givenMessage(message.replace(/\n$/, '')), labels }];
}

/** Whether it answers: without a component no group is meant for sure. */
async function tryOut(
  client: CloudWatchLogsClient,
  spec: CloudwatchSpec,
  signal: AbortSignal,
): Promise<BackendAnswer> {
  const { DescribeLogGroupsCommand } = await import('@aws-sdk/client-cloudwatch-logs');
  const [begin = ''] = spec.logGroup.split('$(');
  const asked = { limit: 1, ...(begin === '' ? {} : { logGroupNamePrefix: begin }) };
  const { logGroups = [] } = await client.send(new DescribeLogGroupsCommand(asked), { abortSignal: signal });
  if (logGroups.length === 0) throw new AppError('not_found', `logGroup: no log group begins with ${begin}`);
  return { lines: [], isCut: false, held: [] };
}

async function clientOf(spec: CloudwatchSpec, context: BackendContext): Promise<CloudWatchLogsClient> {
  const { region, logGroup: _group, logStreamPrefix: _prefix, ...place } = spec;
  const access = await awsClientConfig(
    { ...place, region: region === undefined ? undefined : [region] },
    context,
  );
  const { CloudWatchLogsClient: Client } = await import('@aws-sdk/client-cloudwatch-logs');
  return new Client({ ...access.config, region: access.regions[0] });
}

/** Down to where it has looked, or until there are enough. */
async function newestOf({ startMs, endMs, limit }: LogQuestion, reader: ReturnType<typeof createReader>) {
  const lines: BackendLine[] = [];
  let reachedMs = endMs + 1;
  let size = FIRST_WINDOW_MS;
  while (reachedMs > startMs && lines.length < limit && reader.state.calls < MAX_CALLS) {
    const window = { startMs: Math.max(startMs, reachedMs - size), endMs: reachedMs - 1 };
    const isShortest = size <= SHORTEST_WINDOW_MS;
    const found = await reader.read(window, isShortest);
    if (found === null) {
      size = Math.max(SHORTEST_WINDOW_MS, Math.floor(size / SHRINKING));
      continue;
    }
    lines.push(...found);
    reachedMs = window.startMs;
    size *= GROWTH;
  }
  return { lines, reachedMs };
}

async function read(
  spec: CloudwatchSpec,
  question: LogQuestion,
  context: BackendContext,
): Promise<BackendAnswer> {
  const client = await clientOf(spec, context);
  if (question.isTrial === true) return tryOut(client, spec, context.signal);
  const write = (value: string) => value;
  const group = filledIn('logGroup', spec.logGroup, { question, write });
  const prefix = filledIn('logStreamPrefix', spec.logStreamPrefix ?? '', { question, write });
  const reader = createReader(client, { group: group.text, prefix: prefix.text }, context.signal);
  const { lines, reachedMs } = await newestOf(question, reader);
  const newest = lines.toReversed().toSorted((a, b) => b.atMs - a.atMs);
  const isFull = newest.length > question.limit;
  const isCut = isFull || reachedMs > question.startMs;
  return {
    lines: newest.slice(0, question.limit),
    isCut,
    ...(isCut && !isFull ? { reachedMs } : {}),
    held: [...group.held, ...prefix.held],
  };
}

export const cloudwatchBackend: LogBackendKind<CloudwatchSpec> = { kind: 'cloudwatch', read };
