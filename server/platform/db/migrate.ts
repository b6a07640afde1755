/**
 * Brings the tables up to date. Each migration runs in a transaction of its own together with its record, so a
 * kill leaves it whole or not at all; on PostgreSQL a lock in that transaction makes many starting servers do
 * it once. Migrations that were applied are never edited; later ones add.
 */
import { nameRow } from './row-schema.ts';
import type { Logger } from 'pino';
import type { Database, Queryable } from './database.ts';
import { readMigrations, type Migration } from './migration-files.ts';

/** Any number that no other user of the database picks. */
const LOCK_KEY = 7_105_334_021;

const CREATE_RECORD = `
  create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`;

async function lockAndReadApplied(tx: Queryable): Promise<string[]> {
  await tx.text('select pg_advisory_xact_lock($1)::text', [LOCK_KEY]);
  await tx.run(CREATE_RECORD);
  const rows = await tx.rows(nameRow, 'select name from schema_migrations order by name');
  return rows.map((row) => row.name);
}

async function apply(database: Database, migration: Migration): Promise<void> {
  await database.transaction(async (tx) => {
    const applied = await lockAndReadApplied(tx);
    // Another server may have been faster while this one waited for the lock.
    if (applied.includes(migration.name)) return;
    await tx.script(migration.up);
    await tx.run('insert into schema_migrations (name) values ($1)', [migration.name]);
  });
}

/** Applies what is missing; answers the names of the migrations that this call found missing. */
export async function migrate(
  database: Database,
  logger: Logger,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  const applied = new Set(await database.transaction(lockAndReadApplied));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  for (const migration of missing) {
    await apply(database, migration);
    logger.info({ migration: migration.name }, 'migration applied');
  }
  return missing.map(({ name }) => name);
}
