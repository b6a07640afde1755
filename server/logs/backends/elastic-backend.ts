/** elasticsearch, opensearch: their search API (`POST /{index}/_search`), which both speak alike. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { ElasticSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { timeOfValue } from '../../../src/domain/logs/line-time.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { openHttpService } from './http-place.ts';
import { givenMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { filledIn } from './placeholders.ts';
import { fieldText } from '../../../src/domain/logs/field-text.ts';

/** Both refuse more in one answer. */
const MAX_HITS = 10_000;
const INDEX = /^[^\s/\\?#"<>|]+$/;
const MAX_LABELS = 100;
/** Of an index, by itself, no more than 20. */
const MAX_LEVELS = 50;

const answerSchema = z.object({
  timed_out: z.boolean().optional(),
  _shards: z.object({ total: z.number().optional(), failed: z.number() }).optional(),
  hits: z.object({
    total: z.union([z.number(), z.object({ value: z.number() }).transform(({ value }) => value)]).optional(),
    hits: z.array(z.object({ _index: z.string().optional(), _source: z.record(z.string(), z.unknown()) })),
  }),
});

interface Fields {
  timestamp: string;
  message: string;
  labels: string;
}

const fieldsOf = ({ fields }: ElasticSpec): Fields => ({
  timestamp: fields?.timestamp ?? '@timestamp',
  message: fields?.message ?? 'message',
  labels: fields?.labels ?? '',
});

/** `a.b` of a document, whichever way it was written. */
function valueAt(source: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(source, path)) return source[path];
  const [first = '', ...rest] = path.split('.');
  const found = Object.hasOwn(source, first) ? source[first] : undefined;
  return rest.length > 0 && isRecord(found)
    ? valueAt(found, rest.join('.'))
    : rest.length === 0
      ? found
      : undefined;
}

/** Every value of a document by its path; what lies deeper than anybody names is one value. */
function flat(source: Readonly<Record<string, unknown>>, before: readonly string[] = []): [string, string][] {
  return Object.entries(source).flatMap(([name, value]): [string, string][] => {
    const path = [...before, name];
    if (isRecord(value) && path.length < MAX_LEVELS) return flat(value, path);
    return value === null ? [] : [[path.join('.'), fieldText(value)]];
  });
}

/** A value is a keyword, or a text with a keyword beside it: one of both has to be exactly it. */
const isExactly = (field: string, value: string) => ({
  bool: {
    should: [{ term: { [field]: value } }, { term: { [`${field}.keyword`]: value } }],
    minimum_should_match: 1,
  },
});

/** The question as the search API has it. */
export function searchOf(spec: ElasticSpec, question: LogQuestion): Record<string, unknown> {
  const { timestamp, labels } = fieldsOf(spec);
  const own =
    spec.query === undefined
      ? null
      : filledIn('query', spec.query, { question, write: (value) => JSON.stringify(value) });
  return {
    size: Math.min(question.limit, MAX_HITS),
    track_total_hits: true,
    sort: [{ [timestamp]: { order: 'desc' } }],
    query: {
      bool: {
        filter: [
          {
            range: {
              [timestamp]: {
                gte: new Date(question.startMs).toISOString(),
                lte: new Date(question.endMs).toISOString(),
              },
            },
          },
          ...Object.entries(question.labels).map(([name, value]) => isExactly(`${labels}${name}`, value)),
          ...(own === null ? [] : [{ query_string: { query: own.text } }]),
        ],
      },
    },
  };
}

/** None for a document without a time. */
function lineOf(source: Readonly<Record<string, unknown>>, fields: Fields): BackendLine[] {
  const atMs = timeOfValue(valueAt(source, fields.timestamp));
  if (atMs === null) return [];
  const said = valueAt(source, fields.message);
  const message = fieldText(said ?? source);
  const rest = flat(source).filter(([name]) => name !== fields.timestamp && name !== fields.message);
  return [{ atMs, ...givenMessage(message), labels: Object.fromEntries(rest.slice(0, MAX_LABELS)) }];
}

/** What is missing of the answer; throws where no document has a time: the field is another one. */
function notesOf(
  { timed_out: isLate, _shards: shards, hits: { hits } }: z.output<typeof answerSchema>,
  { lines, timestamp }: { lines: number; timestamp: string },
): string[] {
  if (lines === 0 && hits.length > 0)
    throw new AppError('bad_payload', `fields.timestamp: documents have no time in ${timestamp}`);
  const failed = shards?.failed ?? 0;
  const without = hits.length - lines;
  return [
    ...(isLate === true ? ['The search service ended its search early: lines may be missing'] : []),
    ...(failed > 0
      ? [`The search failed in ${failed} of ${shards?.total ?? failed} shards: lines may be missing`]
      : []),
    ...(without > 0 ? [`Documents without a time in ${timestamp} are left out: ${without}`] : []),
  ];
}

async function read(
  spec: ElasticSpec,
  question: LogQuestion,
  context: BackendContext,
): Promise<BackendAnswer> {
  if (!INDEX.test(spec.index)) throw new AppError('invalid', `index: "${spec.index}" is no index`);
  const service = await openHttpService(spec, context);
  const path = `/${encodeURIComponent(spec.index).replaceAll('%2C', ',').replaceAll('%2A', '*')}/_search`;
  const answer = await service.call('The search service', path, { body: searchOf(spec, question) });
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success)
    throw new AppError('bad_payload', 'The search service: the answer is no list of documents');
  const { hits, total } = parsed.data.hits;
  const fields = fieldsOf(spec);
  const lines = hits.flatMap(({ _source: source }) => lineOf(source, fields));
  return {
    lines,
    isCut: total === undefined ? hits.length >= Math.min(question.limit, MAX_HITS) : total > hits.length,
    // With words the caller looks through: what they leave is not known there.
    ...(total === undefined || question.words.length > 0 ? {} : { total }),
    held: Object.keys(question.labels),
    notes: notesOf(parsed.data, { lines: lines.length, timestamp: fields.timestamp }),
  };
}

export const elasticsearchBackend: LogBackendKind<ElasticSpec> = { kind: 'elasticsearch', read };
export const opensearchBackend: LogBackendKind<ElasticSpec> = { kind: 'opensearch', read };
