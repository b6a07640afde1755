/** Reads a script from its start, and knows which quotes, parentheses and lines of `<<` its end stands in. */
import { programsIn } from './shell-programs.ts';

/** `ansi`: `$'…'`. `raw`: lines of `<<` whose word is in quotes, in which nothing is filled in. */
export type Quotes = 'none' | 'single' | 'ansi' | 'double' | 'comment' | 'lines' | 'raw';

/** Lines that a command is given by `<<`, up to the word. */
interface Lines {
  word: string;
  /** Tabs may stand before the word. */
  isIndented: boolean;
  isRaw: boolean;
  /** What may run them. */
  programs: readonly string[];
  /** Reads them, where a shell that has our variables will run them. */
  script: ShellScan | null;
}

/** What a parenthesis, a backquote or `${` stands in. */
interface Open {
  sign: '(' | '`' | '{';
  quotes: Quotes;
  lines: Lines | null;
  /** The second of `((`. */
  isArithmetic: boolean;
  command: string;
  isFirst: boolean;
  cases: number;
  isTest: boolean;
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
  /** The last command so far, of the innermost parenthesis, from the sign before it. */
  command: string;
  /** The last word so far; a command may be long, and a word is looked at wherever one ends. */
  word: string;
  /** Whether the word is the command's own name, or may come before it. */
  isFirst: boolean;
  /** `case` without its `esac`: the patterns end with a parenthesis. */
  cases: number;
  /** Within `[[`, which may go on over lines. */
  isTest: boolean;
  /** What was read last: a sign, or an escaped one with its backslash. */
  last: string;
  /** What stood in arithmetic so far, part by part. */
  sums: string[];
  /** Nested too deep to be followed: nobody writes that. */
  isLost: boolean;
}

/** A shell as the command itself: not on another host, as another user, or in a container. */
const SHELL_HERE =
  /^[\s;&|(`]*(?:(?:if|then|do|else|while|until|!|\{|exec|time|\w+=\S*)\s+)*(?:\/\S*\/)?(?:ba|da|[akz])?sh(?:\s+(?:-\w+|pipefail))*\s*$/;
const OPENS_LINES = /<<(?!<)(-?)[ \t]*((?:[^\s;&|<>()"'\\`$]|\\\S|"[^"\n]*"|'[^'\n]*')+)/y;
const IN_QUOTES = /["'\\]/;
const BEFORE_WORD = /(?<!\\)[\s;&|()`]$|^$|^\\\n$/;
/** A shift within a subscript looks like `<<`. */
const IN_SUBSCRIPT = /(?:^|[\s;&|(])\w+\[[^\]]*$/;
/** Words that a command's name may follow. */
const BEFORE_NAME = /^(?:then|do|else|if|while|until|!|\{|\w+=.*)?$/s;
const ENDS_WORD = /^[\s;&|()`]$/;
const MOST_NESTED = 100;
/** Bash takes no more on one line. */
const MOST_WAITING = 16;

/** Of nothing yet; a script within a script has its parent's sums. */
export function newScan(sums: string[] = []): ShellScan {
  return {
    quotes: 'none',
    lines: null,
    around: [],
    waiting: [],
    line: '',
    command: '',
    word: '',
    isFirst: true,
    cases: 0,
    isTest: false,
    last: '',
    sums,
    isLost: false,
  };
}

function open(scan: ShellScan, sign: Open['sign']): void {
  const { quotes, lines, last, command, isFirst, cases, isTest } = scan;
  if (scan.around.length === MOST_NESTED) {
    scan.isLost = true;
    return;
  }
  const isArithmetic = sign === '(' && last === '(';
  scan.around.push({ sign, quotes, lines, isArithmetic, command, isFirst, cases, isTest });
  scan.lines = null;
  if (sign === '{') {
    // Within double quotes what is in `${}` is so, too.
    scan.quotes = quotes === 'none' ? 'none' : 'double';
    return;
  }
  Object.assign(scan, { quotes: 'none', command: '', isFirst: true, cases: 0, isTest: false });
}

function close(scan: ShellScan): void {
  const opened = scan.around.pop();
  scan.quotes = opened?.quotes ?? 'none';
  scan.lines = opened?.lines ?? null;
  if (opened === undefined) return;
  const { command, isFirst, cases, isTest } = opened;
  if (opened.isArithmetic || scan.around.some(({ isArithmetic }) => isArithmetic))
    scan.sums.push(opened.sign === '{' ? scan.command.slice(command.length) : scan.command);
  Object.assign(scan, { command, isFirst, cases, isTest });
}

function backquote(scan: ShellScan): void {
  if (scan.around.at(-1)?.sign === '`') close(scan);
  else open(scan, '`');
}

function beginCommand(scan: ShellScan): void {
  if (scan.isTest) return;
  scan.command = '';
  scan.isFirst = true;
}

function beginLine(scan: ShellScan): void {
  beginCommand(scan);
  scan.lines = scan.waiting.shift() ?? null;
  if (scan.lines === null) scan.quotes = 'none';
  else scan.quotes = scan.lines.isRaw ? 'raw' : 'lines';
}

/** Within parentheses bash ends them also where something follows the word; there, rather too early than too late. */
function isLastOf({ word, isIndented }: Lines, line: string, around: readonly Open[]): boolean {
  if (around.length > 0) return line.trimStart().startsWith(word);
  return (isIndented ? line.replace(/^\t+/, '') : line) === word;
}

function endsLines(scan: ShellScan, line: string): boolean {
  return scan.lines !== null && isLastOf(scan.lines, line, scan.around);
}

/** How long `<<` with its word is; 0 where it is something else, a shift for one. */
function awaitLines(scan: ShellScan, text: string, at: number): number {
  const { around, line, last, command } = scan;
  OPENS_LINES.lastIndex = at;
  const found = OPENS_LINES.exec(text);
  if (found === null || last === '<' || scan.waiting.length === MOST_WAITING) return 0;
  if (around.some(({ isArithmetic, sign }) => isArithmetic || sign === '{') || IN_SUBSCRIPT.test(command))
    return 0;
  const [all, dash, word = ''] = found;
  const [rest = ''] = text.slice(at + all.length).split('\n', 1);
  const isRaw = IN_QUOTES.test(word);
  scan.waiting.push({
    word: word.replaceAll(/["'\\]/g, ''),
    isIndented: dash === '-',
    isRaw,
    // It may go on with a shell behind the lines.
    programs: [line, command, rest].flatMap(programsIn).concat(/[|\\]\s*$/.test(rest) ? ['?'] : []),
    script: isRaw && SHELL_HERE.test(command) ? newScan(scan.sums) : null,
  });
  return all.length;
}

/** Goes on by one sign, or by what belongs together; answers how far. */
type Step = (scan: ShellScan, text: string, at: number) => number;

function closeParenthesis(scan: ShellScan): void {
  const sign = scan.around.at(-1)?.sign;
  if (scan.cases > 0) beginCommand(scan);
  else if (sign !== '`' && sign !== '{') close(scan);
}

/** Where a word of a command ends. */
function endWord(scan: ShellScan): void {
  const { word, isFirst } = scan;
  if (word === '[[') scan.isTest = true;
  else if (word === ']]') scan.isTest = false;
  if (isFirst && word === 'case') scan.cases += 1;
  else if (isFirst && word === 'esac' && scan.cases > 0) scan.cases -= 1;
  scan.isFirst &&= BEFORE_NAME.test(word);
}

function separate(scan: ShellScan, next: string | undefined): void {
  // `>&` and `&>` belong to the command.
  const isRedirection = scan.last === '>' || scan.last === '<' || next === '>';
  if (!isRedirection) beginCommand(scan);
}

const isLiteralQuote = ({ around }: ShellScan): boolean => {
  const within = around.at(-1);
  return within?.sign === '{' && within.quotes !== 'none';
};

const isComment = ({ last, around }: ShellScan): boolean =>
  BEFORE_WORD.test(last) && !around.some(({ sign, isArithmetic }) => sign === '{' || isArithmetic);

/** What each sign does outside of quotes. */
const SIGNS = new Map<string, (scan: ShellScan, next: string | undefined) => void>([
  ['"', (scan) => void (scan.quotes = 'double')],
  ["'", (scan) => isLiteralQuote(scan) || void (scan.quotes = scan.last === '$' ? 'ansi' : 'single')],
  ['#', (scan) => void (isComment(scan) && (scan.quotes = 'comment'))],
  ['(', (scan) => open(scan, '(')],
  [')', closeParenthesis],
  ['{', (scan) => scan.last === '$' && open(scan, '{')],
  ['}', (scan) => scan.around.at(-1)?.sign === '{' && close(scan)],
  ['`', backquote],
  ['\n', beginLine],
  [';', separate],
  ['&', separate],
  ['|', separate],
]);

const inScript: Step = (scan, text, at) => {
  const sign = text[at] ?? '';
  if (sign === '\\') return 2;
  if (/[\s;&|)]/.test(sign)) endWord(scan);
  if (sign === '<') return awaitLines(scan, text, at) || 1;
  SIGNS.get(sign)?.(scan, text[at + 1]);
  return 1;
};

const inFilled: Step = (scan, text, at) => {
  const sign = text[at];
  if (sign === '\\') return 2;
  if (sign === '(' && scan.last === '$') open(scan, '(');
  else if (sign === '{' && scan.last === '$') open(scan, '{');
  else if (sign === '}' && scan.around.at(-1)?.sign === '{') close(scan);
  else if (sign === '`') backquote(scan);
  else if (sign === '"' && scan.quotes === 'double') scan.quotes = 'none';
  else if (sign === '\n' && scan.quotes === 'lines' && endsLines(scan, scan.line)) beginLine(scan);
  return 1;
};

const inRaw: Step = (scan, text, at) => {
  const isEnd = text[at] === '\n';
  const end = isEnd ? at + 1 : text.indexOf('\n', at);
  const part = text.slice(at, end < 0 ? undefined : end);
  if (scan.lines?.script) readOn(scan.lines.script, part);
  if (isEnd && endsLines(scan, scan.line)) beginLine(scan);
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
  scan.command += part;
  scan.word = ENDS_WORD.test(part) ? '' : scan.word + part;
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
