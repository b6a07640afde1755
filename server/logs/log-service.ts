/** Reads logs: which backends have those of a component, and what they say, as one page. */
import { AppError } from '../../src/contract/errors.ts';
import { DEFAULT_PAGE_LINES } from '../../src/contract/logs/logs.ts';
import type { LogsAnswer } from '../../src/contract/logs/logs.ts';
import type { SpecAuthor } from '../connections/secret-scope.ts';
import { withSealedSecrets } from '../connections/connection-query.ts';
import { refuseStars } from '../connections/note-literals.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Expressions } from '../platform/expressions/expression-thread.ts';
import type { Logger } from '../platform/logger.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { askBackend, openBackend, readSpec } from './ask-backend.ts';
import type { AskDeps, AskedBackend, OpenedBackend } from './ask-backend.ts';
import type { BackendAnswer, BackendLine, LogQuestion } from './backends/log-backend.ts';
import { createKnownSecrets, maskedLines } from './known-secrets.ts';
import { readCursor, writeCursor } from './log-cursor.ts';
import type { LogCursor } from './log-cursor.ts';
import { questionOf } from './log-request.ts';
import type { AskedLogs } from './log-request.ts';
import { isRoutedTo } from './log-routes-match.ts';
import { findLogBackend, readLogBackends, readLogComponent } from './logs-query.ts';
import { mergeAnswers } from './merge-answers.ts';
import type { MergedPage } from './merge-answers.ts';

/** Of one answer, so that a page of long lines is no load of its own. */
const MAX_ANSWER_CHARS = 8_000_000;
/** A line from further ahead is from a clock that is wrong. */
const CLOCK_SLACK_MS = 60_000;
/** A page without lines is no answer while there is more to look through; this is the end of patience. */
const MAX_EMPTY_PAGES = 20;
const LOOK_ON_MS = 10_000;
const TESTED_MS = 24 * 3_600_000;
const NONE_KNOWN = { all: () => Promise.resolve([]) };

export interface LogServiceDeps extends Omit<AskDeps, 'known'> {
  logger: Logger;
  settings: { logsDir: string | null; dataDir: string };
}

/** Who reads, and what evaluates the templates of selectors. */
export interface Reader {
  /** The database as the caller has it. */
  db: Queryable;
  expressions: Pick<Expressions, 'evaluate'>;
  signal: AbortSignal;
}

export interface LogPage extends AskedLogs {
  /** A component. */
  id: string;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}

/** A backend as it is kept, or a specification that is not kept yet. */
export type TestedBackend =
  | { id: string }
  | { id?: string | null | undefined; spec: Record<string, unknown>; author: SpecAuthor };

export interface LogService {
  /** Throws `invalid` for an unknown component or selector, and what backends said when none of them answered. */
  read: (asked: LogPage, reader: Reader) => Promise<LogsAnswer>;
  /** Asks a backend for its newest line; answers a sentence, throws one otherwise. */
  test: (tested: TestedBackend, signal: AbortSignal) => Promise<string>;
}

interface Asked {
  backend: OpenedBackend;
  /** Null where it gave nothing; the notes say why. */
  answer: AskedBackend | null;
  notes: readonly string[];
}

/** Backends of the question, and a sentence for each that can't be asked. */
async function backendsOf({ db, sealer }: AskDeps, question: Omit<LogQuestion, 'limit'>) {
  const stored = await readLogBackends(db);
  const notes: string[] = [];
  const backends = stored.flatMap((row) => {
    try {
      const backend = openBackend(sealer, row);
      return isRoutedTo(backend.spec, question) ? [backend] : [];
    } catch (error) {
      notes.push(`${row.name}: ${reasonOf(error)}`);
      return [];
    }
  });
  if (stored.length === 0)
    notes.push('No log backend is set up: an editor adds one in Settings, Log Backends');
  else if (backends.length === 0 && notes.length === 0)
    notes.push('No log backend has the logs of this component: none of their routes fits its log selector');
  return { backends, notes };
}

async function ask(
  deps: AskDeps,
  backend: OpenedBackend,
  asked: { question: LogQuestion; signal: AbortSignal },
): Promise<Asked> {
  try {
    const answer = await askBackend(deps, backend, asked);
    return { backend, answer, notes: (answer.notes ?? []).map((note) => `${backend.name}: ${note}`) };
  } catch (error) {
    if (asked.signal.aborted) throw error;
    return { backend, answer: null, notes: [`${backend.name}: ${reasonOf(error)}`] };
  }
}

/** As many as fit into an answer; at least one. */
function fitting(lines: readonly BackendLine[]): number {
  let chars = 0;
  let count = 0;
  for (const { message, labels } of lines) {
    chars += message.length + JSON.stringify(labels).length;
    if (chars > MAX_ANSWER_CHARS && count > 0) break;
    count += 1;
  }
  return Math.max(count, 1);
}

function clockNotes(asked: readonly Asked[], nowMs: number): string[] {
  return asked.flatMap(({ backend, answer }) => {
    const newest = answer?.lines[0]?.atMs ?? 0;
    if (newest <= nowMs + CLOCK_SLACK_MS) return [];
    const minutes = Math.ceil((newest - nowMs) / 60_000);
    return [
      `${backend.name}: its newest line is ${minutes} min ahead of this server's clock; one of both is wrong`,
    ];
  });
}

/** Throws where none of the backends could be read: an empty list would say that nothing was logged. */
function refuseNothing(asked: readonly Asked[]): void {
  if (asked.length === 0 || asked.some(({ answer }) => answer !== null)) return;
  throw new AppError('server', asked.flatMap(({ notes }) => notes).join(' · '), { status: 502 });
}

interface Range {
  cursor: LogCursor | null;
  startMs: number;
  limit: number;
}

function pageOf(asked: readonly Asked[], range: Range): MergedPage {
  const given = asked.flatMap(({ backend, answer }) => (answer === null ? [] : [{ id: backend.id, answer }]));
  const page = mergeAnswers(given, range);
  const count = fitting(page.lines);
  return count < page.lines.length ? mergeAnswers(given, { ...range, limit: count }) : page;
}

async function answerOf(
  page: MergedPage,
  { asked, notes, isPartial }: { asked: readonly Asked[]; notes: string[]; isPartial: boolean },
): Promise<LogsAnswer> {
  const { total, next, fullMs } = page;
  const full =
    fullMs === null
      ? []
      : [`More lines than can be answered are of ${new Date(fullMs).toISOString()}; some are left out`];
  const signedInWith = asked.flatMap(({ answer }) => answer?.secrets ?? []);
  // What is known was taken out of each before its words were looked for; here what other backends signed in with.
  const lines = await maskedLines(page.lines, NONE_KNOWN, signedInWith);
  return {
    total,
    results: lines.map(({ atMs, message, labels }) => ({
      timestamp: new Date(atMs).toISOString(),
      message,
      labels: { ...labels },
    })),
    next: next === null ? null : writeCursor(next),
    notes: [...notes, ...full],
    isPartial,
  };
}

async function readPage(deps: AskDeps, page: LogPage, reader: Reader): Promise<LogsAnswer> {
  const { id, limit, cursor: given, ...asked } = page;
  const { db, expressions, signal } = reader;
  const component = await readLogComponent(db, id);
  if (component === null) throw new AppError('invalid', `id: there is no component ${id}`);
  const nowMs = deps.platform.now();
  const whole = await questionOf(asked, { component, expressions, nowMs });
  const { backends, notes } = await backendsOf(deps, whole);
  const wanted = limit ?? DEFAULT_PAGE_LINES;
  let cursor = given ? readCursor(given) : null;
  for (let empty = 1; ; empty += 1) {
    const answers = await askAll(deps, backends, { whole, wanted, cursor, signal });
    refuseNothing(answers);
    const merged = pageOf(answers, { cursor, startMs: whole.startMs, limit: wanted });
    const isOver = empty >= MAX_EMPTY_PAGES || deps.platform.now() > nowMs + LOOK_ON_MS;
    if (merged.lines.length > 0 || merged.next === null || isOver) {
      const said = [...notes, ...answers.flatMap((one) => one.notes), ...clockNotes(answers, nowMs)];
      const isPartial = notes.length > 0 || answers.some(({ answer }) => answer === null);
      return answerOf(merged, { asked: answers, notes: said, isPartial });
    }
    cursor = merged.next;
  }
}

function askAll(
  deps: AskDeps,
  backends: readonly OpenedBackend[],
  asked: {
    whole: Omit<LogQuestion, 'limit'>;
    wanted: number;
    cursor: LogCursor | null;
    signal: AbortSignal;
  },
): Promise<Asked[]> {
  const { whole, wanted, cursor, signal } = asked;
  const endMs = cursor === null ? whole.endMs : Math.min(whole.endMs, cursor.endMs);
  return Promise.all(
    backends.map((backend) => {
      const limit = wanted + (cursor?.given[backend.id] ?? 0);
      const question = { ...whole, endMs, limit, places: cursor?.places?.[backend.id] };
      return ask(deps, backend, { question, signal });
    }),
  );
}

async function testBackend(deps: AskDeps, tested: TestedBackend, signal: AbortSignal): Promise<string> {
  let backend: OpenedBackend;
  if ('spec' in tested) {
    const { id = null, author, spec: shown } = tested;
    const mayGrant = author === 'granter';
    const changed = { table: 'logging_backends', id: id ?? '', spec: shown, mayGrant } as const;
    const spec = id === null ? shown : await withSealedSecrets(deps.db, deps.sealer, changed);
    refuseStars(spec);
    backend = { id: '', name: '', author, spec: readSpec(spec) };
  } else {
    const row = await findLogBackend(deps.db, tested.id);
    if (row === null) throw new AppError('not_found', 'log backend not found');
    backend = openBackend(deps.sealer, row);
  }
  const nowMs = deps.platform.now();
  const nobody = { id: '', type: '', namespace: '', name: '', labels: {}, words: [] };
  const range = { startMs: nowMs - TESTED_MS, endMs: nowMs + TESTED_MS, limit: 1 };
  let answer: BackendAnswer;
  try {
    answer = await askBackend(deps, backend, { question: { ...nobody, ...range, isTrial: true }, signal });
  } catch (error) {
    throw new AppError('invalid', reasonOf(error), { cause: error });
  }
  const [newest] = answer.lines;
  return newest === undefined
    ? 'It answers; without a component it has no line to show.'
    : `It answers; its newest line is of ${new Date(newest.atMs).toISOString()}.`;
}

/** One for the server. */
export function createLogService(deps: LogServiceDeps): LogService {
  const known = createKnownSecrets({ ...deps, dataDir: deps.settings.dataDir });
  const asking = { ...deps, known };
  return {
    read: (asked, reader) => readPage(asking, asked, reader),
    test: (tested, signal) => testBackend(asking, tested, signal),
  };
}
