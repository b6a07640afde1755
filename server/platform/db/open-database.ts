/** Chooses and opens the database of this server, holding the data folder's lock where its files lie there. */
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../../../src/contract/errors.ts';
import { reasonOf } from '../reason-of.ts';
import type { Database } from './database.ts';
import { holdsDatabase } from './embedded/database-folder.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import type { PostgresBinaries } from './embedded/postgres-binaries.ts';
import { lockFolder } from './folder-lock.ts';
import { isThere } from './embedded/is-there.ts';
import { isToBeMoved, markMove, moveFromPglite, unmarkMove } from './move-database.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

export interface OpenDatabaseOptions {
  /**
   * Undefined or empty: PostgreSQL run from dataDir where its programs run, else PGlite there. `embedded` and `pglite`
   * choose one of them. Else the URL of a PostgreSQL.
   */
  databaseUrl: string | undefined;
  dataDir: string;
  logger: Logger;
  /** Where PostgreSQL's programs are; those that npm installed. */
  binaries?: () => PostgresBinaries;
}

/** `fs.mkdir` alone would make the folder readable by others. */
const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o007;

/**
 * Keeps other users out of what PGlite wrote (an earlier version left it readable by all): PostgreSQL's user has to get
 * through the folder above.
 */
async function closePgliteFolders(dataDir: string): Promise<void> {
  const self = process.getuid?.();
  // What can't be looked at is refused by whoever opens it.
  const names = await readdir(dataDir).catch(() => []);
  for (const name of names.filter((each) => /^pglite(\.|$)/.test(each))) {
    const folder = join(dataDir, name);
    const found = await stat(folder).catch(() => null);
    const isOurs = self === 0 || found?.uid === self;
    if (found !== null && isOurs && (found.mode & OTHERS) !== 0) await chmod(folder, found.mode & ~OTHERS);
  }
}

type OwnDatabase = 'embedded' | 'pglite';
type Options = Omit<OpenDatabaseOptions, 'databaseUrl'>;

const SAID: Readonly<Record<OwnDatabase, string>> = {
  embedded: 'data is kept by PostgreSQL, which this server runs in DATA_DIR',
  pglite:
    'data is kept by PGlite in DATA_DIR: it survives a killed process; a power cut can cost the last seconds ' +
    '(a PostgreSQL, embedded or by DATABASE_URL, has no such limit)',
};

/** PostgreSQL in the data folder; what PGlite kept there is moved first. */
async function openEmbedded({ dataDir, logger, binaries }: Options): Promise<Database> {
  const folder = join(dataDir, 'postgres');
  const isMove = isToBeMoved(dataDir);
  await (isMove ? markMove(dataDir) : unmarkMove(dataDir));
  const server = await startEmbeddedPostgres({
    folder,
    logger,
    ...(binaries === undefined ? {} : { binaries }),
  });
  let database: Database | null = null;
  try {
    database = await openPostgresDatabase({
      url: server.url('postgres'),
      logger,
      // Its socket knows no TLS.
      isPlain: true,
      afterClose: () => server.stop(),
    });
    if (isMove) await moveFromPglite(dataDir, database, logger);
    return { ...database, ownFolder: folder };
  } catch (error) {
    await (database === null ? server.stop() : database.close());
    throw error;
  }
}

async function openPglite({ dataDir, logger }: Options): Promise<Database> {
  const folder = join(dataDir, 'pglite');
  return { ...(await openPgliteDatabase({ folder, logger })), ownFolder: folder };
}

/** Written once PostgreSQL was chosen where nothing was set; before that, PGlite always was. */
const CHOSEN = 'postgres.default';

/** Whether the folder holds data of both, and PGlite's is what was used where nothing was set. */
function isPgliteKept(dataDir: string): boolean {
  return (
    isThere(join(dataDir, 'pglite/PG_VERSION')) && !isToBeMoved(dataDir) && !isThere(join(dataDir, CHOSEN))
  );
}

/** Whether PostgreSQL keeps the data, also where its folder is not to be found (a disk that is not there). */
function isPostgresKept(dataDir: string): boolean {
  return (
    !isToBeMoved(dataDir) && (holdsDatabase(join(dataDir, 'postgres')) || isThere(join(dataDir, CHOSEN)))
  );
}

/** PostgreSQL, and PGlite where that doesn't run; never another database than that of the start before. */
async function openDefault(options: Options): Promise<{ database: Database; kind: OwnDatabase }> {
  const { dataDir, logger } = options;
  const folder = join(dataDir, 'postgres');
  if (isPgliteKept(dataDir)) {
    logger.warn(
      'DATA_DIR holds data of PGlite and of PostgreSQL; PGlite is used, as before. Set DATABASE_URL to embedded or pglite',
    );
    return { database: await openPglite(options), kind: 'pglite' };
  }
  try {
    const database = await openEmbedded(options);
    await writeFile(join(dataDir, CHOSEN), '');
    return { database, kind: 'embedded' };
  } catch (cause) {
    // It does run here: beside us, on this folder.
    if (cause instanceof AppError && cause.code === 'conflict') throw cause;
    const reason = reasonOf(cause);
    if (isPostgresKept(dataDir))
      throw new AppError('server', `The data is in ${folder}, and PostgreSQL does not start: ${reason}`, {
        cause,
      });
    logger.warn({ reason }, 'PostgreSQL does not run here, so PGlite is used');
    return { database: await openPglite(options), kind: 'pglite' };
  }
}

async function openOwn(options: Options, wanted: OwnDatabase | null): Promise<Database> {
  const { logger, dataDir } = options;
  if (wanted === 'pglite' && holdsDatabase(join(dataDir, 'postgres')))
    logger.warn('DATA_DIR also holds data of PostgreSQL, which PGlite does not show');
  const { database, kind } =
    wanted === null
      ? await openDefault(options)
      : {
          database: wanted === 'embedded' ? await openEmbedded(options) : await openPglite(options),
          kind: wanted,
        };
  logger.info({ database: kind }, SAID[kind]);
  return database;
}

/** Opens the database; `migrate` still has to bring its tables up to date. */
export async function openDatabase({ databaseUrl, ...options }: OpenDatabaseOptions): Promise<Database> {
  const wanted = databaseUrl === undefined || databaseUrl === '' ? null : databaseUrl;
  if (wanted !== null && wanted !== 'embedded' && wanted !== 'pglite')
    return openPostgresDatabase({ url: wanted, logger: options.logger });

  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
  const lock = await lockFolder(dataDir);
  try {
    await closePgliteFolders(dataDir);
    const database = await openOwn({ ...options, dataDir }, wanted);
    return {
      ...database,
      async close() {
        try {
          await database.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
