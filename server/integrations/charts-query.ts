import { z } from 'zod';
import type { ChartKey } from '../../src/domain/integration/charts.ts';
import type { Queryable } from '../platform/db/database.ts';
import { jsonObject } from '../platform/db/row-schema.ts';
import { toJson } from '../platform/db/to-json.ts';

const chartRow = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  schema: jsonObject,
  readAt: z.string().transform((at) => new Date(at).toISOString()),
});
export type StoredChart = z.infer<typeof chartRow>;

/** As its registry had it when it was last asked; undefined if never. */
export async function readStoredChart(db: Queryable, chart: ChartKey): Promise<StoredChart | undefined> {
  const [row] = await db.rows(
    chartRow,
    `select name, version, description, values_schema as schema, read_at as "readAt"
       from integration_charts where chart = $1`,
    [chart],
  );
  return row;
}

/** Keeps what was read, in place of what was there. */
export async function keepChart(db: Queryable, chart: ChartKey, read: StoredChart): Promise<void> {
  await db.run(
    `insert into integration_charts (chart, name, version, description, values_schema, read_at)
     values ($1, $2, $3, $4, $5::jsonb, $6)
     on conflict (chart) do update set name = excluded.name, version = excluded.version,
       description = excluded.description, values_schema = excluded.values_schema, read_at = excluded.read_at`,
    [chart, read.name, read.version, read.description, toJson(read.schema), read.readAt],
  );
}
