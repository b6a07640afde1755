/** Variables of a script that have a value in them, and where bash would evaluate what is in one. */
import type { ShellScan } from './shell-scan.ts';

const ASSIGNS = /(?:^|[\s;&|(])(\w+)\+?=(?:[^\s"']*|["'][^"']*)$/;
const LOOPS = /\bfor\s+(\w+)\s+in\s/;
const READS = /\bread\s+(?:-\S+\s+)*(\w+)\s*<<<\s*["']?$/;
/** In `[[ ]]` these compare sums. */
const COMPARES_SUMS = /-(?:eq|ne|lt|le|gt|ge)\s/;

/** The variables that the command at the end of the script, and those around it, give a value to. */
export function namesGiven({ command, around }: ShellScan): string[] {
  const commands = [command, ...around.map((opened) => opened.command)];
  return commands.flatMap((text) =>
    [ASSIGNS, LOOPS, READS].flatMap((pattern) => pattern.exec(text)?.[1] ?? []),
  );
}

/** What stands between `[[` and `]]`. */
function* tests(script: string): Generator<string> {
  for (let at = script.indexOf('[[ '); at >= 0;) {
    const end = script.indexOf(' ]]', at);
    if (end < 0) return;
    yield script.slice(at, end);
    at = script.indexOf('[[ ', end);
  }
}

/** Whether the script has the variable in arithmetic, in a comparison of sums, in a subscript or a range, or in eval. */
export function isEvaluatedIn(script: string, { sums }: ShellScan, name: string): boolean {
  const named = new RegExp(String.raw`\b${name}\b`);
  const evaluated = new RegExp(
    [
      String.raw`\b\w+\[[^\]\n]*\b${name}\b[^\]\n]*\]`,
      String.raw`\$\{[\w@*]+:(?![-=?+])[^}\n]*\b${name}\b`,
      String.raw`\$\{!${name}\b`,
      String.raw`(?<![\w-])(?:let|eval)\s[^\n]*\b${name}\b`,
      String.raw`\s-[a-z]*c\s+"[^"\n]*\$\{?${name}\b`,
    ].join('|'),
  );
  return (
    evaluated.test(script) ||
    sums.some((text) => named.test(text)) ||
    [...tests(script)].some((text) => COMPARES_SUMS.test(text) && named.test(text))
  );
}
