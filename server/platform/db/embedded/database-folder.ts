/** The folder of an embedded PostgreSQL: made whole or not at all, its owner, the version that wrote it, its password. */
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, lchownSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { isThere } from './is-there.ts';
import { syncFolder } from './sync-folder.ts';
import { SOCKET_FOLDER } from './left-behind.ts';
import { EXIT_LOCKED, folderInUse } from './launcher.ts';
import type { Launcher, Owner } from './launcher.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

export const POSTGRES_USER = 'holdfast';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** One locale for all systems, and the same order of texts everywhere. */
const INITDB_FLAGS = [
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/** Whether the folder holds a database that was made to its end, also one that another user closed to us. */
export function holdsDatabase(folder: string): boolean {
  return isThere(join(folder, 'global/pg_control'));
}

/** On the disk with its name before any database is made with it. */
async function keepPassword(file: string, password: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', PRIVATE_FILE);
  try {
    await handle.writeFile(`${password}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  await syncFolder(dirname(file));
}

/** The password of the folder's database; made when it is first asked for, and before there is a database. */
export async function readPassword(folder: string): Promise<string> {
  const file = `${folder}.password`;
  const kept = isThere(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept !== '') return kept;
  if (holdsDatabase(folder))
    throw new AppError(
      'server',
      `the password of its database is not in ${file}: bring the file back from a backup`,
    );
  const password = randomBytes(24).toString('hex');
  await keepPassword(file, password);
  return password;
}

/**
 * A folder for the socket: in the system's temporary one, whose path is short (a socket's has at most 107 bytes), and
 * where that can't be written, beside the database.
 */
export async function makeSocketFolder(owner: Owner | null, parent: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), SOCKET_FOLDER)).catch(() =>
    mkdtemp(join(parent, SOCKET_FOLDER)),
  );
  chmodSync(folder, PRIVATE_FOLDER);
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/**
 * PostgreSQL runs as another user than root, who must be able to reach its folder. Answers how to take that back: where
 * PostgreSQL does not run after all, nobody needs it.
 */
export function openWay(parent: string): () => void {
  if (process.getuid?.() !== 0) return () => undefined;
  const { mode } = statSync(parent);
  chmodSync(parent, mode | 0o011);
  return () => chmodSync(parent, mode);
}

/** Gives its owner what root copied there, from a backup say. */
function giveBack(folder: string, { uid, gid }: Owner): void {
  if (statSync(folder).uid === uid) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
  lchownSync(folder, uid, gid);
}

/** PostgreSQL refuses a folder that is open to others, which a restore or the mount of a volume may leave. */
function closeFolder(folder: string): void {
  const { uid, mode } = statSync(folder);
  const self = process.getuid?.();
  if ((mode & 0o777) !== PRIVATE_FOLDER && (self === 0 || self === uid)) chmodSync(folder, PRIVATE_FOLDER);
}

interface Making {
  binaries: PostgresBinaries;
  launcher: Launcher;
  folder: string;
  /** Where its user can read a file. */
  passwordFolder: string;
}

async function runInitdb(
  { binaries, launcher, folder, passwordFolder }: Making,
  password: string,
): Promise<void> {
  const passwordFile = join(passwordFolder, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: PRIVATE_FILE });
  if (launcher.owner !== null) chownSync(passwordFile, launcher.owner.uid, launcher.owner.gid);
  const { file, args, options } = launcher.command(binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    ...INITDB_FLAGS,
  ]);
  const child = spawn(file, args, { ...options, env: { ...process.env, LC_ALL: 'C' } });
  const endWithUs = () => child.kill('SIGTERM');
  process.once('exit', endWithUs);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('exit', endWithUs);
  await rm(passwordFile, { force: true });
  if (code === EXIT_LOCKED) throw folderInUse(folder);
  if (code !== 0)
    throw new AppError('server', `PostgreSQL could not make its files in ${folder}: ${said.trim()}`);
}

/**
 * Makes the files beside the folder and moves them there when they are whole and on the disk: what was killed in the
 * middle begins anew.
 */
async function createFolder(making: Making): Promise<void> {
  const { folder, launcher } = making;
  // Another container may be making them at this moment.
  if ((await launcher.isFree()) === false) throw folderInUse(folder);
  if (holdsDatabase(folder)) return;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: PRIVATE_FOLDER });
  if (launcher.owner !== null) chownSync(unfinished, launcher.owner.uid, launcher.owner.gid);
  await runInitdb({ ...making, folder: unfinished }, await readPassword(folder));
  // An earlier version made its files in place; without a control file there was never a database in them.
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  await syncFolder(dirname(folder));
}

/** Makes the database's files if there are none; refuses those of another version of PostgreSQL. */
export async function prepareFolder(making: Making): Promise<void> {
  const { folder, launcher } = making;
  if (!holdsDatabase(folder)) await createFolder(making);
  if (launcher.owner !== null) giveBack(folder, launcher.owner);
  closeFolder(folder);
  const written = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (launcher.version.includes(` ${written}.`)) return;
  throw new AppError(
    'server',
    `${folder} was written by PostgreSQL ${written}, and what is installed is ${launcher.version}. ` +
      'Export the data with the version of Holdfast that wrote it, and import it here.',
  );
}
