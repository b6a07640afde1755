/** What a step of a run left behind, as text to read and as a file to keep (spec 1 §2 'Run detail'). */
import { recordOf } from '../../lib/is-record.ts';

export interface StepOutput {
  /** Standard output, or the log. */
  text: string;
  /** What it wrote on its error stream. */
  errors: string;
  /** Everything else, as it came. */
  rest: Readonly<Record<string, unknown>>;
  /** True when it is plain text and nothing else: the file is a .log then, else a .json. */
  isText: boolean;
}

const TEXT_FIELDS = ['stdout', 'logs', 'Logs', 'Body'] as const;
const ERROR_FIELDS = ['stderr'] as const;
/** Said elsewhere, or of no use to a reader of the output. */
const QUIET_FIELDS = ['exitCode', 'path', 'args', 'artifacts', 'links'];

const joined = (record: Readonly<Record<string, unknown>>, names: readonly string[]): string =>
  names
    .map((name) => record[name])
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .join('\n');

/** A result of any kind of action. */
export function stepOutput(result: unknown): StepOutput {
  if (typeof result === 'string') return { text: result, errors: '', rest: {}, isText: true };
  const record = recordOf(result);
  const said = new Set<string>([...TEXT_FIELDS, ...ERROR_FIELDS, ...QUIET_FIELDS]);
  const rest = Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => value !== null && value !== '' && (!said.has(name) || isStructured(value)),
    ),
  );
  const text = joined(record, TEXT_FIELDS);
  const errors = joined(record, ERROR_FIELDS);
  const isText = text !== '' || errors !== '';
  return { text, errors, rest: isText ? withoutQuiet(rest) : rest, isText };
}

function isStructured(value: unknown): boolean {
  return typeof value === 'object';
}

function withoutQuiet(rest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !QUIET_FIELDS.includes(name)));
}

/** Where to look at what a step did elsewhere: addresses of pull requests, of pipelines. Only those that a browser may open. */
export function linksOf(result: unknown): string[] {
  const { links } = recordOf(result);
  if (!Array.isArray(links)) return [];
  return links.filter(
    (link): link is string => typeof link === 'string' && /^https?:\/\/[^\s]+$/i.test(link),
  );
}

/** The number that a process ended with; null where the step was none. */
export function exitCodeOf(result: unknown): number | null {
  const { exitCode } = recordOf(result);
  return typeof exitCode === 'number' ? exitCode : null;
}

const unsafe = /[^\p{L}\p{N}._-]+/gu;

/** A file of a step's output, named after the playbook and when the step began (spec 1 §2). */
export function outputFile(
  result: unknown,
  about: { playbook: string; startedAt: string | null },
): { name: string; type: string; content: string } {
  const output = stepOutput(result);
  const stem = [about.playbook, about.startedAt ?? ''].filter(Boolean).join('-').replace(unsafe, '-');
  if (output.isText && Object.keys(output.rest).length === 0) {
    const content = [output.text, output.errors].filter(Boolean).join('\n');
    return { name: `${stem}.log`, type: 'text/plain', content };
  }
  return { name: `${stem}.json`, type: 'application/json', content: JSON.stringify(result, null, 2) };
}

// oxlint-disable-next-line no-control-regex -- what a terminal would act on is taken out
const TERMINAL = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[@-_]/g;

/** The lines of an output without what only a terminal understands; a line ended by CR alone replaces itself. */
export function outputLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(TERMINAL, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => {
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    return whole.includes('\r') ? whole.slice(whole.lastIndexOf('\r') + 1) : whole;
  });
}

/** Reads the lines of a text that grows as `outputLines` does; whole lines that were read before aren't read again. */
export function createLineReader(): (text: string) => readonly string[] {
  let known = '';
  let lines: readonly string[] = [];
  return (text) => {
    if (!text.startsWith(known)) [known, lines] = ['', []];
    const end = text.lastIndexOf('\n') + 1;
    if (end > known.length) {
      lines = [...lines, ...outputLines(text.slice(known.length, end))];
      known = text.slice(0, end);
    }
    const begun = outputLines(text.slice(end));
    return begun.length === 0 ? lines : [...lines, ...begun];
  };
}

/**
 * Finds the lines that have a text in any case: their indexes, in order. A text that goes on from the one before is looked
 * for in what that one left, so that each further key costs less.
 */
export function createLineSearch(lines: readonly string[]): (text: string) => readonly number[] {
  const lower = lines.map((line) => line.toLowerCase());
  let before = { text: '', found: lower.map((_line, at) => at) };
  const whole = before;
  return (text) => {
    const wanted = text.toLowerCase();
    const { found } = wanted.startsWith(before.text) ? before : whole;
    before = { text: wanted, found: found.filter((at) => lower[at]?.includes(wanted) === true) };
    return before.found;
  };
}
