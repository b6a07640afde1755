/** What an agent pushes (schema §8.1): the tables that are taken, and each of their rows. Columns not named are ignored. */
import { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PUSH_TABLES, type PushTable } from '../push-tables.ts';
import { rowSchemaOf } from './rows-schema.ts';

/** Agents push 500 rows at a time; a call may bring several tables. */
const MAX_ROWS = 2000;
/** A run that is said to be later would stay the newest for as long. */
const MAX_AHEAD_MS = 86_400_000;
/** What agents of the other implementation send for "never". */
const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
const TABLES = ['canaries', 'checks', 'check_statuses'] as const;
/** Changed by a statement of its own, never added. */
const ACTIONS = 'playbook_run_actions';
/** Those with statements of their own. */
export type PushedTable = (typeof TABLES)[number] | 'playbook_actions';
const isOther = ({ name: table }: PushTable) =>
  table !== ACTIONS && !(TABLES as readonly string[]).includes(table);
const OTHERS = PUSH_TABLES.filter(isOther);
/** Runs and their actions are this server's. */
const REMOVABLE = PUSH_TABLES.filter(({ name: table }) => table !== ACTIONS);

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

const action = z.object({
  id,
  status: z.string(),
  error: text,
  result: z.record(z.string(), z.unknown()).nullish(),
});

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
  const own = z.object({
    canaries: z.array(canary).nullish(),
    checks: z.array(check).nullish(),
    check_statuses: z.array(status).nullish(),
    playbook_actions: z.array(action).nullish(),
  });
  const others = z.object(
    Object.fromEntries(OTHERS.map((table) => [table.name, z.array(rowSchemaOf(table, time)).nullish()])),
  );
  return { own, others };
}

type SentBatch = z.output<ReturnType<typeof createBatchSchema>['own']>;
type OtherRow = Readonly<Record<string, unknown>>;
type RowsOf<Table extends PushedTable> = NonNullable<SentBatch[Table]>;

/** One call's rows. */
export interface PushBatch {
  canaries: RowsOf<'canaries'>;
  checks: RowsOf<'checks'>;
  checkStatuses: RowsOf<'check_statuses'>;
  /** How actions ended that were handed to the agent. */
  actions: RowsOf<'playbook_actions'>;
  /** In the order of PUSH_TABLES; those with rows. */
  others: readonly { table: PushTable; rows: readonly OtherRow[] }[];
}

/** `checks[3].canary_id` */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function refuseTwice(table: string, key: readonly string[], rows: readonly OtherRow[]): void {
  const seen = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const known = JSON.stringify(key.map((column) => row[column] ?? null)).toLowerCase();
    const field = `${table}[${at}].${key[0]}`;
    if (seen.has(known)) throw new AppError('invalid', `${field}: is in this batch twice`, { field });
    seen.add(known);
  }
}

/** Tables with rows that this version takes from no agent, in the order in which they were sent. */
export function tablesNotTaken(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const taken: ReadonlySet<string> = new Set(PUSH_TABLES.map(({ sentAs }) => sentAs));
  return Object.entries(body)
    .filter(([table, rows]) => !taken.has(table) && Array.isArray(rows) && rows.length > 0)
    .map(([table]) => table);
}

function parsed<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = placeOf(issue?.path ?? []);
  const what = issue?.message ?? 'not valid';
  throw new AppError('invalid', `${field === '' ? 'body' : field}: ${what}`, { field, cause: result.error });
}

/** The rows, or the 400 that names table, row and field. */
export function parsePush(body: unknown, nowMs: number): PushBatch {
  const schema = createBatchSchema(nowMs + MAX_AHEAD_MS);
  const own = parsed(schema.own, body);
  const sent = parsed(schema.others, body);
  const batch: PushBatch = {
    canaries: own.canaries ?? [],
    checks: own.checks ?? [],
    checkStatuses: own.check_statuses ?? [],
    actions: own.playbook_actions ?? [],
    others: OTHERS.map((table) => ({ table, rows: sent[table.name] ?? [] })).filter(
      ({ rows: some }) => some.length > 0,
    ),
  };
  const rows = [
    batch.canaries,
    batch.checks,
    batch.checkStatuses,
    batch.actions,
    ...batch.others.map((one) => one.rows),
  ];
  const count = rows.reduce((sum, some) => sum + some.length, 0);
  if (count > MAX_ROWS)
    throw new AppError('invalid', `The batch has ${count} rows: send at most ${MAX_ROWS} at a time`);
  refuseTwice('canaries', ['id'], batch.canaries);
  refuseTwice('checks', ['id'], batch.checks);
  refuseTwice('playbook_actions', ['id'], batch.actions);
  for (const { table, rows: some } of batch.others) refuseTwice(table.name, table.key, some);
  return batch;
}

/** Keys of rows that are gone at the agent, by table. */
export function parseRemoval(body: unknown): PushBatch['others'] {
  const schema = z.object(
    Object.fromEntries(
      REMOVABLE.map((table) => [table.name, z.array(rowSchemaOf(table, anyTime)).max(MAX_ROWS).nullish()]),
    ),
  );
  const sent = parsed(schema, body);
  return REMOVABLE.map((table) => ({ table, rows: sent[table.name] ?? [] })).filter(
    ({ rows }) => rows.length > 0,
  );
}
