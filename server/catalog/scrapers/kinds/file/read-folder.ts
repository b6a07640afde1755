/**
 * Files of a folder by patterns. `SCRAPERS_DIR` for scrapers of operators, where paths may lead anywhere; otherwise every
 * file stays below the folder, whatever patterns and symbolic links say.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { FileEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { refuseSlowPattern } from '../../../../platform/patterns/refuse-pattern.ts';
import { leadsOut } from '../../../../../src/domain/file-pattern.ts';
import { reasonOf } from '../../../../platform/reason-of.ts';
import type { RawDocument, ScrapeContext, ScrapeOutput } from '../../specs/scraped.ts';
import { formatOf, parseContent } from '../services/parse-content.ts';

/** The folder of scrapers that are no file of the server. */
export const USERS_FOLDER = 'SCRAPERS_DIR/data';
const MAX_FILES = 10_000;
/** Of one file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_TOTAL_BYTES = 200 * 1024 * 1024;

/** Where files are read. */
export interface FileFolder {
  path: string;
  /** As messages call it. */
  name: string;
  /** Nothing outside of this folder is read, whatever leads there; null where paths may lead anywhere. */
  within: string | null;
  /** As an item names one of its files. */
  sourceOf: (file: string) => string;
}

type FolderContext = Pick<ScrapeContext, 'lastRun' | 'signal'>;

/** The patterns of an entry. */
export function globsOf(entry: FileEntry): string[] {
  const { path } = entry;
  const given = [...(entry.paths ?? []), ...(path === undefined ? [] : Array.isArray(path) ? path : [path])];
  return given.map(String).filter((text) => text.trim() !== '');
}

/** The patterns to read in the folder. Throws for none, and where `..` would lead out; the real path is asked again for each file. */
export function wantedGlobs(
  entry: FileEntry,
  { name, within }: Pick<FileFolder, 'name' | 'within'>,
): string[] {
  const globs = globsOf(entry);
  if (globs.length === 0) throw new AppError('invalid', 'paths: is required: which files to read');
  for (const glob of globs) refuseSlowPattern('paths', glob);
  for (const glob of entry.ignore ?? []) refuseSlowPattern('ignore', String(glob));
  for (const glob of within === null ? [] : globs)
    if (leadsOut(glob))
      throw new AppError(
        'forbidden',
        `paths: "${glob}" leads out of ${name}${name === USERS_FOLDER ? '; only files on the server may name other places' : ''}`,
      );
  return globs;
}

const globOptions = (entry: FileEntry, { path, within }: FileFolder) => ({
  cwd: path,
  ignore: (entry.ignore ?? []).map(String),
  dot: false,
  onlyFiles: true,
  unique: true,
  followSymbolicLinks: within === null,
  suppressErrors: true,
});

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

interface Listed {
  files: string[];
  /** Patterns whose folder is there and whose files are not. */
  unmatched: string[];
}

/**
 * The files that are meant. A folder that is not there must not look like one whose files are all gone, nor a pattern
 * that has never matched: both are errors. Files that were there at the last good run are gone.
 */
async function listFiles(entry: FileEntry, folder: FileFolder, { lastRun }: FolderContext): Promise<Listed> {
  const globs = wantedGlobs(entry, folder);
  const options = globOptions(entry, folder);
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const glob of globs) {
    const matches = await fastGlob(glob, options);
    for (const file of matches) found.add(file);
    if (matches.length > 0) continue;
    for (const { base } of fastGlob.generateTasks(glob, options))
      if (!(await isFolder(resolve(folder.path, base))))
        throw new AppError('not_found', `paths: no file matches ${glob}: there is no folder ${base}`);
    unmatched.push(glob);
  }
  if (found.size === 0 && lastRun === null)
    throw new AppError('not_found', `paths: no file matches ${globs.join(', ')}`);
  if (found.size > MAX_FILES)
    throw new AppError('invalid', `paths: match ${found.size} files, allowed are ${MAX_FILES}`);
  return { files: [...found].toSorted(), unmatched };
}

/** Gone between being listed and being read. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The file's text, if it is where this specification may read. */
async function readBelow(file: string, { path: folder, name, within }: FileFolder): Promise<string> {
  const path = resolve(folder, file);
  const real = await realpath(path);
  if (within !== null) {
    const root = await realpath(within);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new AppError('forbidden', `is a link that leads out of ${name}`);
  }
  const { size } = await stat(real);
  if (size > MAX_FILE_BYTES) throw new AppError('invalid', `is larger than ${MAX_FILE_BYTES} bytes`);
  return readFile(real, 'utf8');
}

interface FileText {
  /** As the specification would name it. */
  source: string;
  text: string;
}

/** The documents of a file. Throws one sentence where it is not what its format says. */
export async function documentsOf(
  { source, text }: FileText,
  entry: FileEntry,
  signal: AbortSignal,
): Promise<RawDocument[]> {
  const format = formatOf(source.split(/[?#]/, 1)[0] ?? '', entry.format);
  const contents = await parseContent({ text, format, source }, signal);
  return contents.map((content) => ({ content, format, source, known: {} }));
}

/** What the files of the entry say; what can't be read is told, and the rest counts. */
export async function readFolder(
  entry: FileEntry,
  folder: FileFolder,
  context: FolderContext,
): Promise<ScrapeOutput> {
  const documents: RawDocument[] = [];
  const errors: string[] = [];
  let bytes = 0;
  const { files, unmatched } = await listFiles(entry, folder, context);
  for (const file of files) {
    context.signal.throwIfAborted();
    try {
      const text = await readBelow(file, folder);
      bytes += text.length;
      const source = folder.sourceOf(file);
      for (const document of await documentsOf({ source, text }, entry, context.signal))
        documents.push(document);
    } catch (error) {
      if (isGone(error)) continue;
      const reason = reasonOf(error);
      errors.push(`paths: ${reason.includes(file) ? reason : `${file}: ${reason}`}`);
    }
    if (bytes > MAX_TOTAL_BYTES) {
      errors.push(`paths: the files are larger than ${MAX_TOTAL_BYTES} bytes together; the rest is left out`);
      break;
    }
  }
  const warnings = unmatched.map((glob) => `paths: no file matches ${glob} any more`);
  return { documents, changes: [], analyses: [], errors, warnings, isComplete: errors.length === 0 };
}
