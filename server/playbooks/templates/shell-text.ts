/**
 * A script from the pieces of its template. What was put in never becomes shell: each value is a variable of the
 * environment, and the script gets its name, in quotes of its own where it stands outside of quotes. Were the quotes
 * around it misread, the variable would at worst be split into words; it would still not be run.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { newScan, passOver, readOn, RUNS_TEXTS } from './shell-scan.ts';
import type { Quotes, ShellScan } from './shell-scan.ts';
import type { TemplatePiece } from './template-pieces.ts';

export interface ShellText {
  script: string;
  /** What the script's variables stand for. */
  env: Record<string, string>;
}

/** A single variable of a process is bounded by the system. */
const LONGEST_VALUE = 100_000;
/** Characters before a value that decide what bash makes of it. */
const LOOKED_BACK = 20_000;
/** Commands that evaluate what they are given, be it as a name. */
const EVALUATES =
  /\b(?:let|eval|trap|declare|typeset|local|unset)\s|\bread\s[^<]*$|(?:\bprintf|\btest|\[)\s+-v\s/;
/** `${!name`, `${name[`, `${name:1`: what follows is a name, a subscript or a number. */
const EXPANSION = /\$\{(?:!|#?\w+(?:\[[^\]]*\])?(?:\[|:(?![-=?+])))[^}\]]*$/;
const SUBSCRIPT = /(?:^|[\s;|&(])\w+\[[^\]]*$/;
/** What these say is never evaluated, whatever its words. */
const SAYS = /^\s*(?:echo|logger|mail|curl|cat)\s[^(`]*$/;
/** What stands behind is a program of its own. */
const PROGRAM = new RegExp(String.raw`${RUNS_TEXTS}\s(?:[^\n;&|]*?\s)??-[a-zA-Z]*[cer]\s*`, 'g');
/** Behind its host, ssh has a script for the shell there, be it in many words. */
const SSH =
  /(?<![^\s/;&|(!])ssh(?:\s+-(?:[BbcDEeFIiJLlmOopQRSWw]\s*\S+|[46AaCfGgKkMNnqsTtVvXxYy]+))*\s+[^\s;&|-][^\s;&|]*\s/g;
const QUOTES = /"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|\\./gs;
/** What comes next is written as a word of a script. */
const QUOTED = /\$\(printf\s+(?:%q|'%q'|"%q")\s+$/;
const WORD = /^(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*/s;
/** `[[` as a command: its test may go on over lines. */
const TEST = /(?<![^\s;|&(!])\[\[\s/g;

const isOpen = (text: string, open: string, close: string): boolean => {
  const at = text.lastIndexOf(open);
  return at >= 0 && !text.includes(close, at + open.length);
};

/** Whether the text ends within a program for a shell or the like, which would run what is in a value. */
function isProgram(text: string, line: string, { lines }: ShellScan): boolean {
  if (QUOTED.test(line)) return false;
  const behind = (found: RegExpExecArray) => text.slice(found.index + found[0].length);
  return (
    lines?.isProgram === true ||
    [...text.matchAll(PROGRAM)].some((found) => !/^\s/.test(behind(found).replace(WORD, ''))) ||
    [...text.matchAll(SSH)].some((found) => !/[;&|\n]/.test(behind(found).replaceAll(QUOTES, '')))
  );
}

/** Whether bash would evaluate a variable's content here as an expression or a name, which may run commands. */
function isEvaluated(text: string, line: string, { quotes, lines, around }: ShellScan): boolean {
  if (around.some(({ isArithmetic }) => isArithmetic) || isOpen(line, '$[', ']')) return true;
  if (quotes !== 'single' && EXPANSION.test(line)) return true;
  if (lines !== null) return false;
  const command = line.slice(Math.max(...[';', '&', '|'].map((sign) => line.lastIndexOf(sign))) + 1);
  const test = [...text.matchAll(TEST)].at(-1);
  return (
    isOpen(line, '((', '))') ||
    isOpen(line, '[[', ']]') ||
    (EVALUATES.test(command) && !SAYS.test(command)) ||
    (quotes === 'none' && SUBSCRIPT.test(line)) ||
    (test !== undefined && !text.includes(']]', test.index))
  );
}

/** Why a value may not stand at the end of the script; null where it may. */
function refusal(script: string, scan: ShellScan): string | null {
  const text = script.slice(-LOOKED_BACK).replaceAll('\\\n', '');
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const within = scan.quotes === 'raw' ? scan.lines?.script : scan;
  if (!within)
    return "a template may not stand in lines whose word is in quotes (<<'END'), in which nothing is filled in: write the word without them";
  if (isEvaluated(text, line, within))
    return 'a template may not stand in arithmetic, in [[ ]], in a subscript or a range, or after eval, let and declare: bash would run what is in it';
  if (isProgram(text, line, within))
    return 'a template may not stand in a program for another shell (sh -c, ssh, lines for bash), which would run what is in it: write $(printf %q {{ }}), or hand it over as an argument (bash -c \'echo "$1"\' _ {{ }})';
  return null;
}

const REFERENCES: Readonly<Record<Quotes, (name: string) => string>> = {
  none: (name) => `"\${${name}}"`,
  comment: (name) => `\${${name}}`,
  double: (name) => `\${${name}}`,
  lines: (name) => `\${${name}}`,
  raw: (name) => `\${${name}}`,
  single: (name) => `'"\${${name}}"'`,
  ansi: (name) => `'"\${${name}}"$'`,
};

const referenceOf = (name: string, { quotes, lines }: ShellScan): string =>
  REFERENCES[lines?.script?.quotes ?? quotes](name);

/** Throws `invalid` for a value that no variable can hold, or that stands where something would run it. */
export function shellText(pieces: readonly TemplatePiece[]): ShellText {
  const env: Record<string, string> = {};
  const scan = newScan();
  let script = '';
  let count = 0;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      script += piece.text;
      readOn(scan, piece.text);
      continue;
    }
    if (piece.value.includes('\0'))
      throw new AppError('invalid', 'script: a value has a NUL character in it');
    if (piece.value.length > LONGEST_VALUE)
      throw new AppError('invalid', `script: a value is longer than ${LONGEST_VALUE} characters`);
    const why = refusal(script, scan);
    if (why !== null) throw new AppError('invalid', `script: ${why}`);
    count += 1;
    const name = `HOLDFAST_VALUE_${count}`;
    env[name] = piece.value;
    const reference = referenceOf(name, scan);
    script += reference;
    passOver(scan, reference);
  }
  return { script, env };
}
