/** gcp: Google Cloud Logging by its REST API (`POST /v2/entries:list`), newest first. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import type { GcpSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import { callService, jsonOf } from '../../catalog/scrapers/kinds/services/service-call.ts';
import { addressBeside } from '../../connections/secret-scope.ts';
import { googleToken } from '../../catalog/scrapers/kinds/gcp/google-token.ts';
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

const SCOPE = 'https://www.googleapis.com/auth/logging.read';
const ENDPOINT = 'https://logging.googleapis.com';
/** Its own limit of a page. */
const MAX_PAGE = 1000;
/** A page may be empty and have a next one. */
const MAX_CALLS = 20;
const PROJECT = /^[a-z][\w.:-]*$/i;
const FIELD = /^[A-Za-z_]\w*(?:\.(?:\w+|"[^"\\]+"))*$/;

const text = z.record(z.string(), z.string()).optional();
const entrySchema = z.looseObject({
  timestamp: z.iso.datetime({ offset: true }),
  severity: z.string().optional(),
  logName: z.string().optional(),
  textPayload: z.string().optional(),
  jsonPayload: z.record(z.string(), z.unknown()).optional(),
  protoPayload: z.record(z.string(), z.unknown()).optional(),
  labels: text,
  resource: z.looseObject({ type: z.string().optional(), labels: text }).optional(),
});
type Entry = z.output<typeof entrySchema>;
const answerSchema = z.object({
  entries: z.array(entrySchema).default([]),
  nextPageToken: z.string().optional(),
});

/** The field of a label of the selector. */
function fieldOf(name: string, fields: GcpSpec['labels']): string {
  const given = fields?.[name];
  if (given === undefined) return `labels.${JSON.stringify(name)}`;
  if (!FIELD.test(String(given)))
    throw new AppError('invalid', `labels: ${String(given).slice(0, 100)} is no field such as labels."app"`);
  return String(given);
}

function valueAt(entry: Entry, field: string): string | null {
  const parts = [...field.matchAll(/"([^"]*)"|([^."]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  let value: unknown = entry;
  for (const part of parts) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : null;
  return typeof value === 'string' ? value : null;
}

/** The question in the Logging query language. */
export function filterOf(spec: GcpSpec, question: LogQuestion): string {
  const own = filledIn('filter', spec.filter ?? '', { question, write: (value) => JSON.stringify(value) });
  return [
    `timestamp >= "${new Date(question.startMs).toISOString()}"`,
    `timestamp <= "${new Date(question.endMs).toISOString()}"`,
    ...(own.text.trim() === '' ? [] : [`(${own.text})`]),
    ...Object.entries(question.labels).map(
      ([name, value]) => `${fieldOf(name, spec.labels)} = ${JSON.stringify(value)}`,
    ),
  ].join('\n');
}

function lineOf(entry: Entry, spec: GcpSpec, question: LogQuestion): BackendLine {
  const { textPayload, jsonPayload, protoPayload, resource } = entry;
  const message = textPayload ?? fieldText(jsonPayload ?? protoPayload ?? {});
  const others = { severity: entry.severity, logName: entry.logName, 'resource.type': resource?.type };
  const labels: Record<string, string> = { ...resource?.labels, ...entry.labels };
  for (const [name, value] of Object.entries(others)) if (value !== undefined) labels[name] = value;
  // Its `=` does not mind upper and lower case; the caller compares with what the entry itself has.
  for (const name of Object.keys(question.labels)) {
    const value = valueAt(entry, fieldOf(name, spec.labels));
    if (value === null) delete labels[name];
    else labels[name] = value;
  }
  return { atMs: Date.parse(entry.timestamp), ...givenMessage(message), labels };
}

/** Where it is called, and with whose key. */
async function openPlace(spec: GcpSpec, context: BackendContext) {
  const { connection: reference = '', endpoint = '' } = spec;
  const known = reference === '' ? null : await context.connection(reference);
  if (reference !== '' && known === null)
    throw new AppError('invalid', `connection: ${reference} was not found`);
  const own = spec.credentials === undefined ? '' : await context.secret(spec.credentials);
  const credentials = own || (known?.certificate ?? '') || (known?.password ?? '');
  if (credentials === '') throw new AppError('invalid', 'credentials: is missing, and so is a connection');
  // The key of a connection goes where the connection says.
  const url =
    known === null || own !== ''
      ? endpoint || ENDPOINT
      : addressBeside({ url: known.url || ENDPOINT }, endpoint, context.author).href;
  if (!URL.canParse(url)) throw new AppError('invalid', `endpoint: "${url}" is no address`);
  const token = await googleToken(credentials, SCOPE, context);
  return { url: new URL('/v2/entries:list', url), headers: { authorization: `Bearer ${token}` } };
}

async function read(spec: GcpSpec, question: LogQuestion, context: BackendContext): Promise<BackendAnswer> {
  const { text: project } = filledIn('project', spec.project, { question, write: (value) => value });
  if (!PROJECT.test(project))
    throw new AppError('invalid', `project: "${project.slice(0, 100)}" is no project`);
  const filter = filterOf(question.isTrial === true ? { ...spec, filter: '' } : spec, question);
  const { url, headers } = await openPlace(spec, context);
  const lines: BackendLine[] = [];
  let pageToken: string | undefined;
  for (let calls = 0; calls < MAX_CALLS && lines.length < question.limit; calls += 1) {
    const body = {
      resourceNames: [`projects/${project}`],
      filter,
      orderBy: 'timestamp desc',
      pageSize: Math.min(MAX_PAGE, question.limit - lines.length),
      ...(pageToken === undefined ? {} : { pageToken }),
    };
    const answer = await callService(context, {
      method: 'POST',
      url,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const parsed = answerSchema.safeParse(jsonOf('Google Cloud Logging', answer));
    if (!parsed.success)
      throw new AppError('bad_payload', 'Google Cloud Logging: the answer is no list of entries');
    lines.push(...parsed.data.entries.map((entry) => lineOf(entry, spec, question)));
    pageToken = parsed.data.nextPageToken;
    if (pageToken === undefined || pageToken === '') return { lines, isCut: false, held: [] };
  }
  // How far back it has looked is nowhere said, so the rest of the range would count as read.
  if (lines.length === 0)
    throw new AppError(
      'quota',
      `Google Cloud Logging: looked through ${MAX_CALLS} pages without an end; narrow the time`,
    );
  return { lines: lines.toSorted((a, b) => b.atMs - a.atMs), isCut: true, held: [] };
}

export const gcpBackend: LogBackendKind<GcpSpec> = { kind: 'gcp', read };
