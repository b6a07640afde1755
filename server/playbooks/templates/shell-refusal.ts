/** Where a value may not stand in a script: bash, or another program that is given a part of it, would run what is in it. */
import { programsBehind, programsGiven } from './shell-programs.ts';
import type { ShellScan } from './shell-scan.ts';

/** Commands that evaluate what they are given, be it as a name. */
const EVALUATES =
  /(?<![\w-])(?:(?:let|eval|trap|declare|typeset|local|unset)\s|read\s[^<]*$|printf\s+-v\s+\S*$|test\s(?:[^\n]{0,1000}\s)?-v\s)|\[\s(?:[^\n]{0,1000}\s)?-v\s/g;
/** What these say is never evaluated, whatever its words. */
const SAYS = /^[\s;&|(`]*(?:echo|logger|mail|curl|cat)\s/;
/** Nothing but a variable of its own. */
const DECLARES = /\b(?:declare|typeset|local)(?:\s+-[rxg]+)*\s+\w+="?[^"'\s;]*$/;
/** `${!name`, `${name[`, `${name:1`: what follows is a name, a subscript or a number. */
const EXPANSION = /^\{(?:!|#?[\w@*]+(?:\[|:(?![-=?+])))/;
const SUBSCRIPT = /(?:^|[\s;|&(])\w+\[/g;
/** Of a command; those before are closed. */
const MOST_SUBSCRIPTS = 100;
const ELEMENT = /[\s(]\[[^\]]*$/;
/** What comes next is written as a word of a script for bash, where that is outside of quotes so far. */
const QUOTED = /^\(printf\s+(?:%q|'%q'|"%q")\s+$/;
const TAKES_QUOTED = /\bbash(?:\s+-[a-z]+)*\s+-c\s|\bssh\s/;
/** What that shell would do more with a word than hand it to a program. */
const DOES_MORE = /[[({]|\b(?:let|eval|trap|declare|typeset|local|unset|read|source|exec|sed|awk|xargs)\b/;
/** Also a version: bash takes no sign of it for anything else. */
const NUMBER = /^-?\d[\d.]*$/;
/** The same in a script of a shell: no sign of it means anything there. */
const PLAIN = /^[\w.:@%+,][\w.:@%+,/-]*$/;
const TAKES_PLAIN: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'ash', 'ssh', 'su']);
/** In `[[ ]]` these compare texts or look for files. */
const COMPARES_TEXTS = /\s(?:==?|!=|-[nzfdesrwxL])\s+["']?[^\s"']*$/;
/** Variables whose values are sums. */
const INTEGERS = /\b(?:declare|typeset|local|readonly|export)\s+-[a-hj-zA-Z]*i[a-zA-Z]*\s+(\w+)/g;

/** Whether a value stands for itself, wherever it is evaluated. */
export const isNumber = (value: string): boolean => NUMBER.test(value);

const count = (text: string, sign: string): number => text.split(sign).length - 1;

const isOutsideQuotes = (text: string): boolean => count(text, '"') % 2 === 0 && count(text, "'") % 2 === 0;

/** The commands that the end of the script is in, each within the one before. */
function commandsOf({ around, command, lines }: ShellScan): string[] {
  const outer = around
    .filter((opened) => opened.sign !== '{' && opened.lines === null)
    .map((opened) => opened.command);
  return [...outer, ...(lines === null ? [command] : [])].map((text) => text.replaceAll('\\\n', ' '));
}

const evaluates = (command: string): boolean =>
  !SAYS.test(command) &&
  !DECLARES.test(command) &&
  [...command.matchAll(EVALUATES)].some(({ index }) => isOutsideQuotes(command.slice(0, index)));

/** Whether a name, a subscript or a range of `${}` is being written. */
function isExpansion({ around, command }: ShellScan): boolean {
  return around.some(
    (opened, at) =>
      opened.sign === '{' &&
      EXPANSION.test((around[at + 1]?.command ?? command).slice(opened.command.length)),
  );
}

function isSubscript({ command, around, quotes }: ShellScan): boolean {
  if (quotes === 'single' || quotes === 'ansi') return false;
  if (/\w\+?=$/.test(around.at(-1)?.command ?? '') && ELEMENT.test(command)) return true;
  return [...command.matchAll(SUBSCRIPT)].slice(-MOST_SUBSCRIPTS).some(({ index }) => {
    const behind = command.slice(index);
    return isOutsideQuotes(command.slice(0, index)) && count(behind, '[') > count(behind, ']');
  });
}

/** `$[ ]` is arithmetic, too. */
function isOldArithmetic({ line }: ShellScan): boolean {
  const behind = line.slice(line.lastIndexOf('$['));
  return line.includes('$[') && count(behind, '[') > count(behind, ']');
}

function isInteger(script: string, command: string): boolean {
  return [...script.matchAll(INTEGERS)].some(([, name]) =>
    new RegExp(String.raw`\b${name}\+?=\S*$|\bread\b.*\b${name}\b`).test(command),
  );
}

function comparesTexts(command: string): boolean {
  const found = COMPARES_TEXTS.exec(command);
  return found !== null && isOutsideQuotes(command.slice(0, found.index));
}

/** Whether bash would evaluate a variable's content here as an expression or a name, which may run commands. */
function isEvaluated(script: string, scan: ShellScan): boolean {
  const { lines, around, command } = scan;
  if (around.some(({ isArithmetic }) => isArithmetic) || commandsOf(scan).some(evaluates)) return true;
  if (isOldArithmetic(scan) || isExpansion(scan)) return true;
  if (lines !== null) return false;
  const isTest = scan.isTest || around.some((opened) => opened.isTest);
  return (isTest && !comparesTexts(command)) || isSubscript(scan) || isInteger(script, command);
}

/** Programs that would run what is in a value as a part of them. */
function programsOf(scan: ShellScan, rest: string): string[] {
  const { around, lines } = scan;
  const ofLines = [lines, ...around.map((opened) => opened.lines)].flatMap((one) => one?.programs ?? []);
  const commands = commandsOf(scan).filter((command) => !SAYS.test(command));
  return [...ofLines, ...commands.flatMap(programsGiven), ...programsBehind(rest)];
}

/** `bash -c "… $(printf %q`, `ssh host "… $(printf %q`: outside of quotes that the other shell sees. */
function isQuoted({ around, command }: ShellScan): boolean {
  const [outer, ...more] = around;
  return (
    outer !== undefined &&
    more.length === 0 &&
    outer.lines === null &&
    QUOTED.test(command) &&
    TAKES_QUOTED.test(outer.command) &&
    count(outer.command, '"') <= 1 &&
    !/['\\`]/.test(outer.command) &&
    !DOES_MORE.test(outer.command)
  );
}

const NOT_FILLED =
  "a template may not stand in lines whose word is in quotes (<<'END'), in which nothing is filled in: write the word without them";
const TOO_DEEP = 'a template may not stand in quotes and parentheses that are nested a hundred deep';
const EVALUATED =
  'a template may not stand in arithmetic, in [[ ]], in a subscript or a range, or after eval, let and declare: bash would run what is in it';
const IN_PROGRAM =
  'a template may not stand in a program for another shell or language (sh -c, ssh, lines for bash, sed), which would run what is in it: hand it over as an argument (bash -c \'echo "$1"\' _ {{ }}), or write ssh host "ls $(printf %q {{ }})"';

/** In a substitution with signs of its own between its parts. */
const isReplacement = (value: string, { command }: ShellScan): boolean =>
  /^\w[\w.-]*$/.test(value) && !/["'\s;]s[-.\w]/.test(command.replace(/\bsed\b/, ''));

const isPlain = (value: string, programs: readonly string[], scan: ShellScan): boolean =>
  PLAIN.test(value) &&
  programs.every((name) => TAKES_PLAIN.has(name)) &&
  ![scan, ...scan.around].some(({ command }) => DOES_MORE.test(command));

interface Put {
  value: string;
  /** Behind it on its line. */
  rest: string;
}

/** Why a value may not stand at the end of the script; null where it may. */
export function refusal(script: string, scan: ShellScan, { value, rest }: Put): string | null {
  const within = scan.quotes === 'raw' ? scan.lines?.script : scan;
  if (!within || within.quotes === 'raw') return NOT_FILLED;
  if (within.isLost) return TOO_DEEP;
  if (within.quotes === 'comment' || isNumber(value)) return null;
  if (isEvaluated(script, within)) return EVALUATED;
  const programs = programsOf(within, rest);
  const isEdit = programs.every((name) => name === 'sed') && isReplacement(value, within);
  const isSafe = (programs.length === 1 && isQuoted(within)) || isPlain(value, programs, within) || isEdit;
  return programs.length === 0 || isSafe ? null : IN_PROGRAM;
}
