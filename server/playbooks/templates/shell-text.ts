/**
 * A script from the pieces of its template. What was put in never becomes shell: each value is a variable of the
 * environment, and the script gets its name, in quotes of its own where it stands outside of quotes. Were the quotes
 * around it misread, the variable would at worst be split into words; it would still not be run.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { isEvaluatedIn, namesGiven } from './shell-names.ts';
import { isNumber, refusal } from './shell-refusal.ts';
import { newScan, passOver, readOn } from './shell-scan.ts';
import type { Quotes, ShellScan } from './shell-scan.ts';
import type { TemplatePiece } from './template-pieces.ts';

export interface ShellText {
  script: string;
  /** What the script's variables stand for. */
  env: Record<string, string>;
}

/** A single variable of a process is bounded by the system. */
const LONGEST_VALUE = 100_000;
const REFERENCES: Readonly<Record<Quotes, (name: string) => string>> = {
  none: (name) => `"\${${name}}"`,
  comment: (name) => `\${${name}}`,
  double: (name) => `\${${name}}`,
  lines: (name) => `\${${name}}`,
  raw: (name) => `\${${name}}`,
  single: (name) => `'"\${${name}}"'`,
  ansi: (name) => `'"\${${name}}"$'`,
};

/** Its quotes in `${}` within quotes make a replacement of it as it is. */
function referenceOf(name: string, scan: ShellScan): string {
  const { quotes, around } = scan.lines?.script ?? scan;
  const isInBraces = quotes === 'double' && around.at(-1)?.sign === '{';
  return REFERENCES[isInBraces ? 'none' : quotes](name);
}

/** What stands right before a value and would join with it, a backslash or a dollar, stands for itself. */
function escapedEnd(script: string, scan: ShellScan): string {
  const { quotes, last } = scan.lines?.script ?? scan;
  if (quotes === 'single' || quotes === 'comment') return script;
  if (last === '\\') return `${script}\\`;
  return last === '$' && quotes !== 'ansi' ? `${script.slice(0, -1)}\\$` : script;
}

/** What stands behind each piece on its line; other values as a sign. */
function restsOf(pieces: readonly TemplatePiece[]): string[] {
  let rest = '';
  const rests = pieces.toReversed().map((piece) => {
    const behind = rest;
    const [first = ''] = piece.kind === 'value' ? ['x'] : piece.text.split('\n', 1);
    rest = piece.kind === 'text' && piece.text.includes('\n') ? first : first + rest;
    return behind;
  });
  return rests.toReversed();
}

function refuseEvaluated(script: string, scan: ShellScan, names: ReadonlySet<string>): void {
  for (const name of names)
    if (isEvaluatedIn(script, scan, name))
      throw new AppError(
        'invalid',
        `script: the variable ${name} has a value in it that is not a number, and stands in arithmetic, in a comparison of numbers in [[ ]], in a subscript, in eval or in a script: bash would run what is in it; [ "$${name}" -gt 1 ] would not`,
      );
}

/** Throws `invalid` for a value that no variable can hold, or that stands where something would run it. */
export function shellText(pieces: readonly TemplatePiece[]): ShellText {
  const env: Record<string, string> = {};
  const scan = newScan();
  const names = new Set<string>();
  const rests = restsOf(pieces);
  let script = '';
  let number = 0;
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind === 'text') {
      script += piece.text;
      readOn(scan, piece.text);
      continue;
    }
    if (piece.value.includes('\0'))
      throw new AppError('invalid', 'script: a value has a NUL character in it');
    if (piece.value.length > LONGEST_VALUE)
      throw new AppError('invalid', `script: a value is longer than ${LONGEST_VALUE} characters`);
    const why = refusal(script, scan, { value: piece.value, rest: rests[at] ?? '' });
    if (why !== null) throw new AppError('invalid', `script: ${why}`);
    if (!isNumber(piece.value)) for (const name of namesGiven(scan)) names.add(name);
    number += 1;
    const name = `HOLDFAST_VALUE_${number}`;
    env[name] = piece.value;
    const reference = referenceOf(name, scan);
    script = escapedEnd(script, scan) + reference;
    passOver(scan, reference);
  }
  refuseEvaluated(script, scan, names);
  return { script, env };
}
