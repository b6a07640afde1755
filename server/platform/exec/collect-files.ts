/**
 * The files that a script leaves for people to look at. Only what lies in the script's own folder is taken, never what
 * a path or a link in it leads to outside; sizes and numbers are bounded.
 */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { AppError } from '../../../src/contract/errors.ts';
import { refuseSlowPattern } from '../patterns/refuse-pattern.ts';
import { leadsOut } from '../../../src/domain/file-pattern.ts';

export interface LeftFile {
  /** Path inside the script's folder. */
  name: string;
  content: Buffer;
}

/** Files beyond these are left out, and that is said. */
const MAX_FILES = 10;
const MAX_FILE_BYTES = 1024 * 1024;

export interface LeftFiles {
  files: LeftFile[];
  /** What was left out, and why. */
  problems: string[];
}

/** Refuses a pattern that leads out of the folder. */
function refuseOutside(pattern: string): void {
  if (leadsOut(pattern))
    throw new AppError('invalid', `artifacts: "${pattern}" leads out of the folder that the script runs in`);
}

async function readInside(folder: string, name: string): Promise<LeftFile | string> {
  const path = join(folder, name);
  // A folder on the way may be a link, and a script can change it while this looks.
  if (!(await realpath(path)).startsWith(`${await realpath(folder)}${sep}`))
    return `artifacts: ${name} is a link that leads outside and is left out`;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return `artifacts: ${name} is no file and is left out`;
    if (facts.size > MAX_FILE_BYTES)
      return `artifacts: ${name} is larger than ${MAX_FILE_BYTES} bytes and is left out`;
    return { name, content: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** The files of `folder` that the patterns name. */
export async function collectFiles(folder: string, patterns: readonly string[]): Promise<LeftFiles> {
  for (const pattern of patterns) {
    refuseOutside(pattern);
    refuseSlowPattern('artifacts', pattern);
  }
  const names = await fastGlob([...patterns], {
    cwd: folder,
    dot: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    suppressErrors: true,
  });
  const left: LeftFiles = { files: [], problems: [] };
  for (const name of names.toSorted().slice(0, MAX_FILES)) {
    const found = await readInside(folder, name);
    if (typeof found === 'string') left.problems.push(found);
    else left.files.push(found);
  }
  if (names.length > MAX_FILES)
    left.problems.push(`artifacts: ${names.length} files match, the first ${MAX_FILES} are kept`);
  return left;
}
