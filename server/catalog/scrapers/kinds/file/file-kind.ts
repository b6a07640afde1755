/**
 * file: files of local folders, or one that is fetched. Operators' paths start from SCRAPERS_DIR and may lead
 * anywhere; a user's stay below the folder that is given to users, whatever symbolic links say.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { FileEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import { reasonOf } from '../../../../platform/reason-of.ts';
import { addressBeside, signInWith } from '../../../../connections/secret-scope.ts';
import { requestThroughGuard } from '../../../../platform/egress/egress-http.ts';
import type {
  RawDocument,
  ScrapeConnection,
  ScrapeContext,
  ScrapeOutput,
  ScraperKind,
} from '../../specs/scraped.ts';
import { formatOf, parseContent } from '../services/parse-content.ts';

const MAX_FILES = 10_000;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_TOTAL_BYTES = 200 * 1024 * 1024;
const FETCH_LIMIT_MS = 60_000;
const REDIRECTS = 5;

const NO_FOLDER =
  'paths: files are read below SCRAPERS_DIR/data, and this server was started without SCRAPERS_DIR';
/** `git::…`, `github.com/owner/repository`, `s3::…`: what go-getter would fetch. */
const FETCHED_TREE = /^(?:[a-z0-9]+::|git@|(?:github|gitlab|bitbucket)\.(?:com|org)\/)|\.git(?:$|\/|\?)/i;

function globsOf(entry: FileEntry): string[] {
  const { path } = entry;
  const given = [...(entry.paths ?? []), ...(path === undefined ? [] : Array.isArray(path) ? path : [path])];
  return given.map(String).filter((text) => text.trim() !== '');
}

/** `..` would lead out; the real path is asked again for each file. */
function refuseLeadingOut(globs: readonly string[]): void {
  for (const glob of globs) {
    if (glob.startsWith('/') || glob.split(/[\\/{},]/).includes('..') || glob.includes('\0'))
      throw new AppError(
        'forbidden',
        `paths: "${glob}" leads out of SCRAPERS_DIR/data; only files on the server may name other places`,
      );
  }
}

const globOptions = (entry: FileEntry, { baseFolder, trust }: ScrapeContext) => ({
  cwd: baseFolder,
  ignore: (entry.ignore ?? []).map(String),
  dot: false,
  onlyFiles: true,
  unique: true,
  followSymbolicLinks: trust === 'operator',
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
async function listFiles(entry: FileEntry, context: ScrapeContext): Promise<Listed> {
  const globs = globsOf(entry);
  if (globs.length === 0) throw new AppError('invalid', 'paths: is required: which files to read');
  const { baseFolder, trust } = context;
  if (baseFolder === '') throw new AppError('forbidden', NO_FOLDER);
  if (trust === 'user') refuseLeadingOut(globs);
  const options = globOptions(entry, context);
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const glob of globs) {
    const matches = await fastGlob(glob, options);
    for (const file of matches) found.add(file);
    if (matches.length > 0) continue;
    for (const { base } of fastGlob.generateTasks(glob, options))
      if (!(await isFolder(resolve(baseFolder, base))))
        throw new AppError('not_found', `paths: no file matches ${glob}: there is no folder ${base}`);
    unmatched.push(glob);
  }
  if (found.size === 0 && context.lastRun === null)
    throw new AppError('not_found', `paths: no file matches ${globs.join(', ')}`);
  if (found.size > MAX_FILES)
    throw new AppError('invalid', `paths: match ${found.size} files, allowed are ${MAX_FILES}`);
  return { files: [...found].toSorted(), unmatched };
}

/** Gone between being listed and being read. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The file's text, if it is where this specification may read. */
async function readBelow(file: string, context: ScrapeContext): Promise<string> {
  const path = resolve(context.baseFolder, file);
  const real = await realpath(path);
  if (context.trust === 'user') {
    const root = await realpath(context.baseFolder);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw new AppError('forbidden', 'is a link that leads out of SCRAPERS_DIR/data');
  }
  const { size } = await stat(real);
  if (size > MAX_FILE_BYTES) throw new AppError('invalid', `is larger than ${MAX_FILE_BYTES} bytes`);
  return readFile(real, 'utf8');
}

interface Texts {
  /** As the specification would name it. */
  source: string;
  text: string;
}

function documentsOf({ source, text }: Texts, entry: FileEntry): RawDocument[] {
  const format = formatOf(source.replace(/[?#].*$/, ''), entry.format);
  return parseContent(text, format, source).map((content) => ({ content, format, source, known: {} }));
}

async function fromFolder(entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const documents: RawDocument[] = [];
  const errors: string[] = [];
  let bytes = 0;
  const { files, unmatched } = await listFiles(entry, context);
  for (const file of files) {
    context.signal.throwIfAborted();
    try {
      const text = await readBelow(file, context);
      bytes += text.length;
      documents.push(...documentsOf({ source: file, text }, entry));
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

function basicOf(connection: ScrapeConnection | null): Record<string, string> {
  if (connection === null) return {};
  const { username, password } = signInWith(connection);
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function fromUrl(text: string, entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  if (FETCHED_TREE.test(text))
    throw new AppError(
      'invalid',
      `url: "${text}" is a repository; this server fetches single files over http(s), so check it out beside SCRAPERS_DIR and name its files in paths`,
    );
  const connection = entry.connection === undefined ? null : await context.connection(entry.connection);
  if (entry.connection !== undefined && connection === null)
    throw new AppError('invalid', `connection: ${entry.connection} was not found`);
  const url =
    connection !== null
      ? addressBeside(connection, text, context.author)
      : URL.canParse(text)
        ? new URL(text)
        : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new AppError('invalid', `url: "${text}" is not an http:// or https:// URL`);
  if (globsOf(entry).length > 0)
    throw new AppError('invalid', 'paths: a url is one file; give either url or paths');
  const answer = await requestThroughGuard(context.guard, context.trust, {
    signal: context.signal,
    request: {
      method: 'GET',
      url,
      headers: { 'user-agent': 'holdfast', accept: '*/*', ...basicOf(connection) },
      body: null,
      timeoutMs: FETCH_LIMIT_MS,
      maxRedirects: REDIRECTS,
      maxBodyBytes: MAX_FILE_BYTES,
      tls: { isInsecure: connection?.insecureTls },
    },
  });
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new AppError('network', `url: ${url.host} answered ${answer.statusCode}`);
  if (answer.isBodyCut) throw new AppError('invalid', `url: the file is larger than ${MAX_FILE_BYTES} bytes`);
  const source = `${url.origin}${url.pathname}`;
  const documents = documentsOf({ source, text: answer.body.toString('utf8') }, entry);
  return { documents, changes: [], analyses: [], errors: [], isComplete: true };
}

async function scrape(entry: FileEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const { url = '', connection } = entry;
  return url === '' && connection === undefined ? fromFolder(entry, context) : fromUrl(url, entry, context);
}

export const fileKind: ScraperKind<FileEntry> = { kind: 'file', scrape };
