/**
 * Logs of components as files of a snapshot (schema §8.7): one for each log selector, and `logs.json`, which says whose
 * each is and what could not be read. An empty file without that word would claim that nothing was logged.
 */
import { createHash } from 'node:crypto';
import { reasonOf } from '../platform/reason-of.ts';
import type { LogService, Reader } from './log-service.ts';
import { readComponentsWithLogs } from './logs-query.ts';
import type { LogComponent, LogSelector } from './logs-query.ts';
import { trimEnd } from '../../src/lib/trim-end.ts';

const PAGE_LINES = 5000;
const MAX_LINES = 50_000;
const MAX_SELECTORS = 200;
/** Of all files of a snapshot. */
const MAX_CHARS = 64_000_000;
const LIMIT_MS = 60_000;
const AT_ONCE = 4;

/** What is asked of whom; `end` is null for now. */
export interface AskedLogFiles {
  components: readonly string[];
  start: Date;
  end: Date | null;
  format: 'log' | 'json';
}

type Line = Awaited<ReturnType<LogService['read']>>['results'][number];

interface Job {
  component: LogComponent;
  selector: LogSelector;
  file: string;
}

interface Written {
  job: Job;
  text: string | null;
  lines: number;
  notes: string[];
}

const plain = (text: string): string =>
  trimEnd(text.replaceAll(/[^\w.-]+/g, '-').replace(/^[-.]+/, ''), '-').slice(0, 60) || 'log';

/** `logs-<type>-<name>-<hash>.<format>`; what the selector does not say, the component does. */
function fileOf(component: LogComponent, selector: LogSelector, format: string): string {
  const name = selector.name || component.name;
  const type = selector.type || component.type || '';
  const hash = createHash('sha256')
    .update(`${component.id} ${selector.name ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  return `logs-${plain(type)}-${plain(name)}-${hash}.${format}`;
}

function textOf(lines: readonly Line[], format: AskedLogFiles['format']): string {
  const inOrder = lines.toReversed();
  if (format === 'json') return `${JSON.stringify(inOrder, null, 1)}\n`;
  return inOrder.map(({ timestamp, message }) => `${timestamp} ${message}\n`).join('');
}

/** The newest lines of a selector, page by page; a page that fails ends them, and is said. */
async function linesOf(
  { component, selector }: Job,
  { start, end }: AskedLogFiles,
  { logs, reader, take }: { logs: LogService; reader: Reader; take: (chars: number) => boolean },
): Promise<{ lines: Line[]; notes: string[] }> {
  const lines: Line[] = [];
  const notes = new Set<string>();
  const range = { start: start.toISOString(), end: end?.toISOString() ?? '' };
  let cursor: string | null = null;
  do {
    const asked = { id: component.id, name: selector.name ?? '', ...range, limit: PAGE_LINES, cursor };
    const page = await logs.read(asked, reader);
    for (const note of page.notes ?? []) notes.add(note);
    const chars = page.results.reduce((sum, { message }) => sum + message.length, 0);
    if (!take(chars)) {
      notes.add('The snapshot is as large as it may be; older lines are left out');
      break;
    }
    lines.push(...page.results);
    cursor = page.next ?? null;
  } while (cursor !== null && lines.length < MAX_LINES);
  if (cursor !== null && lines.length >= MAX_LINES)
    notes.add(`Only the newest ${lines.length.toLocaleString('en')} lines are here`);
  return { lines, notes: [...notes] };
}

/** One for the server: answers the files by their names; none where no component has log selectors. */
export function createLogFiles(logs: LogService, expressions: Reader['expressions']) {
  async function written(
    job: Job,
    asked: AskedLogFiles,
    parts: { reader: Reader; take: (chars: number) => boolean; isLate: () => boolean },
  ): Promise<Written> {
    if (parts.isLate())
      return { job, text: null, lines: 0, notes: ['Left out: the logs before it took too long'] };
    try {
      const { lines, notes } = await linesOf(job, asked, { ...parts, logs });
      return { job, text: textOf(lines, asked.format), lines: lines.length, notes };
    } catch (error) {
      const notes = [parts.isLate() ? 'Left out: its log backends took too long' : reasonOf(error)];
      return { job, text: null, lines: 0, notes };
    }
  }

  return async (asked: AskedLogFiles, { db, signal }: Omit<Reader, 'expressions'>) => {
    const components = await readComponentsWithLogs(db, asked.components);
    const all = components.flatMap((component) =>
      component.selectors.map((selector): Job => {
        const file = fileOf(component, selector, asked.format);
        return { component, selector, file };
      }),
    );
    if (all.length === 0) return {};
    const isLate = AbortSignal.timeout(LIMIT_MS);
    const reader = { db, expressions, signal: AbortSignal.any([signal, isLate]) };
    let left = MAX_CHARS;
    const take = (chars: number) => {
      if (chars > left) return false;
      left -= chars;
      return true;
    };
    const jobs = all.slice(0, MAX_SELECTORS);
    const done: Written[] = [];
    for (let at = 0; at < jobs.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const some = jobs.slice(at, at + AT_ONCE);
      const parts = { reader, take, isLate: () => isLate.aborted };
      done.push(...(await Promise.all(some.map((job) => written(job, asked, parts)))));
    }
    return filesOf(done, all.length - jobs.length);
  };
}

function filesOf(done: readonly Written[], leftOut: number): Record<string, Uint8Array> {
  const encoder = new TextEncoder();
  const files: Record<string, Uint8Array> = {};
  for (const { job, text } of done) if (text !== null) files[job.file] = encoder.encode(text);
  const logs = done.map(({ job: { component, selector, file }, text, lines, notes }) => ({
    file: text === null ? null : file,
    component_id: component.id,
    component: component.name,
    selector: selector.name ?? '',
    lines,
    notes,
  }));
  const notes = leftOut === 0 ? [] : [`${leftOut} further log selectors are left out`];
  files['logs.json'] = encoder.encode(JSON.stringify({ logs, notes }, null, 2));
  return files;
}
