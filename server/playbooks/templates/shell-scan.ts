/** Reads a script from its start, and knows which quotes, parentheses and lines of `<<` its end stands in. */

/** `ansi`: `$'…'`. `raw`: lines of `<<` whose word is in quotes, in which nothing is filled in. */
export type Quotes = 'none' | 'single' | 'ansi' | 'double' | 'comment' | 'lines' | 'raw';

/** Lines that a command is given by `<<`, up to the word. */
interface Lines {
  word: string;
  isRaw: boolean;
  /** They are a program: of a shell or the like, wherever it runs. */
  isProgram: boolean;
  /** Reads them, where a shell that has our variables will run them. */
  script: ShellScan | null;
}

/** An open parenthesis or backquote: what it stands in, and whether it is the second of `((`. */
interface Open {
  sign: '(' | '`';
  quotes: Quotes;
  lines: Lines | null;
  isArithmetic: boolean;
}

/** Where the end of a script stands; what is not certain to be lines of `<<` counts as script. */
export interface ShellScan {
  quotes: Quotes;
  lines: Lines | null;
  around: Open[];
  /** What begins with the next line. */
  waiting: Lines[];
  /** The last line so far. */
  line: string;
  /** What was read last: a sign, or an escaped one with its backslash. */
  last: string;
}

/** Programs that run what they are given as a text; a part of a regular expression. */
export const RUNS_TEXTS = String.raw`\b(?:(?:ba|da|fi|tc|[ackz])?sh|su|python[\d.]*|perl|ruby|node|php|lua)\b`;
const PROGRAM = new RegExp(RUNS_TEXTS);
/** A shell as the command itself: not on another host, as another user, or in a container. */
const SHELL_HERE = /^\s*(?:exec\s+)?(?:\/\S*\/)?(?:ba|da|[akz])?sh(?:\s+-\w+)*\s*$/;
const OPENS_LINES = /<<(?!<)-?[ \t]*((?:\w|\\\w|"[\w ]*"|'[\w ]*')+)/y;
const IN_QUOTES = /["'\\]/;
const BEFORE_WORD = /(?<!\\)[\s;&|()`]$|^$/;
const COMMAND_END = /[;&|(`]/;
/** Bash takes no more on one line. */
const MOST_WAITING = 16;

/** Of nothing yet. */
export function newScan(): ShellScan {
  return { quotes: 'none', lines: null, around: [], waiting: [], line: '', last: '' };
}

function open(scan: ShellScan, sign: Open['sign']): void {
  const { quotes, lines, last } = scan;
  scan.around.push({ sign, quotes, lines, isArithmetic: sign === '(' && last === '(' });
  scan.quotes = 'none';
  scan.lines = null;
}

function close(scan: ShellScan): void {
  const opened = scan.around.pop();
  scan.quotes = opened?.quotes ?? 'none';
  scan.lines = opened?.lines ?? null;
}

function backquote(scan: ShellScan): void {
  if (scan.around.at(-1)?.sign === '`') close(scan);
  else open(scan, '`');
}

function beginLine(scan: ShellScan): void {
  scan.lines = scan.waiting.shift() ?? null;
  if (scan.lines === null) scan.quotes = 'none';
  else scan.quotes = scan.lines.isRaw ? 'raw' : 'lines';
}

/** Also where something follows the word: whether bash ends them there depends on what they stand in. */
function isLastOf({ word }: Lines, line: string): boolean {
  const text = line.trimStart();
  return text.startsWith(word) && !/^\w/.test(text.slice(word.length));
}

const isWithin = (line: string, opening: string, closing: string): boolean =>
  line.lastIndexOf(opening) > line.lastIndexOf(closing);

/** How long `<<` with its word is; 0 where it is something else, a shift for one. */
function awaitLines(scan: ShellScan, text: string, at: number): number {
  const { around, line, last } = scan;
  OPENS_LINES.lastIndex = at;
  const found = OPENS_LINES.exec(text);
  if (found === null || last === '<' || scan.waiting.length === MOST_WAITING) return 0;
  if (
    around.some(({ isArithmetic }) => isArithmetic) ||
    isWithin(line, '[', ']') ||
    isWithin(line, '${', '}')
  )
    return 0;
  const [all, word = ''] = found;
  const [rest = ''] = text.slice(at + all.length).split('\n', 1);
  const isRaw = IN_QUOTES.test(word);
  const command = line.split(COMMAND_END).at(-1) ?? '';
  scan.waiting.push({
    word: word.replaceAll(/["'\\]/g, ''),
    isRaw,
    isProgram: PROGRAM.test(line) || PROGRAM.test(rest) || rest.trimEnd().endsWith('|'),
    script: isRaw && SHELL_HERE.test(command) ? newScan() : null,
  });
  return all.length;
}

/** Goes on by one sign, or by what belongs together; answers how far. */
type Step = (scan: ShellScan, text: string, at: number) => number;

const inScript: Step = (scan, text, at) => {
  const sign = text[at];
  if (sign === '\\') return 2;
  if (sign === '<') return awaitLines(scan, text, at) || 1;
  if (sign === '"') scan.quotes = 'double';
  else if (sign === "'") scan.quotes = scan.last === '$' ? 'ansi' : 'single';
  else if (sign === '#' && BEFORE_WORD.test(scan.last)) scan.quotes = 'comment';
  else if (sign === '(') open(scan, '(');
  else if (sign === ')' && scan.around.at(-1)?.sign !== '`') close(scan);
  else if (sign === '`') backquote(scan);
  else if (sign === '\n') beginLine(scan);
  return 1;
};

const inFilled: Step = (scan, text, at) => {
  const sign = text[at];
  if (sign === '\\') return 2;
  if (sign === '(' && scan.last === '$') open(scan, '(');
  else if (sign === '`') backquote(scan);
  else if (sign === '"' && scan.quotes === 'double') scan.quotes = 'none';
  else if (sign === '\n' && scan.lines !== null && isLastOf(scan.lines, scan.line)) beginLine(scan);
  return 1;
};

const inRaw: Step = (scan, text, at) => {
  const end = text.indexOf('\n', at);
  const part = text.slice(at, end < 0 ? undefined : end + 1);
  if (scan.lines?.script) readOn(scan.lines.script, part);
  if (end >= 0 && scan.lines !== null && isLastOf(scan.lines, scan.line + part)) beginLine(scan);
  return part.length;
};

const STEPS: Readonly<Record<Quotes, Step>> = {
  none: inScript,
  double: inFilled,
  lines: inFilled,
  raw: inRaw,
  single(scan, text, at) {
    if (text[at] === "'") scan.quotes = 'none';
    return 1;
  },
  ansi(scan, text, at) {
    if (text[at] === '\\') return 2;
    if (text[at] === "'") scan.quotes = 'none';
    return 1;
  },
  comment(scan, text, at) {
    if (text[at] === '\n') beginLine(scan);
    return 1;
  },
};

function follow(scan: ShellScan, part: string): void {
  const end = part.lastIndexOf('\n');
  scan.line = end < 0 ? scan.line + part : part.slice(end + 1);
  scan.last = part;
}

/** Goes on with what the author wrote. */
export function readOn(scan: ShellScan, text: string): void {
  for (let at = 0; at < text.length;) {
    const part = text.slice(at, at + STEPS[scan.quotes](scan, text, at));
    follow(scan, part);
    at += part.length;
  }
}

/** Goes on with the reference of a value, which opens and closes nothing. */
export function passOver(scan: ShellScan, reference: string): void {
  if (scan.lines?.script) follow(scan.lines.script, reference);
  follow(scan, reference);
}
