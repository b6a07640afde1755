/** Variables of a script that have a value in them, and where bash would evaluate what is in one. */

const ASSIGNS = /(?:^|[\s;&|(])(\w+)\+?=(?:[^\s"']*|["'][^"']*)$/;
const LOOPS = /\bfor\s+(\w+)\s+in\s/;
const READS = /\bread\s+(?:-\S+\s+)*(\w+)\s*<<<\s*["']?$/;
/** In `[[ ]]` these compare sums. */
const COMPARES_SUMS = /-(?:eq|ne|lt|le|gt|ge)\s/;

/** The variable that a command's end gives a value to; null for none. */
export function namedBy(command: string): string | null {
  for (const pattern of [ASSIGNS, LOOPS, READS]) {
    const name = pattern.exec(command)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/** Each text between the signs; what nothing closes is none. */
function* between(script: string, opening: string, closing: string): Generator<string> {
  for (let at = script.indexOf(opening); at >= 0;) {
    const end = script.indexOf(closing, at);
    if (end < 0) return;
    yield script.slice(at, end);
    at = script.indexOf(opening, end);
  }
}

/** Whether the script has the variable in arithmetic, in a comparison of sums, in a subscript or a range, or in eval. */
export function isEvaluatedIn(script: string, name: string): boolean {
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
    [...between(script, '((', '))')].some((text) => named.test(text)) ||
    [...between(script, '[[ ', ' ]]')].some((text) => COMPARES_SUMS.test(text) && named.test(text))
  );
}
