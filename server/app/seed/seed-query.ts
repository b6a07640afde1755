/** Writes an invented estate into the database, many rows a statement. For tests, benchmarks, `npm run seed`. */
import type { Database, Queryable } from '../../platform/db/database.ts';
import { createPrng } from './seed-prng.ts';
import { createEstate } from './seed-estate.ts';
import type { Estate, SeedSize } from './seed-estate.ts';
import { createOperations } from './seed-operations.ts';
import type { Operations, OperationsSize } from './seed-operations.ts';
import { createRelations } from './seed-relations.ts';
import type { RelationsSize } from './seed-relations.ts';
import type { SeedRow } from './seed-row.ts';
import { toJson } from '../../platform/db/to-json.ts';

/** Rows a statement: large enough to be fast, small enough for a worker's message. */
const BATCH = 2_000;

async function insertRows(tx: Queryable, table: string, rows: readonly SeedRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = toJson(rows.slice(start, start + BATCH));
    await tx.run(
      `insert into ${table} (${columns})
       select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)
       on conflict do nothing`,
      [batch],
    );
  }
}

const SUMMARIES = `
  insert into check_status_summary
    (check_id, p99, p95, p50, mean, passed, failed, last_check, last_pass, last_fail)
  select check_id,
    percentile_disc(0.99) within group (order by duration),
    percentile_disc(0.95) within group (order by duration),
    percentile_disc(0.5) within group (order by duration),
    avg(duration),
    count(*) filter (where status), count(*) filter (where not status),
    max(time), max(time) filter (where status), max(time) filter (where not status)
  from check_statuses
  where time > $1
  group by check_id
  on conflict (check_id) do nothing`;

const HOUR_MS = 3_600_000;

async function insertEstate(tx: Queryable, estate: Estate, nowMs: number): Promise<void> {
  await insertRows(tx, 'agents', estate.agents);
  await insertRows(tx, 'canaries', estate.canaries);
  await insertRows(tx, 'checks', estate.checks);
  await insertRows(tx, 'check_statuses', estate.statuses);
  await tx.run(SUMMARIES, [new Date(nowMs - HOUR_MS)]);
  await insertRows(tx, 'config_items', estate.configs);
  await insertRows(tx, 'components', estate.components);
  await insertRows(tx, 'check_component_relationships', estate.componentLinks);
  await insertRows(tx, 'check_config_relationships', estate.configLinks);
}

async function insertOperations(tx: Queryable, operations: Operations): Promise<void> {
  await insertRows(tx, 'people', operations.people);
  await insertRows(tx, 'teams', operations.teams);
  await insertRows(tx, 'incidents', operations.incidents);
  await insertRows(tx, 'hypotheses', operations.hypotheses);
  await insertRows(tx, 'evidences', operations.evidences);
  await insertRows(tx, 'comments', operations.comments);
  await insertRows(tx, 'responders', operations.responders);
  // Looks for each row among those before it, which takes the square of the time; the seed repeats none.
  await tx.script('alter table config_changes disable trigger merge_config_change');
  await insertRows(tx, 'config_changes', operations.changes);
  await tx.script(
    'set constraints all immediate; alter table config_changes enable trigger merge_config_change',
  );
  await insertRows(tx, 'job_history', operations.jobs);
}

/** Nobody is told of what was invented; a server worked for a quarter of an hour to find that out for each row. */
const FORGET_EVENTS = 'delete from event_queue where created_at = now()';

/** Another sequence than the estate's, so that its rows stay the same whatever happens in it. */
const OPERATIONS_SEED = 0x5eed;
const RELATIONS_SEED = 0xca7a;

/** Seeds a migrated database; seeding the same again adds nothing but newer statuses. */
export async function seedDatabase(
  db: Database,
  size: SeedSize & Partial<OperationsSize & RelationsSize>,
): Promise<void> {
  const estate = createEstate(size);
  const { incidents = 0, changes = 0, jobs = 0, nowMs } = size;
  const prng = createPrng(size.seed ^ OPERATIONS_SEED);
  const operations = createOperations(prng, { incidents, changes, jobs, nowMs }, estate.configs);
  const { relationships = 0, insights = 0 } = size;
  const relations = createRelations(
    createPrng(size.seed ^ RELATIONS_SEED),
    { relationships, insights, nowMs },
    estate.configs,
  );
  await db.transaction(async (tx) => {
    await insertEstate(tx, estate, nowMs);
    await insertOperations(tx, operations);
    await insertRows(tx, 'config_relationships', relations.relationships);
    await insertRows(tx, 'config_analysis', relations.insights);
    // Writes the change log now: a script is given the time that many rows need, a commit isn't.
    await tx.script('set constraints all immediate');
    await tx.run(FORGET_EVENTS);
  });
  // Nothing gathers statistics by itself on PGlite, and without them large joins are planned badly.
  await db.script('analyze');
}
