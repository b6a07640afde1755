/** SQL of logs: what a component says of its own, which backends there are, what the server keeps secret. */
import { z } from 'zod';
import { AppError } from '../../src/contract/errors.ts';
import { jsonObject, labelMap } from '../platform/db/row-schema.ts';
import type { Queryable } from '../platform/db/database.ts';
import { problemsOf } from '../platform/yaml/document-problems.ts';

const NIL = `'00000000-0000-0000-0000-000000000000'`;

const selectorsSchema = z.array(
  z.looseObject({
    name: z.string().nullish(),
    type: z.string().nullish(),
    labels: z.record(z.string(), z.coerce.string()).nullish(),
  }),
);
export type LogSelector = z.output<typeof selectorsSchema>[number];

const componentRow = z.strictObject({
  id: z.string(),
  external_id: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
  type: z.string().nullable(),
  labels: labelMap,
  properties: z.unknown(),
  log_selectors: z.unknown(),
});

export interface LogComponent extends Omit<z.infer<typeof componentRow>, 'log_selectors'> {
  selectors: LogSelector[];
}

const COMPONENTS = `select id, external_id, name, namespace, type, labels, properties, log_selectors
  from components where deleted_at is null`;

/** Null when there is no such component; throws for selectors that can't be read, naming the field. */
export async function readLogComponent(db: Queryable, id: string): Promise<LogComponent | null> {
  const [row] = await db.rows(componentRow, `${COMPONENTS} and id = $1`, [id]);
  return row === undefined ? null : componentOf(row);
}

/** Those of the components that have log selectors which can be read. */
export async function readComponentsWithLogs(db: Queryable, ids: readonly string[]): Promise<LogComponent[]> {
  const rows = await db.rows(
    componentRow,
    `${COMPONENTS} and id = any($1::uuid[]) and log_selectors is not null order by path, name, id`,
    [ids],
  );
  return rows.flatMap((row) => {
    const parsed = selectorsSchema.safeParse(row.log_selectors);
    return parsed.success && parsed.data.length > 0 ? [componentOf(row)] : [];
  });
}

function componentOf(row: z.infer<typeof componentRow>): LogComponent {
  const { log_selectors: said, ...component } = row;
  const parsed = selectorsSchema.safeParse(said ?? []);
  if (parsed.success) return { ...component, selectors: parsed.data };
  const problems = problemsOf(parsed.error, ['logSelectors'], said);
  throw new AppError('invalid', problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
}

const backendRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** With sealed values in their places, and where each belongs (migration 0034). */
  spec: jsonObject,
  sealed: z.record(z.string(), z.string()),
  /** Written last by somebody who may write connections (migration 0020), or by the operator (0057). */
  is_granted: z.boolean(),
});
export type StoredBackend = z.infer<typeof backendRow>;

const BACKENDS = `select id, name, opened_spec(id, spec) as spec, sealed_values(id) as sealed,
    exists (select from granted_specs where row_id = logging_backends.id)
      or exists (select from log_backend_files
        where backend_id = logging_backends.id and spec_mark = md5(logging_backends.spec::text)) as is_granted
  from logging_backends where deleted_at is null and coalesce(agent_id, ${NIL}) = ${NIL}`;

/** Live backends of this server, in a steady order. */
export async function readLogBackends(db: Queryable): Promise<StoredBackend[]> {
  return db.rows(backendRow, `${BACKENDS} order by name, id`);
}

/** One of them; null when there is none. */
export async function findLogBackend(db: Queryable, id: string): Promise<StoredBackend | null> {
  const [row] = await db.rows(backendRow, `${BACKENDS} and id = $1`, [id]);
  return row ?? null;
}

const secretRow = z.strictObject({
  source: z.enum(['spec_secrets', 'team_secrets']),
  id: z.string(),
  path: z.string(),
  value: z.string(),
  is_sealed: z.boolean(),
});
export type StoredSecret = z.infer<typeof secretRow>;

/** All values that left specifications, connections and teams (docs/security.md). */
export async function readStoredSecrets(db: Queryable): Promise<StoredSecret[]> {
  return db.rows(
    secretRow,
    `select 'spec_secrets' as source, row_id as id, coalesce(sealed_at, path) as path, value, is_sealed from spec_secrets
     union all select 'team_secrets', team_id, coalesce(sealed_at, path), value, is_sealed from team_secrets`,
  );
}
