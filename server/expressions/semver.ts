/** Version comparison for scripts: a constraint such as `>=1.2.0` or a plain version, against a version. */

function partsOf(version: string): number[] {
  const core = version.trim().replace(/^v/, '').split(/[-+]/)[0] ?? '';
  return core.split('.').map((part) => Number.parseInt(part, 10) || 0);
}

function compare(left: number[], right: number[]): number {
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

/** True when the version meets the constraint; without an operator they must be equal. */
export function matchesSemver(constraint: string, version: string): boolean {
  const match = /^\s*(>=|<=|>|<|=|\^|~)?\s*(.+)$/.exec(constraint);
  const wanted = partsOf(match?.[2] ?? '');
  const given = partsOf(version);
  const order = compare(given, wanted);
  const isSame = (count: number) => given.slice(0, count).join('.') === wanted.slice(0, count).join('.');
  switch (match?.[1] ?? '=') {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '^':
      return order >= 0 && isSame(1);
    case '~':
      return order >= 0 && isSame(2);
    default:
      return order === 0;
  }
}
