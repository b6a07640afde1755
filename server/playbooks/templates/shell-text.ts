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
/** Where bash evaluates the content of a variable as an expression, which may run commands. */
const ARITHMETIC =
  /\(\((?:(?!\)\))[^\n])*$|\[\[(?:(?!\]\])[^\n])*$|\$\[[^\]\n]*$|\b(?:let|eval|declare|typeset|local)\s[^\n;&|]*$/;

/** Where the end of a text stands; `around`: the quotes that each open parenthesis stands in. */
interface Place {
  quotes: Quotes;
  around: readonly Quotes[];
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
      around.push(quotes);
      quotes = 'none';
    } else if (sign === ')' && quotes === 'none') quotes = around.pop() ?? 'none';
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
    if (ARITHMETIC.test(script.slice(-2000)))
      throw new AppError(
        'invalid',
        'script: a template may not stand in arithmetic, in [[ ]] or after eval, let and declare: bash would run what is in it',
      );
    count += 1;
    const name = `HOLDFAST_VALUE_${count}`;
    env[name] = piece.value;
    script += REFERENCES[place.quotes](name);
  }
  return { script, env };
}
