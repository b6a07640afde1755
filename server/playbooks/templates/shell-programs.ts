/** Which programs run, as a program of their own language, what a command hands them. */

const SHELLS = String.raw`(?:ba|da|fi|tc|[ackz])?sh|su`;
const LANGUAGES = String.raw`python[\d.]*|perl|ruby|node|php|lua`;
const NAMES = new RegExp(
  String.raw`(?<![\w.-])(?:${SHELLS}|${LANGUAGES}|ssh|source)(?![\w.])|\bsh\b|(?<!\S)\.(?=\s)`,
  'g',
);
const BETWEEN = String.raw`["']?\s(?:[^\n;|]{0,300}?\s)??["']?`;
/** What stands behind is the program; more options may stand between. */
const GIVEN = [
  String.raw`(${SHELLS}|python[\d.]*)${BETWEEN}(?:-[a-zA-Z]*c[a-zA-Z]*|<<<)`,
  String.raw`(perl|ruby|node|lua)${BETWEEN}(?:-[a-zA-Z]*[eEp]|--eval|--print|<<<)`,
  String.raw`(php)${BETWEEN}(?:-r|<<<)`,
].map(
  (source) => new RegExp(String.raw`(?<![\w.-])${source}["']?(?=[\s"'$=]|$)(?:\s+--?\w*(?=\s))*[\s=]*`, 'g'),
);
/** Files that are read as a script. */
const SOURCED = new RegExp(
  String.raw`(?<![\w.-])(?:(source|\.)\s|(${SHELLS}|${LANGUAGES})\s(?:[^\n;|]*\s)?<$)`,
);
const SSH = /(?<![^\s/;&|(!`"'])ssh["']?(?=\s)/g;
/** Characters of ssh's options; whoever writes more has a command behind them. */
const LONGEST_OPTIONS = 1000;
const SSH_OPTION = /^-[46AaCfGgKkMNnqsTtVvXxYy]*([BbcDEeFIiJLlmOopQRSWw]?)$/;
const WORD = /(?:\$'(?:[^'\\]|\\.)*(?:'|$)|[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*/sy;
/** What comes out is its program: it has none of its own. */
const PIPED = new RegExp(
  String.raw`\|&?\s*(?:(?:sudo|env|exec|nohup|time)\s+)*(?:/\S*/)?(?:(${SHELLS}|${LANGUAGES})|(ssh)(?:\s+-\S+)*\s+[^\s-]\S*(?:\s+(?:ba|da)?sh)?)(?:\s+-[a-zA-Z]*)*\s*(?:$|[;&|)"'\x60])`,
  'g',
);
/** Programs of their own language, which have other operands besides: files and variables. */
const EDITORS = /(?<![\w.-])(sed|g?awk|mawk)\s/;
const TAKES_PROGRAM = /^(?:-[a-zA-Z]*e|--expression)$/;
const TAKES_MORE = /^-[vFfl]$/;
const CLOSED_QUOTES = /"(?:[^"\\]|\\.)*"|'[^']*'|\\./gs;

/** All that a text names. */
export function programsIn(text: string): string[] {
  return text.match(NAMES) ?? [];
}

/** Whether a host was named, and what comes now is for the shell there. */
function isBehindHost(behind: string): boolean {
  const words = behind.slice(0, LONGEST_OPTIONS).trimStart().split(/\s+/);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at < words.length - 1;
    if (SSH_OPTION.exec(word)?.[1]) at += 1;
  }
  return behind.length > LONGEST_OPTIONS;
}

/** Whether a word ends behind the place. */
function isBehindWord(command: string, at: number): boolean {
  WORD.lastIndex = at;
  WORD.exec(command);
  return /\s/.test(command[WORD.lastIndex] ?? '');
}

/** The editor whose program a value here is a part of: its first operand; null for none. */
function editorOf(command: string): string | null {
  const found = EDITORS.exec(command);
  if (found?.[1] === undefined || /\s--sandbox\s/.test(command)) return null;
  const bare = command.slice(found.index + found[0].length).replaceAll(CLOSED_QUOTES, 'x');
  const quote = bare.search(/["']/);
  const before = (quote < 0 ? bare : bare.slice(0, quote)).trimStart().split(/\s+/).slice(0, -1);
  const last = before.at(-1) ?? '';
  if (TAKES_PROGRAM.test(last)) return found[1];
  const operands = before.filter(
    (word, at) => !word.startsWith('-') && !TAKES_MORE.test(before[at - 1] ?? ''),
  );
  const hasProgram = operands.length > 0 || before.some((word) => TAKES_PROGRAM.test(word) || word === '-f');
  return hasProgram || TAKES_MORE.test(last) ? null : found[1];
}

/** Those whose program the end of a command is a part of. */
export function programsGiven(command: string): string[] {
  const behind = ({ 0: all, index }: RegExpExecArray) => command.slice(index + all.length);
  const found = GIVEN.flatMap((pattern) => [...command.matchAll(pattern)])
    .filter(({ 0: all, index }) => !isBehindWord(command, index + all.length))
    .map(({ 1: name = '' }) => name);
  const sourced = SOURCED.exec(command);
  if (sourced !== null) found.push(sourced[1] ?? sourced[2] ?? '');
  if ([...command.matchAll(SSH)].some((match) => isBehindHost(behind(match)))) found.push('ssh');
  const editor = editorOf(command);
  return editor === null ? found : [...found, editor];
}

/** Those that are given, by `|`, what a line writes before its rest. */
export function programsBehind(rest: string): string[] {
  return [...rest.matchAll(PIPED)].map(([, name, ssh]) => name ?? ssh ?? '');
}
