/** Makes what prepared-databases.ts keeps in the folder named by the first argument. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pino } from 'pino';
import { migrate } from '../server/platform/db/migrate.ts';
import { openDatabase } from '../server/platform/db/open-database.ts';
import { openPgliteDatabase } from '../server/platform/db/pglite-database.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder to write to');
const pglite = join(folder, 'pglite-data/pglite');

/** The least that PostgreSQL allows: a database in memory begins with a whole segment of its log. */
const SEGMENT_MB = 1;
const SEGMENT_BYTES = BigInt(SEGMENT_MB) * 1024n * 1024n;
const SEGMENT = /^[0-9A-F]{24}$/;
/** Where pg_control has the state of the database (1: ended in order), and the place of its last checkpoint. */
const STATE_AT = 16;
const ENDED_IN_ORDER = 1;
const CHECKPOINT_AT = 32;
/** Databases to copy from; in memory there is but the one that is open. */
const TEMPLATES = ['base/1/*', 'base/4/*'];

/** The one segment of the log that a database which ended in order begins with again. */
function neededSegment(): string {
  const control = readFileSync(join(pglite, 'global/pg_control'));
  if (control.readUInt32LE(STATE_AT) !== ENDED_IN_ORDER) throw new Error('PGlite did not end in order');
  const place = control.readBigUInt64LE(CHECKPOINT_AT);
  const parts = [1n, place >> 32n, (place & 0xffffffffn) / SEGMENT_BYTES];
  return parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
}

/** An image without what a database in memory never reads: most of its bytes, which each test would copy. */
function writeImage(name: string): void {
  const needed = neededSegment();
  const old = readdirSync(join(pglite, 'pg_wal')).filter((file) => SEGMENT.test(file) && file !== needed);
  const left = [...TEMPLATES, ...old.map((file) => `pg_wal/${file}`)].map((file) => `--exclude=${file}`);
  const parts = readdirSync(pglite);
  execFileSync('tar', ['--format=ustar', ...left, '-cf', join(String(folder), name), '-C', pglite, ...parts]);
}

const logger = pino({ level: 'silent' });
mkdirSync(pglite, { recursive: true, mode: 0o700 });
const made = new PGlite({ dataDir: pglite, initDbStartParams: [`--wal-segsize=${SEGMENT_MB}`] });
await made.waitReady;
await made.close();
writeImage('empty.tar');
const migrated = await openPgliteDatabase({ folder: pglite, logger });
await migrate(migrated, logger);
await migrated.close();
writeImage('migrated.tar');

const postgres = await openDatabase({
  databaseUrl: 'embedded',
  dataDir: join(folder, 'postgres-data'),
  logger,
});
await migrate(postgres, logger);
await postgres.close();
