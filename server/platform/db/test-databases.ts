/**
 * For tests only: fresh databases of both kinds. They are copies of what the global setup (tests/databases-setup.ts)
 * made for the whole run; what a test file opened is gone when the file is done.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, describe, inject } from 'vitest';
import type { Database } from './database.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { compileInterruptible } from './pglite-interrupt.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export type DatabaseKind = Database['kind'];
/** A fresh, migrated database; closed by the harness when the suite ends. Call it in `beforeAll`. */
export type OpenTestDatabase = () => Promise<Database>;

/** What the global setup answers. */
export interface TestDatabases {
  /** Of the run's PostgreSQL; ends where the database's name goes. */
  postgresUrl: string;
  /** Its database with our tables and nothing in them, to copy. */
  migratedTemplate: string;
  /** Files of PGlite's images. */
  emptyImage: string;
  migratedImage: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the global setup answers with `TestDatabases`. */
    testDatabases: string;
  }
}

const silent = pino({ level: 'silent' });
let asked: Promise<TestDatabases> | undefined;
const made: string[] = [];
/** Held for the threads to come, each of which would compile it again for half a second. */
let pgliteCode: unknown;

async function ask(): Promise<TestDatabases> {
  const answer = await fetch(inject('testDatabases'));
  if (!answer.ok) throw new Error(`the test databases could not be made: ${await answer.text()}`);
  // Our own global setup says exactly this.
  return (await answer.json()) as TestDatabases;
}

function testDatabases(): Promise<TestDatabases> {
  asked ??= ask();
  return asked;
}

async function administer(statements: readonly string[]): Promise<void> {
  const { postgresUrl } = await testDatabases();
  const admin = await openPostgresDatabase({ url: `${postgresUrl}postgres`, logger: silent });
  for (const statement of statements) await admin.run(statement);
  await admin.close();
}

/** Copies files: the other way writes each page to the log as well and takes three times the processor time. */
async function createDatabase(template: string): Promise<string> {
  const { postgresUrl } = await testDatabases();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer([`create database ${name} template ${template} strategy file_copy`]);
  made.push(name);
  return `${postgresUrl}${name}`;
}

/** Drops what was made since the last call; `tests/database-file-setup.ts` calls it at the end of each file. */
export async function dropTestDatabases(): Promise<void> {
  if (made.length > 0) await administer(made.splice(0).map((name) => `drop database ${name} with (force)`));
}

/** URL of an empty PostgreSQL database, without our tables. */
export function createPostgresDatabase(): Promise<string> {
  return createDatabase('template0');
}

/** URL of a PostgreSQL database with our tables and nothing in them. */
export async function createMigratedPostgres(): Promise<string> {
  return createDatabase((await testDatabases()).migratedTemplate);
}

function openPgliteImage(image: string): Promise<Database> {
  pgliteCode ??= compileInterruptible();
  return openPgliteDatabase({ folder: null, image, logger: silent });
}

/** An empty database without our tables; the caller closes it. */
export async function openEmptyDatabase(kind: DatabaseKind): Promise<Database> {
  if (kind === 'postgres')
    return openPostgresDatabase({ url: await createPostgresDatabase(), logger: silent });
  return openPgliteImage((await testDatabases()).emptyImage);
}

/** A database with our tables and nothing in them; the caller closes it. */
export async function openMigratedDatabase(kind: DatabaseKind): Promise<Database> {
  const { migratedTemplate, migratedImage } = await testDatabases();
  if (kind === 'postgres')
    return openPostgresDatabase({ url: await createDatabase(migratedTemplate), logger: silent });
  return openPgliteImage(migratedImage);
}

/** Declares the suite once for each kind of database. */
export function forEachDatabase(suite: (name: DatabaseKind, open: OpenTestDatabase) => void): void {
  describe.each<DatabaseKind>(['pglite', 'postgres'])('on %s', (name) => {
    const opened: Database[] = [];
    suite(name, async () => {
      const database = await openMigratedDatabase(name);
      opened.push(database);
      return database;
    });
    afterAll(async () => {
      await Promise.all(opened.map((database) => database.close()));
    });
  });
}
