/**
 * For tests only: runs a suite on PGlite and on real PostgreSQL, each with a fresh, migrated database. One
 * PostgreSQL serves a whole test process; both kinds are gone when the file's tests are done.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe } from 'vitest';
import type { Database } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export type DatabaseKind = Database['kind'];
/** A fresh, migrated database; closed by the harness when the suite ends. Call it in `beforeAll`. */
export type OpenTestDatabase = () => Promise<Database>;

const silent = pino({ level: 'silent' });
/** Durable storage is not what these tests are about. */
const FAST_FLAGS = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

interface Cluster {
  server: EmbeddedPostgres;
  folder: string;
}
let cluster: Promise<Cluster> | undefined;

async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const server = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    logger: silent,
    serverFlags: FAST_FLAGS,
  });
  return { server, folder };
}

async function stopPostgres(): Promise<void> {
  if (cluster === undefined) return;
  const { server, folder } = await cluster;
  cluster = undefined;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

// Registered where this module is imported: at the end of the whole test file.
afterAll(stopPostgres);

/** URL of an empty PostgreSQL database, without our tables. */
export async function createPostgresDatabase(): Promise<string> {
  cluster ??= startCluster();
  const { server } = await cluster;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = await openPostgresDatabase({ url: server.url('postgres'), logger: silent });
  await admin.run(`create database ${name}`);
  await admin.close();
  return server.url(name);
}

/** An empty database without our tables; the caller closes it. */
export async function openEmptyDatabase(kind: DatabaseKind): Promise<Database> {
  if (kind === 'pglite') return openPgliteDatabase({ folder: null, logger: silent });
  return openPostgresDatabase({ url: await createPostgresDatabase(), logger: silent });
}

/** Declares the suite once for each kind of database. */
export function forEachDatabase(suite: (name: DatabaseKind, open: OpenTestDatabase) => void): void {
  describe.each<DatabaseKind>(['pglite', 'postgres'])('on %s', (name) => {
    const opened: Database[] = [];
    suite(name, async () => {
      const database = await openEmptyDatabase(name);
      opened.push(database);
      await migrate(database, silent);
      return database;
    });
    afterAll(async () => {
      await Promise.all(opened.map((database) => database.close()));
    });
  });
}
