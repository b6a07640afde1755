/**
 * A script from the pieces of its template. What was put in never becomes shell: each value is a variable of the
 * environment, and the script gets its name, in quotes of its own where it stands outside of quotes. Were the quotes
 * around it misread, the variable would at worst be split into words; it would still not be run.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { TemplatePiece } from './template-pieces.ts';

export interface ShellText {
  script: string;
  /** What the script's variables stand for. */
  env: Record<string, string>;
}

type Quotes = 'none' | 'single' | 'double';

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
/** What stands behind is a script of its own. */
const SHELL = /\b(?:(?:ba|da|fi|tc|[ackz])?sh|su)\s(?:[^\n;&|]*?\s)??-[a-z]*c\s+/g;
/** So are the lines below, up to the word, in which variables are filled in unless the word is in quotes. */
const SHELL_LINES = /\b(?:ba|da|fi|tc|[ackz])?sh\b[^\n<]*<<-?[ \t]*(\w+)\b[^\n]*\n/g;
const WORD = /^(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*/s;
/** `[[` as a command: its test may go on over lines. */
const TEST = /(?<![^\s;|&(!])\[\[\s/g;

/** An open parenthesis: the quotes that it stands in, and whether it is the second of `((`. */
interface Open {
  quotes: Quotes;
  isArithmetic: boolean;
}

/** Where the end of a text stands. */
interface Place {
  quotes: Quotes;
  around: readonly Open[];
}

const isOpen = (text: string, open: string, close: string): boolean => {
  const at = text.lastIndexOf(open);
  return at >= 0 && !text.includes(close, at + open.length);
};

/** Whether the text ends within a script that a shell is given with `-c` or by `<<`. */
function isScript(text: string): boolean {
  const behind = ({ index, 0: found }: RegExpExecArray) => text.slice(index + found.length);
  return (
    [...text.matchAll(SHELL)].some((shell) => !/^\s/.test(behind(shell).replace(WORD, ''))) ||
    [...text.matchAll(SHELL_LINES)].some((shell) =>
      behind(shell)
        .split('\n')
        .every((line) => line.trim() !== shell[1]),
    )
  );
}

/** Whether bash would evaluate a variable's content here as an expression or a script, which may run commands. */
function isEvaluated(script: string, { quotes, around }: Place): boolean {
  const text = script.slice(-LOOKED_BACK).replaceAll('\\\n', '');
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const command = line.slice(Math.max(...[';', '&', '|'].map((sign) => line.lastIndexOf(sign))) + 1);
  const test = [...text.matchAll(TEST)].at(-1);
  return (
    around.some(({ isArithmetic }) => isArithmetic) ||
    isOpen(line, '((', '))') ||
    isOpen(line, '[[', ']]') ||
    isOpen(line, '$[', ']') ||
    EVALUATES.test(command) ||
    (quotes !== 'single' && EXPANSION.test(line)) ||
    (quotes === 'none' && SUBSCRIPT.test(line)) ||
    isScript(text) ||
    (test !== undefined && !text.includes(']]', test.index))
  );
}

function placeAfter(text: string, before: Place): Place {
  let { quotes } = before;
  const around = [...before.around];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quotes === 'single') {
      if (sign === "'") quotes = 'none';
    } else if (sign === '\\') at += 1;
    else if (sign === '"') quotes = quotes === 'double' ? 'none' : 'double';
    else if (sign === "'" && quotes === 'none') quotes = 'single';
    else if (sign === '(' && (quotes === 'none' || text[at - 1] === '$')) {
      around.push({ quotes, isArithmetic: text[at - 1] === '(' });
      quotes = 'none';
    } else if (sign === ')' && quotes === 'none') quotes = around.pop()?.quotes ?? 'none';
  }
  return { quotes, around };
}

const REFERENCES: Readonly<Record<Quotes, (name: string) => string>> = {
  none: (name) => `"\${${name}}"`,
  double: (name) => `\${${name}}`,
  single: (name) => `'"\${${name}}"'`,
};

/** Throws `invalid` for a value that no variable can hold, or that stands where bash would evaluate it. */
export function shellText(pieces: readonly TemplatePiece[]): ShellText {
  const env: Record<string, string> = {};
  let script = '';
  let place: Place = { quotes: 'none', around: [] };
  let count = 0;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      script += piece.text;
      place = placeAfter(piece.text, place);
      continue;
    }
    if (piece.value.includes('\0'))
      throw new AppError('invalid', 'script: a value has a NUL character in it');
    if (piece.value.length > LONGEST_VALUE)
      throw new AppError('invalid', `script: a value is longer than ${LONGEST_VALUE} characters`);
    if (isEvaluated(script, place))
      throw new AppError(
        'invalid',
        'script: a template may not stand in arithmetic, in [[ ]], in a subscript or a range, after eval, let and declare, or in a script for sh -c: bash would run what is in it',
      );
    count += 1;
    const name = `HOLDFAST_VALUE_${count}`;
    env[name] = piece.value;
    script += REFERENCES[place.quotes](name);
  }
  return { script, env };
}
