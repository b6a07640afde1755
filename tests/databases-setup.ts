/**
 * Vitest's global setup: databases made once for a whole run, when the first test asks. One PostgreSQL serves
 * all files, with a migrated database to copy, and PGlite begins with kept images. A run without database tests
 * pays nothing.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../server/platform/db/embedded/embedded-postgres.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { openPostgresDatabase } from '../server/platform/db/postgres-database.ts';
import type { TestDatabases } from '../server/platform/db/test-databases.ts';
import { preparedDatabases } from './prepared-databases.ts';
import type { PreparedDatabases } from './prepared-databases.ts';
import { freePort } from './security/support/free-port.ts';

const MIGRATED_TEMPLATE = 'migrated_template';
const silent = pino({ level: 'silent' });
/** Durable storage is not what these tests are about; two files at a time may open many connections. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];

async function startPostgres(folder: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    logger: silent,
    // Scrapers and checks under test speak to a host and a port.
    port: await freePort(),
    serverFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  });
  const admin = await openPostgresDatabase({ url: server.url('postgres'), logger: silent });
  await admin.run(`create database ${MIGRATED_TEMPLATE}`);
  await admin.close();
  const template = await openPostgresDatabase({ url: server.url(MIGRATED_TEMPLATE), logger: silent });
  await migrate(template, silent);
  await template.close();
  return server;
}

/** Makes what tests ask for at most once; the address it provides answers with `TestDatabases`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-tests-'));
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let kept: Promise<PreparedDatabases> | undefined;
  const answer = async (): Promise<TestDatabases> => {
    postgres ??= startPostgres(folder);
    kept ??= preparedDatabases();
    const [server, { emptyImage, migratedImage }] = await Promise.all([postgres, kept]);
    return {
      postgresUrl: server.url(''),
      migratedTemplate: MIGRATED_TEMPLATE,
      emptyImage,
      migratedImage,
    };
  };
  const door = createServer((_request, response) => {
    answer().then(
      (databases) => response.end(JSON.stringify(databases)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('no port for the test databases');
  project.provide('testDatabases', `http://127.0.0.1:${address.port}`);

  return async () => {
    door.close();
    await Promise.allSettled([kept]);
    const [started] = await Promise.allSettled([postgres]);
    if (started.status === 'fulfilled') await started.value?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
