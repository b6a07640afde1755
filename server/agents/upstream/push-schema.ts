/** What an agent pushes (schema §8.1): the tables that are taken, and each of their rows. Columns not named are ignored. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';

/** Agents push 500 rows at a time; a call may bring several tables. */
const MAX_ROWS = 2000;
/** A run that is said to be later would stay the newest for as long. */
const MAX_AHEAD_MS = 86_400_000;
/** What agents of the other implementation send for "never". */
const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
const TABLES = ['canaries', 'checks', 'check_statuses'] as const;
export type PushedTable = (typeof TABLES)[number];

const isoTime = z.iso.datetime({ offset: true });

/** Some times come without a zone, with a space in the middle: they are UTC. */
function timeOf(text: string): number {
  const iso = /^[\d-]+ [\d:.]+$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const ms = isoTime.safeParse(iso).success ? Date.parse(iso) : Number.NaN;
  return ms >= FIRST_TIME_MS ? ms : Number.NaN;
}

const anyTime = z
  .string()
  .refine((text) => !Number.isNaN(timeOf(text)), 'must be a time such as 2026-01-31T12:00:00Z');
const id = z.guid('must be a UUID');
const name = z.string().min(1, 'must not be empty');
const text = z.string().nullish();
const labels = z.record(z.string(), z.unknown()).nullish();

/** `latestMs` is the latest that something may have happened. */
function createBatchSchema(latestMs: number) {
  const time = anyTime.refine(
    (sent) => !(timeOf(sent) > latestMs),
    'lies more than a day ahead of this server: set the clock of the agent',
  );
  const times = { created_at: time.nullish(), updated_at: time.nullish(), deleted_at: time.nullish() };
  const canary = z.object({
    id,
    name,
    namespace: z.string(),
    labels,
    annotations: labels,
    spec: z.record(z.string(), z.unknown()),
    source: text,
    ...times,
  });
  const check = z.object({
    id,
    canary_id: id,
    type: name,
    name,
    namespace: text,
    description: text,
    icon: text,
    spec: z.record(z.string(), z.unknown()).nullish(),
    labels,
    owner: text,
    severity: text,
    category: text,
    transformed: z.boolean().nullish(),
    last_runtime: time.nullish(),
    last_transition_time: time.nullish(),
    next_runtime: anyTime.nullish(),
    status: text,
    not_run_reason: text,
    ...times,
  });
  const status = z.object({
    check_id: id,
    time,
    status: z.boolean(),
    invalid: z.boolean().nullish(),
    duration: z.int().nullish(),
    message: text,
    error: text,
    details: z.unknown(),
    created_at: time.nullish(),
  });
  return z.object({
    canaries: z.array(canary).nullish(),
    checks: z.array(check).nullish(),
    check_statuses: z.array(status).nullish(),
  });
}

type SentBatch = z.output<ReturnType<typeof createBatchSchema>>;
type RowsOf<Table extends PushedTable> = NonNullable<SentBatch[Table]>;

/** One call's rows. */
export interface PushBatch {
  canaries: RowsOf<'canaries'>;
  checks: RowsOf<'checks'>;
  checkStatuses: RowsOf<'check_statuses'>;
}

/** `checks[3].canary_id` */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function refuseTwice(table: PushedTable, rows: readonly { id: string }[]): void {
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const key = row.id.toLowerCase();
    const field = `${table}[${at}].id`;
    if (seen.has(key)) throw new AppError('invalid', `${field}: is in this batch twice`, { field });
    seen.add(key);
  }
}

/** Tables with rows that this version takes from no agent, in the order in which they were sent. */
export function tablesNotTaken(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const taken: ReadonlySet<string> = new Set(TABLES);
  return Object.entries(body)
    .filter(([table, rows]) => !taken.has(table) && Array.isArray(rows) && rows.length > 0)
    .map(([table]) => table);
}

/** The rows, or the 400 that names table, row and field. */
export function parsePush(body: unknown, nowMs: number): PushBatch {
  const parsed = createBatchSchema(nowMs + MAX_AHEAD_MS).safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = placeOf(issue?.path ?? []);
    const what = issue?.message ?? 'not valid';
    throw new AppError('invalid', `${field === '' ? 'body' : field}: ${what}`, {
      field,
      cause: parsed.error,
    });
  }
  const batch: PushBatch = {
    canaries: parsed.data.canaries ?? [],
    checks: parsed.data.checks ?? [],
    checkStatuses: parsed.data.check_statuses ?? [],
  };
  const rows = batch.canaries.length + batch.checks.length + batch.checkStatuses.length;
  if (rows > MAX_ROWS)
    throw new AppError('invalid', `The batch has ${rows} rows: send at most ${MAX_ROWS} at a time`);
  refuseTwice('canaries', batch.canaries);
  refuseTwice('checks', batch.checks);
  return batch;
}
