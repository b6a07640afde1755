/** How bad a finding or a change is, worst first (schema §8.3, contract §6.5). */
export const SEVERITIES = ['critical', 'blocker', 'high', 'medium', 'warning', 'low', 'info'] as const;

/** The severities that a filter names: one, or several with commas between them; in small letters. */
export function severitiesIn(filter: string): string[] {
  return filter
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** 0 is worst; unknown words come last. */
export function severityRank(severity: string | null): number {
  const at = SEVERITIES.findIndex((known) => known === severity?.toLowerCase());
  return at < 0 ? SEVERITIES.length : at;
}
