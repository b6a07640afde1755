/** loki: its HTTP API (`/loki/api/v1/query_range`). Labels are a part of the stream selector, words of the line filter. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { LokiSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { openHttpService } from './http-place.ts';
import { givenMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { ANYTHING, filledIn } from './placeholders.ts';

/** Loki's own limit, unless its operator raised it. */
const MAX_LIMIT = 5000;
const LABEL_NAME = /^[A-Za-z_]\w*$/;
/** A stream selector, and filters behind it. */
const SELECTOR = /^\{([^{}]*)\}(\s*\|[\s\S]*)?$/;

const entry = z.tuple([z.string(), z.string()]).rest(z.unknown());
const answerSchema = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.literal('streams'),
    result: z.array(z.object({ stream: z.record(z.string(), z.string()), values: z.array(entry) })),
  }),
});

/** A text of LogQL. */
const quoted = (text: string): string => JSON.stringify(text);

/** Loki names what other systems call `app.kubernetes.io/name` with underscores. */
function lokiName(name: string, names: LokiSpec['labels']): string {
  const given = names?.[name];
  const found = given === undefined ? name.replaceAll(/\W/g, '_') : String(given);
  if (!LABEL_NAME.test(found))
    throw new AppError('invalid', `labels: "${found}" is no name of a label in Loki`);
  return found;
}

/** The question in LogQL. */
export function logqlOf(spec: LokiSpec, question: LogQuestion): string {
  const { text: own } = filledIn('query', spec.query ?? '{}', {
    question,
    // A placeholder stands between quotes that the specification wrote.
    write: (value) => quoted(value).slice(1, -1),
  });
  const [, inner, pipeline = ''] = SELECTOR.exec(own.trim()) ?? [];
  if (inner === undefined)
    throw new AppError('invalid', 'query: is no stream selector such as {cluster="eu"}');
  const labels = Object.entries(question.labels).map(
    ([name, value]) => `${lokiName(name, spec.labels)}=${quoted(value)}`,
  );
  const matchers = [...(inner.trim() === '' ? [] : [inner.trim()]), ...labels];
  if (matchers.length === 0)
    throw new AppError(
      'invalid',
      'query: neither the backend nor the log selector says which streams are meant',
    );
  const filters = question.words.map(
    (word) => ` |~ ${quoted(`(?i)${word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}`)}`,
  );
  return `{${matchers.join(', ')}}${pipeline === '' ? '' : ` ${pipeline.trim()}`}${filters.join('')}`;
}

const tenantOf = ({ tenant }: LokiSpec) => (tenant === undefined ? {} : { 'x-scope-orgid': tenant });

/** Nobody's label: a trial asks for its streams, so that Loki reads the query and has no line to send. */
const NOBODYS = { holdfast_trial: ANYTHING };

async function read(spec: LokiSpec, asked: LogQuestion, context: BackendContext): Promise<BackendAnswer> {
  const question = asked.isTrial === true ? { ...asked, labels: NOBODYS } : asked;
  const service = await openHttpService(spec, context);
  const limit = Math.min(question.limit, MAX_LIMIT);
  const answer = await service.call('Loki', '/loki/api/v1/query_range', {
    query: {
      query: logqlOf(spec, question),
      // Nanoseconds; the end is not included there.
      start: `${question.startMs}000000`,
      end: `${question.endMs + 1}000000`,
      limit: String(limit),
      direction: 'backward',
    },
    headers: tenantOf(spec),
  });
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('bad_payload', 'Loki: the answer is no list of streams');
  const lines = parsed.data.data.result.flatMap(({ stream, values }) =>
    values.map(([nanos, message]): BackendLine => {
      const atMs = Number(nanos.slice(0, -6));
      if (!Number.isFinite(atMs)) throw new AppError('bad_payload', 'Loki: a line has no time');
      return { atMs, ...givenMessage(message), labels: stream };
    }),
  );
  return {
    lines: lines.toSorted((a, b) => b.atMs - a.atMs),
    isCut: lines.length >= limit,
    held: Object.keys(question.labels),
  };
}

export const lokiBackend: LogBackendKind<LokiSpec> = { kind: 'loki', read };
