/**
 * `npm run data-api -- --database-url URL --schema NAME --port N [--max-rows N]`: serves one schema of a PostgreSQL
 * (14 or newer), or of the database in a folder (DATA_DIR/postgres, or one of PGlite), on loopback: without sign-in, every table, read and write.
 * Reads the catalogue again on SIGUSR1, on `notify pgrst` and when asked for something it does not know.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { AppError } from '../src/contract/errors.ts';
import { createDataApi } from '../server/replication/data-api/data-api.ts';
import type { DataApi } from '../server/replication/data-api/data-api.ts';
import type { Database } from '../server/platform/db/database.ts';
import { openDatabase } from '../server/platform/db/open-database.ts';
import { openPgliteDatabase } from '../server/platform/db/pglite-database.ts';
import { openPostgresDatabase } from '../server/platform/db/postgres-database.ts';
import { nodePlatform } from '../server/platform/platform.ts';
import { createOpenDataServer } from '../server/replication/data-api/routes/open-data-server.ts';

const USAGE =
  'usage: npm run data-api -- --database-url postgresql://… | FOLDER --schema NAME --port N [--max-rows N]';
const EXIT_WRONG_USE = 2;
const LISTEN_AGAIN_MS = 1000;

class UsageError extends Error {}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} ${text}: a whole number is needed`);
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      'database-url': { type: 'string' },
      schema: { type: 'string', default: 'public' },
      port: { type: 'string', default: '3000' },
      'max-rows': { type: 'string' },
    },
  });
  const url = values['database-url'];
  if (url === undefined) throw new UsageError('--database-url is missing');
  const maxRows = values['max-rows'];
  return {
    url,
    schema: values.schema,
    port: wholeNumber('port', values.port),
    maxRows: maxRows === undefined ? null : wholeNumber('max-rows', maxRows),
  };
}

const isPostgresUrl = (url: string) => /^postgres(?:ql)?:\/\//.test(url);

async function openAny(url: string, logger: Logger): Promise<Database> {
  if (isPostgresUrl(url)) return openPostgresDatabase({ url, logger });
  const folder = url.startsWith('file://') ? fileURLToPath(url) : url;
  if (!existsSync(folder)) {
    throw new UsageError(`--database-url ${url}: neither a PostgreSQL URL nor a folder that exists`);
  }
  // A PostgreSQL that a server of ours runs has its password beside its files.
  if (existsSync(`${folder}.password`))
    return openDatabase({ databaseUrl: 'embedded', dataDir: dirname(resolve(folder)), logger });
  return openPgliteDatabase({ folder, logger });
}

/** Calls back on `notify pgrst`, connecting again when the connection breaks. */
async function listenForReload(
  url: string,
  logger: Logger,
  reload: () => void,
): Promise<() => Promise<void>> {
  let isStopped = false;
  let client = new pg.Client({ connectionString: url });
  const listen = async () => {
    client.on('notification', reload);
    client.on('error', (error) => {
      logger.warn({ err: error }, 'the connection that listens for changes was lost');
      if (!isStopped) void again();
    });
    await client.connect();
    await client.query('listen pgrst');
  };
  const again = async (): Promise<void> => {
    await nodePlatform.sleep(LISTEN_AGAIN_MS);
    if (isStopped) return;
    client = new pg.Client({ connectionString: url });
    try {
      await listen();
      reload();
    } catch (error) {
      logger.warn({ err: error }, 'not listening for changes yet');
      await again();
    }
  };
  await listen();
  return async () => {
    isStopped = true;
    await client.end();
  };
}

async function assertSchema(db: Database, schema: string): Promise<void> {
  const found = await db.text('select nspname::text from pg_namespace where nspname = $1', [schema]);
  if (found === null) throw new UsageError(`--schema ${schema}: the database has no such schema`);
}

function openApi(
  db: Database,
  { schema, maxRows, logger }: { schema: string; maxRows: number | null; logger: Logger },
): DataApi {
  return createDataApi({
    db,
    logger,
    schema,
    maxRows,
    isOpen: true,
    now: () => nodePlatform.now(),
    policy: () => ({ kind: 'allowed' }),
    onWrite: () => undefined,
  });
}

async function main(): Promise<void> {
  const { url, schema, port, maxRows } = readArguments();
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' }, pino.destination(2));
  const db = await openAny(url, logger);
  const closers: (() => Promise<void>)[] = [() => db.close()];
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    await assertSchema(db, schema);
    const dataApi = openApi(db, { schema, maxRows, logger });
    const reload = () => dataApi.forgetCatalogue();
    if (isPostgresUrl(url)) closers.push(await listenForReload(url, logger, reload));
    const app = createOpenDataServer(dataApi);
    closers.push(() => app.close());
    const address = await app.listen({ host: '127.0.0.1', port });
    process.on('SIGUSR1', reload);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAll());
    console.log(`data API for schema ${schema} on ${address}`);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  const isWrongUse = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (!isWrongUse && !(error instanceof AppError)) throw error;
  console.error(error instanceof Error ? error.message : error);
  if (isWrongUse) console.error(USAGE);
  process.exitCode = isWrongUse ? EXIT_WRONG_USE : 1;
}
