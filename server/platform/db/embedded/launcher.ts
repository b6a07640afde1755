/**
 * How PostgreSQL's programs are run: as whom (PostgreSQL refuses root), and under which guards. On Linux `flock` holds a
 * lock file for as long as any process of PostgreSQL lives, whichever container it is in, and `setpriv` has the system
 * end PostgreSQL when our process is killed. What works is tried out, nothing is assumed.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { AppError } from '../../../../src/contract/errors.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';

/** Exit code when another PostgreSQL holds the lock file. */
export const EXIT_LOCKED = 75;
const LOCK_WAIT_SECONDS = 10;
/** The first one is made by PostgreSQL's own packages, the second one is everywhere. */
const USERS_FOR_ROOT = ['postgres', 'nobody'] as const;

/** Why nothing of ours may work there. */
export function folderInUse(folder: string): AppError {
  return new AppError('conflict', `another PostgreSQL works in ${folder}, perhaps in another container`);
}

/** User and group that the files belong to; null where everything runs as ourselves. */
export interface Owner {
  uid: number;
  gid: number;
}

export interface Launcher {
  owner: Owner | null;
  /** Output of `postgres --version`. */
  version: string;
  /** Waits until no process of PostgreSQL holds the lock file; false when one still does, null where nobody can tell. */
  isFree(): Promise<boolean | null>;
  /** What to spawn for one of PostgreSQL's programs, alone on the lock file. */
  command(program: string, args: readonly string[]): { file: string; args: string[]; options: SpawnOptions };
}

export interface LauncherOptions {
  binaries: PostgresBinaries;
  /** Where the database's files are, or will be. */
  folder: string;
  /** Has to be reachable for PostgreSQL. */
  parent: string;
}

function lookUp(name: string): Owner | null {
  const ask = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    // There is no such user.
    return null;
  }
}

/** Root runs PostgreSQL as the user whose files they are, else as `postgres` or `nobody`. */
function ownerFor(folder: string): Owner | null {
  if (process.getuid?.() !== 0) return null;
  if (existsSync(folder)) {
    const { uid, gid } = statSync(folder);
    if (uid !== 0) return { uid, gid };
  }
  for (const name of USERS_FOR_ROOT) {
    const found = lookUp(name);
    if (found !== null && found.uid !== 0) return found;
  }
  throw new AppError('not_found', 'PostgreSQL does not run as root, and there is no user postgres or nobody');
}

/** Options of `setpriv` that let a process reach folders that are closed to its user; a root without it can't either. */
const REACH_EVERYWHERE = [
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=+dac_override',
  '--bounding-set=-all,+dac_override',
  '--securebits=+no_setuid_fixup',
];

/** Ways to begin a command line, the preferred one first. */
function guardsFor(owner: Owner | null): string[][] {
  if (process.platform !== 'linux') return [];
  const alone = ['setpriv', '--no-new-privs'];
  if (owner === null) return [[...alone, '--pdeathsig', 'INT']];
  const asOwner = [...alone, '--reuid', `${owner.uid}`, '--regid', `${owner.gid}`, '--clear-groups'];
  return [
    [...asOwner, '--pdeathsig', 'INT'],
    [...asOwner, ...REACH_EVERYWHERE, '--pdeathsig', 'INT'],
  ];
}

/** Runs `postgres --version` from the folder, as it would be run later. */
function tryOut(guard: readonly string[], owner: Owner | null, { binaries, parent }: LauncherOptions) {
  // The lock's program is needed together with the guard's.
  const script = `cd "$1" && ${guard.length > 0 ? 'flock --version >/dev/null &&' : ''} exec "$2" --version`;
  const [file, ...args] = [...guard, 'sh', '-c', script, 'sh', parent, binaries.postgres];
  const isPlain = guard.length === 0;
  return spawnSync(file, args, { encoding: 'utf8', ...(isPlain && owner !== null ? owner : {}) });
}

/** Finds the way that works here; throws with the reason of the last one that was tried. */
export function findLauncher(options: LauncherOptions): Launcher {
  const owner = ownerFor(options.folder);
  let reason = '';
  for (const guard of [...guardsFor(owner), []]) {
    const { status, stdout, stderr, error } = tryOut(guard, owner, options);
    if (status === 0) return createLauncher({ guard, owner, version: stdout.trim(), folder: options.folder });
    reason = (error?.message ?? stderr).trim().split('\n')[0] ?? '';
  }
  const who = owner === null ? '' : ` as user ${owner.uid}`;
  throw new AppError('not_found', `${options.binaries.postgres} does not run${who}: ${reason}`);
}

/** Held by the processes of PostgreSQL; says where their sockets are. */
export function lockFileOf(folder: string): string {
  return `${folder}.lock`;
}

interface Found {
  guard: readonly string[];
  owner: Owner | null;
  version: string;
  folder: string;
}

function createLauncher({ guard, owner, version, folder }: Found): Launcher {
  const isPlain = guard.length === 0;
  const lockFile = lockFileOf(folder);
  const lock = (waitSeconds: number) => [
    '--no-fork',
    '--wait',
    `${waitSeconds}`,
    '--conflict-exit-code',
    `${EXIT_LOCKED}`,
    lockFile,
  ];
  return {
    owner,
    version,
    async isFree() {
      if (isPlain) return null;
      const child = spawn('flock', [...lock(LOCK_WAIT_SECONDS), 'true'], { stdio: 'ignore' });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code !== EXIT_LOCKED;
    },
    command(program, args) {
      const line = isPlain ? [] : ['flock', ...lock(1), ...guard];
      const [file = program, ...rest] = [...line, program, ...args];
      // A group of its own: a Ctrl-C in the terminal is for us, who still have to store what is running.
      const options: SpawnOptions = { detached: true, stdio: ['ignore', 'ignore', 'pipe'] };
      return { file, args: rest, options: isPlain && owner !== null ? { ...options, ...owner } : options };
    },
  };
}
