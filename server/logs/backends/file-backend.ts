/**
 * file: files of this server below LOGS_DIR, read from their ends. A row is written by people, so nothing outside of
 * that folder is read, whatever patterns, labels and links say.
 */
import { realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { AppError } from '../../../src/contract/errors.ts';
import type { FileSpec } from '../../../src/contract/specs/log-backend-spec.ts';
import { hasWords, searchableText } from '../../../src/domain/logs/search-words.ts';
import { timeOfFields, timeOfLine } from '../../../src/domain/logs/line-time.ts';
import { jsonFields } from '../../../src/domain/logs/parse-line.ts';
import { refuseSlowPattern } from '../../platform/patterns/refuse-pattern.ts';
import { leadsOut } from '../../../src/domain/file-pattern.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import { FileMarks, placeKey, placesOf } from './file-places.ts';
import type { ReadFileMarks } from './file-places.ts';
import { linesBackwards, type RawLine } from './lines-backwards.ts';
import { givenMessage } from './log-backend.ts';
import type {
  BackendAnswer,
  BackendContext,
  BackendLine,
  LogBackendKind,
  LogQuestion,
} from './log-backend.ts';
import { filledIn, pathPart } from './placeholders.ts';

const NO_FOLDER =
  'paths: files are read below LOGS_DIR, and this server was started without it; its operator can set it';
const MAX_FILES = 500;
/** Of all files of one question. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Lines without a time of their own that belong to one with a time: a stack trace. */
const MAX_UNDATED = 5000;

/** So many older ones, one after the other: a single one is of a clock that was wrong, or tells of another time. */
const MAX_OLDER = 100;

/** Lines of one file may stand in another order than their times, by so many lines and so much time. */
const DISORDER_LINES = 100;
const DISORDER_MS = 10 * 60_000;

interface Place {
  root: string;
  files: string[];
  held: string[];
}

function refuseLeadingOut(glob: string): void {
  if (leadsOut(glob)) throw new AppError('forbidden', `paths: "${glob}" leads out of LOGS_DIR`);
}

async function placeOf(spec: FileSpec, question: LogQuestion, context: BackendContext): Promise<Place> {
  if (context.logsDir === null) throw new AppError('forbidden', NO_FOLDER);
  const root = await realpath(context.logsDir);
  const filled = spec.paths.map((path) => {
    refuseLeadingOut(path);
    return filledIn('paths', path, {
      question,
      write: (value) => (question.isTrial === true ? '*' : pathPart('paths', value)),
    });
  });
  const globs = filled.map(({ text }) => text);
  for (const glob of globs) refuseSlowPattern('paths', glob);
  const options = {
    cwd: root,
    onlyFiles: true,
    unique: true,
    followSymbolicLinks: false,
    suppressErrors: true,
  };
  const files = await fastGlob(globs, options);
  if (files.length === 0)
    throw new AppError('not_found', `paths: no file matches ${globs.join(', ')} below LOGS_DIR`);
  // A label is held to where it stands in each of the patterns.
  const [first, ...others] = filled;
  const held = (first?.held ?? []).filter((name) => others.every((one) => one.held.includes(name)));
  return { root, files, held };
}

/** The file itself, if it is where a backend may read. */
async function realFile(root: string, file: string): Promise<string> {
  const real = await realpath(resolve(root, file));
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new AppError('forbidden', `paths: ${file} is a link that leads out of LOGS_DIR`);
  return real;
}

interface Reading {
  question: LogQuestion;
  nowMs: number;
  labels: Readonly<Record<string, string>>;
  /** When the file was written last: the time of lines that have none. */
  writtenMs: number;
  fileNumber: number;
  marks: FileMarks;
}

/** Where the page before has ended, in the same file. */
function placeIn(path: string, { question, fileNumber }: Reading) {
  const [number, from, behindMs] = question.places?.[placeKey(path)] ?? [];
  return number === fileNumber ? { from, behindMs } : {};
}

const timeOf = ({ text }: RawLine, nowMs: number): number | null => {
  const fields = jsonFields(text);
  return fields === null ? timeOfLine(text, nowMs) : (timeOfFields(fields) ?? timeOfLine(text, nowMs));
};

/** Keeps what is in the range and has the words; false once everything further back is older than the range. */
function createKeeper({ question, labels }: Reading, found: BackendLine[]) {
  const { startMs, endMs, words } = question;
  let older = 0;
  return (raw: readonly RawLine[], atMs: number): boolean => {
    if (atMs < startMs) {
      older += 1;
      return older < MAX_OLDER;
    }
    older = 0;
    if (atMs > endMs) return true;
    for (const { text, bytes } of raw) {
      if (words.length > 0 && !hasWords(searchableText(text, labels), words)) continue;
      found.push({
        atMs,
        // Of a line that was not kept whole, its bytes say how long it is.
        ...givenMessage(text, Buffer.byteLength(text) < bytes ? bytes : text.length),
        labels,
      });
    }
    return true;
  };
}

interface FileAnswer {
  lines: BackendLine[];
  isCut: boolean;
  reachedMs: number | null;
}

/** Down to where everything was read, from the times of the lines that were read last. A clock that jumped says nothing. */
function floorOf(recent: readonly number[]): number | null {
  const inOrder = recent.toSorted((a, b) => a - b);
  const middle = inOrder[Math.floor(inOrder.length / 2)];
  return middle === undefined ? null : (inOrder.findLast((at) => at <= middle + DISORDER_MS) ?? middle);
}

/** The newest lines of one file. Lines without a time have that of the one above them. */
async function readFile(
  path: string,
  reading: Reading,
  onBytes: (count: number) => void,
): Promise<FileAnswer> {
  const { question, nowMs, writtenMs, marks } = reading;
  const { from, behindMs = null } = placeIn(path, reading);
  const lines: BackendLine[] = [];
  const keep = createKeeper(reading, lines);
  let undated: RawLine[] = [];
  let lastMs = behindMs;
  const recent: number[] = [];
  const bounded = () => ({ lines, isCut: true, reachedMs: floorOf(recent) });
  try {
    for await (const line of linesBackwards(path, onBytes, from)) {
      const atMs = timeOf(line, nowMs);
      if (atMs === null && undated.length < MAX_UNDATED) {
        undated.push(line);
        continue;
      }
      const at: number = atMs ?? lastMs ?? writtenMs;
      marks.add({ atMs: at, end: undated[0]?.end ?? line.end, behindMs: lastMs });
      if (!keep([...undated, line], at)) return { lines, isCut: false, reachedMs: null };
      undated = [];
      lastMs = at;
      if (at > question.endMs) continue;
      recent.push(at);
      if (recent.length > DISORDER_LINES) recent.shift();
      if (lines.length >= question.limit + DISORDER_LINES) return bounded();
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quota') throw error;
    return bounded();
  }
  keep(undated, lastMs ?? writtenMs);
  return { lines, isCut: lines.length > question.limit, reachedMs: null };
}

/** Ends a reading that takes too much. */
function createBudget(signal: AbortSignal) {
  let left = MAX_BYTES;
  return (count: number) => {
    signal.throwIfAborted();
    left -= count;
    if (left < 0) throw new AppError('quota', 'too much was read');
  };
}

async function readFiles(
  spec: FileSpec,
  question: LogQuestion,
  context: BackendContext,
): Promise<BackendAnswer> {
  const { root, files, held } = await placeOf(spec, question, context);
  const notes: string[] = [];
  if (files.length > MAX_FILES)
    notes.push(`Only the newest ${MAX_FILES} of ${files.length} files were looked at`);
  const facts = await Promise.all(
    files.map(async (file) => {
      const { mtimeMs: writtenMs, ino: fileNumber, size: bytes } = await stat(resolve(root, file));
      return { file, writtenMs, fileNumber, bytes };
    }),
  );
  const newest = facts.toSorted((a, b) => b.writtenMs - a.writtenMs).slice(0, MAX_FILES);
  const onBytes = createBudget(context.signal);
  const given = Object.fromEntries(
    Object.entries(spec.labels ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const answers: FileAnswer[] = [];
  const read: ReadFileMarks[] = [];
  for (const { file, writtenMs, fileNumber, bytes } of newest) {
    // What was written last before the range begins has nothing in it.
    if (writtenMs < question.startMs) continue;
    try {
      const path = await realFile(root, file);
      const labels = { ...given, file: relative(root, path) };
      const marks = new FileMarks();
      const reading = { question, nowMs: context.now(), labels, writtenMs, fileNumber, marks };
      answers.push(await readFile(path, reading, onBytes));
      read.push({ path, fileNumber, bytes, marks });
    } catch (error) {
      if (context.signal.aborted) throw error;
      notes.push(reasonOf(error));
    }
  }
  const placesFor = placesOf(read, question.places ?? {});
  const allHeld = [...held, ...heldBy(given, question)];
  return { ...merged(answers, question.limit), held: allHeld, notes, placesFor };
}

/** Labels of the backend that are as the selector has them. */
const heldBy = (given: Readonly<Record<string, string>>, { labels }: LogQuestion): string[] =>
  Object.keys(given).filter((name) => labels[name] === given[name]);

/** Complete down to where the first of the files that were cut ended. */
function merged(
  answers: readonly FileAnswer[],
  limit: number,
): Pick<BackendAnswer, 'lines' | 'isCut' | 'reachedMs'> {
  const floors = answers.flatMap(({ isCut, reachedMs }) => (isCut && reachedMs !== null ? [reachedMs] : []));
  const floor = floors.length === 0 ? null : Math.max(...floors);
  const all = answers
    .flatMap(({ lines }) => lines)
    .filter(({ atMs }) => floor === null || atMs >= floor)
    .toSorted((a, b) => b.atMs - a.atMs);
  const lines = all.slice(0, limit);
  const isCut = floor !== null || all.length > limit;
  const last = lines.at(-1)?.atMs;
  const reached = all.length > limit ? last : (floor ?? undefined);
  return { lines, isCut, ...(isCut && reached !== undefined ? { reachedMs: reached } : {}) };
}

export const fileBackend: LogBackendKind<FileSpec> = { kind: 'file', read: readFiles };
