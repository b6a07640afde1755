/**
 * Patterns of files that people write. Forms and the schemas of documents refuse what this refuses, and the server looks
 * again before fast-glob gets one: what its compiler never comes to an end with, or what takes many times longer with each
 * letter of a name, would hold up all of it.
 */
const MAX_LENGTH = 1000;
/** Each is compiled as a pattern of its own. */
const MAX_ALTERNATIVES = 1000;
/** Within one part of a path: each tries every rest of a name. */
const MAX_STARS = 4;

function rangeSize(inside: string): number {
  const [, from, to] = /^(-?\d+)\.\.(-?\d+)/.exec(inside) ?? [];
  if (from !== undefined && to !== undefined) return Math.abs(Number(to) - Number(from)) + 1;
  // From one letter to another.
  return /^.\.\../.test(inside) ? 128 : 1;
}

/** As many patterns as its braces stand for, or more. */
function alternativesOf(pattern: string): number {
  const open: { start: number; commas: number }[] = [];
  let product = 1;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    const group = open.at(-1);
    if (letter === '\\') at += 1;
    else if (letter === '{') open.push({ start: at + 1, commas: 0 });
    else if (letter === ',' && group !== undefined) group.commas += 1;
    else if (letter === '}' && group !== undefined) {
      open.pop();
      product *= group.commas > 0 ? group.commas + 1 : rangeSize(pattern.slice(group.start, at));
    }
  }
  return product;
}

/** A star that is escaped is a letter. */
const starsOf = (part: string): number => part.replaceAll(/\\./g, '').match(/\*+/g)?.length ?? 0;

/** What is wrong with a pattern, as a sentence that says what to write; null where nothing is. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (pattern.includes('\\\\'))
    return 'has two backslashes in a row: write one, before the character that it stands for';
  // A group of alternatives is tried once, and not again and again: that takes twice as long with each letter.
  if (/(?:^|[^@!?\\])\(|(?<!\\)(?:\)\\?[+*]|\]\\?\+)/.test(pattern))
    return 'has a group that may repeat: write @(one|two)';
  if (alternativesOf(pattern) > MAX_ALTERNATIVES)
    return `stands for more than ${MAX_ALTERNATIVES} patterns: use * instead of so many braces`;
  if (pattern.split('/').some((part) => starsOf(part) > MAX_STARS))
    return `has more than ${MAX_STARS} stars between two slashes`;
  return null;
}

/** Whether a pattern, or one that its braces stand for, leads out of the folder in which it is looked for. */
export function leadsOut(pattern: string): boolean {
  return /^\/|[{,]\//.test(pattern) || pattern.split(/[\\/{},]/).includes('..') || pattern.includes('\0');
}
