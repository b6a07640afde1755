/**
 * Version ranges for scripts, by npm's `semver`. On top of its syntax: `!=`, a comma for `and` (as in the published
 * product), and versions with one or two parts. What is no version or no range never matches.
 */
import { parse, Range } from 'semver';
import type { SemVer } from 'semver';

const SHORT_VERSION = /^v?(\d+)(?:\.(\d+))?((?:[-+].*)?)$/;
const UNEQUAL = /!=\s*(\S+)/g;

/** A version; `v1` and `1.2` are 1.0.0 and 1.2.0. */
function versionOf(text: string): SemVer | null {
  const [, major, minor = '0', rest = ''] = SHORT_VERSION.exec(text.trim()) ?? [];
  return major === undefined ? parse(text) : parse(`${major}.${minor}.0${rest}`);
}

function rangeOf(text: string): Range | null {
  try {
    return new Range(text);
  } catch {
    return null;
  }
}

/** One side of `||`: all of its parts hold. */
function matchesAll(constraint: string, version: SemVer): boolean {
  const ranges = [...constraint.matchAll(UNEQUAL)].map(([, unequal = '']) => rangeOf(unequal));
  const range = rangeOf(constraint.replace(UNEQUAL, ' ').trim());
  if (range === null || ranges.includes(null)) return false;
  // Whoever only excludes versions has said nothing against a pre-release of another.
  const isOnlyUnequal = ranges.length > 0 && constraint.replace(UNEQUAL, '').trim() === '';
  return (isOnlyUnequal || range.test(version)) && !ranges.some((each) => each?.test(version));
}

/** True when the version meets the constraint; without an operator they must be equal. */
export function matchesSemver(constraint: string, version: string): boolean {
  const given = versionOf(version);
  if (given === null || constraint.trim() === '') return false;
  return constraint
    .replaceAll(',', ' ')
    .split('||')
    .some((side) => matchesAll(side, given));
}
