/** folder: files of a local folder or glob, or of a bucket, by count, age and size, and the space of its disk (schema §4.1). */
import { access, constants, stat, statfs } from 'node:fs/promises';
import fastGlob from 'fast-glob';
import { refuseSlowPattern } from '../../../platform/patterns/refuse-pattern.ts';
import { parseDuration, parseSize } from '../../../../src/domain/check/duration.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { notRun } from '../../kind/check-kind.ts';
import { probe } from '../../kind/probe.ts';
import type { Probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import type { RunEnvironment } from '../../kind/registered-kind.ts';
import { gcsNotRun, isInGcs, listGcsObjects } from './folder-in-gcs.ts';
import { listOverSftp } from './folder-over-sftp.ts';
import { isInS3, listObjects, s3NotRun } from './folder-in-s3.ts';
import { MAX_FILES, folderSchema } from './folder-spec.ts';
import type { FileFacts, FolderSpec } from './folder-spec.ts';
import { sortedBy } from '../../../../src/lib/sorted-by.ts';

const NOT_SUPPORTED = 'is not supported by this server';
const ONLY = 'local folders, those in S3 and Google Cloud Storage, and those over SFTP are checked';

/** Where a folder is when it is not here, and how it is listed. */
interface RemoteFolder {
  isMeant: (spec: FolderSpec) => boolean;
  notRun: (spec: FolderSpec) => string | null;
  list: (spec: FolderSpec, at: Probe) => Promise<FileFacts[]>;
}
const REMOTE: readonly RemoteFolder[] = [
  { isMeant: isInS3, notRun: s3NotRun, list: listObjects },
  { isMeant: isInGcs, notRun: gcsNotRun, list: listGcsObjects },
  { isMeant: ({ sftpConnection }) => sftpConnection !== undefined, notRun: () => null, list: listOverSftp },
];
const remoteOf = (spec: FolderSpec): RemoteFolder | undefined => REMOTE.find(({ isMeant }) => isMeant(spec));

/** Why a folder check can't run here, or null. */
function folderNotRun(spec: FolderSpec, place: RunEnvironment): string | null {
  const remote = remoteOf(spec);
  if (remote !== undefined) return remote.notRun(spec);
  if (spec.smbConnection !== undefined || spec.path.startsWith('\\\\') || /^smb:/i.test(spec.path))
    return `a folder at smb:// ${NOT_SUPPORTED}: there is no client for it that is kept up; mount the share and name its folder`;
  // Names of files are the operator's to show; whoever may run commands can list folders anyway.
  if (place.trust === 'user' && !place.isExecAllowed)
    return 'folder checks run from canary files only, or with ALLOW_EXEC=true';
  if (spec.awsConnection !== undefined) return 'awsConnection: needs a path that begins with s3://';
  if (spec.gcpConnection !== undefined) return 'gcpConnection: needs a path that begins with gcs://';
  if (/^sftp:/i.test(spec.path)) return 'path: a folder at sftp:// needs sftpConnection';
  const scheme = /^([a-z0-9]+):\/\//i.exec(spec.path)?.[1] ?? null;
  return scheme === null ? null : `a folder at ${scheme}:// ${NOT_SUPPORTED}; ${ONLY}`;
}

/** How many files a stored result lists. */
const LISTED_FILES = 200;
/** Large buckets are listed page by page, and a share that is mounted may not answer at all. */
const LIMIT_SECONDS = 60;

function durationOf(field: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const ms = parseDuration(text);
  if (ms === null) throw new AppError('invalid', `${field} "${text}" is not a duration such as 5m or 2d`);
  return ms;
}

function sizeOf(field: string, value: string | number | undefined): number | null {
  if (value === undefined || value === '') return null;
  const bytes = parseSize(value);
  if (bytes === null) throw new AppError('invalid', `${field} "${value}" is not a size such as 10MB`);
  return bytes;
}

/** The folder, and the glob inside it. */
function placeOf(path: string, isRecursive: boolean): { folder: string; pattern: string } {
  const parts = path.split('/');
  const magic = parts.findIndex((part) => part !== '' && fastGlob.isDynamicPattern(part));
  if (magic < 0) return { folder: path, pattern: isRecursive ? '**/*' : '*' };
  return { folder: parts.slice(0, magic).join('/') || '/', pattern: parts.slice(magic).join('/') };
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Throws for a folder that is there and can't be listed: it would look like an empty one. */
async function mayList(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) return;
    await access(folder, constants.R_OK | constants.X_OK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return;
    throw new AppError('unknown', `path: ${folder} can't be read by this server (${String(code)})`, {
      cause: error,
    });
  }
}

/** Throws for more than can be judged. */
async function list(spec: FolderSpec, signal: AbortSignal): Promise<FileFacts[]> {
  const { folder, pattern } = placeOf(spec.path, spec.recursive === true);
  refuseSlowPattern('path', pattern);
  await mayList(folder);
  const files: FileFacts[] = [];
  const stream = fastGlob.stream(pattern, {
    cwd: folder,
    stats: true,
    dot: true,
    onlyFiles: false,
    followSymbolicLinks: false,
    suppressErrors: true,
    objectMode: true,
  });
  for await (const entry of stream as AsyncIterable<unknown> as AsyncIterable<fastGlob.Entry>) {
    signal.throwIfAborted();
    if (files.length >= MAX_FILES)
      throw new AppError('bad_payload', `path: more than ${MAX_FILES} files; name a folder of them`);
    const { stats } = entry;
    if (stats === undefined) continue;
    files.push({
      name: entry.path,
      size: stats.size,
      mode: `0${(stats.mode & 0o777).toString(8)}`,
      modified: stats.mtime.toISOString(),
      is_dir: stats.isDirectory(),
    });
  }
  return files;
}

/** `since` may be date math from now, a moment, or a template that makes one of them. */
async function sinceMs(spec: FolderSpec, context: KindContext): Promise<number | null> {
  const text = spec.filter?.since;
  if (text === undefined) return null;
  const filled = (text.includes('{{') ? await context.template(text, context.variables) : text).trim();
  if (filled === '') return null;
  const math = /^now(?:-(.+))?$/.exec(filled);
  if (math !== null) return context.platform.now() - (durationOf('filter.since', math[1]) ?? 0);
  const at = Date.parse(filled);
  if (Number.isNaN(at)) throw new AppError('invalid', `filter.since "${filled}" is not a moment`);
  return at;
}

async function filtered(spec: FolderSpec, files: FileFacts[], context: KindContext): Promise<FileFacts[]> {
  const { filter } = spec;
  if (filter === undefined) return files;
  const now = context.platform.now();
  const since = await sinceMs(spec, context);
  const [minAge, maxAge] = [
    durationOf('filter.minAge', filter.minAge),
    durationOf('filter.maxAge', filter.maxAge),
  ];
  const [minSize, maxSize] = [
    sizeOf('filter.minSize', filter.minSize),
    sizeOf('filter.maxSize', filter.maxSize),
  ];
  const names =
    filter.regex === undefined
      ? null
      : await context.matching(
          filter.regex,
          files.map((file) => file.name),
        );
  return files.filter((file) => {
    const modified = Date.parse(file.modified);
    const age = now - modified;
    if (names !== null && !names.has(file.name)) return false;
    if (since !== null && modified < since) return false;
    if ((minAge !== null && age < minAge) || (maxAge !== null && age > maxAge)) return false;
    return !((minSize !== null && file.size < minSize) || (maxSize !== null && file.size > maxSize));
  });
}

type Measured = {
  files: FileFacts[];
  newest: FileFacts | null;
  oldest: FileFacts | null;
  smallest: FileFacts | null;
  largest: FileFacts | null;
  size: number;
};

function measure(files: FileFacts[]): Measured {
  const plain = files.filter((file) => !file.is_dir);
  const byTime = sortedBy(files, ({ modified }) => Date.parse(modified));
  const bySize = sortedBy(plain, ({ size }) => size);
  return {
    files,
    oldest: byTime[0] ?? null,
    newest: byTime.at(-1) ?? null,
    smallest: bySize[0] ?? null,
    largest: bySize.at(-1) ?? null,
    size: plain.reduce((sum, file) => sum + file.size, 0),
  };
}

/** Ages and sizes are skipped when there is no file (schema §4.1). */
function complaint(spec: FolderSpec, found: Measured, nowMs: number): string | null {
  const count = found.files.length;
  if (spec.minCount !== undefined && count < spec.minCount)
    return `${count} files, at least ${spec.minCount} wanted`;
  if (spec.maxCount !== undefined && count > spec.maxCount)
    return `${count} files, at most ${spec.maxCount} wanted`;
  if (found.newest === null || found.oldest === null) return null;
  const minAge = durationOf('minAge', spec.minAge);
  if (minAge !== null && nowMs - Date.parse(found.newest.modified) < minAge)
    return `${found.newest.name} is newer than ${spec.minAge}`;
  const maxAge = durationOf('maxAge', spec.maxAge);
  if (maxAge !== null && nowMs - Date.parse(found.oldest.modified) > maxAge)
    return `${found.oldest.name} is older than ${spec.maxAge}`;
  const minSize = sizeOf('minSize', spec.minSize);
  if (minSize !== null && found.smallest !== null && found.smallest.size < minSize)
    return `${found.smallest.name} is smaller than ${spec.minSize}`;
  const maxSize = sizeOf('maxSize', spec.maxSize);
  if (maxSize !== null && found.largest !== null && found.largest.size > maxSize)
    return `${found.largest.name} is larger than ${spec.maxSize}`;
  return null;
}

async function space(spec: FolderSpec): Promise<{ available: number; total: number } | null> {
  if (spec.availableSize === undefined && spec.totalSize === undefined) return null;
  const disk = await statfs(placeOf(spec.path, false).folder);
  return { available: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

function spaceComplaint(spec: FolderSpec, disk: { available: number; total: number }): string | null {
  const available = sizeOf('availableSize', spec.availableSize);
  if (available !== null && disk.available < available)
    return `${Math.floor(disk.available / 1024 ** 2)} MB free, at least ${spec.availableSize} wanted`;
  const total = sizeOf('totalSize', spec.totalSize);
  return total !== null && disk.total < total
    ? `the disk has ${Math.floor(disk.total / 1024 ** 2)} MB, at least ${spec.totalSize} wanted`
    : null;
}

/** What scripts see. */
function dataOf(found: Measured, availableSize: number | null): Record<string, unknown> {
  const files = found.files.slice(0, LISTED_FILES);
  return { results: { ...found, files, count: found.files.length, availableSize } };
}

function runLocally(spec: FolderSpec, context: KindContext): Promise<KindResult> {
  return probe({ timeout: LIMIT_SECONDS }, context, async (at) => {
    const found = measure(await filtered(spec, await list(spec, at.signal), at));
    const disk = await space(spec);
    const reason = complaint(spec, found, at.platform.now());
    return {
      data: dataOf(found, disk?.available ?? null),
      error: reason ?? (disk === null ? null : spaceComplaint(spec, disk)),
    };
  });
}

function runRemote(spec: FolderSpec, remote: RemoteFolder, context: KindContext): Promise<KindResult> {
  return probe({ timeout: LIMIT_SECONDS }, context, async (at) => {
    if (spec.availableSize !== undefined || spec.totalSize !== undefined)
      throw new AppError('invalid', 'availableSize and totalSize: only the disk of a local folder has them');
    const found = measure(await filtered(spec, await remote.list(spec, at), at));
    return { data: dataOf(found, null), error: complaint(spec, found, at.platform.now()) };
  });
}

/** Not run where the operator didn't allow it for specifications of this origin. */
async function runFolderCheck(spec: FolderSpec, context: KindContext): Promise<KindResult> {
  const reason = folderNotRun(spec, context);
  if (reason !== null) return notRun(reason);
  const remote = remoteOf(spec);
  return remote === undefined ? runLocally(spec, context) : runRemote(spec, remote, context);
}

/** Files of a folder. */
export const folderKind = registeredKind({
  key: 'folder',
  title: 'Folder',
  needs: 'a canary file, or ALLOW_EXEC=true; for s3://, gcs:// and SFTP keys or a connection',
  testedAgainst: 'real service',
  example: { name: 'backups', path: '/var/backups/*.gz', minCount: 1, maxAge: '26h' },
  schema: folderSchema,
  notRun: folderNotRun,
  run: runFolderCheck,
});
