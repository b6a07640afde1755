/** Incidents and insights of a component as they are listed: worst first, low counted with medium (spec 2 §4). Pure. */
import { severityRank } from '../catalog/severity.ts';
import type { CountsByType } from './component.ts';

export interface Finding {
  type: string;
  severity: string;
  count: number;
}

/** `mergesLow` for insights. */
export function findingsOf(counts: CountsByType, { mergesLow }: { mergesLow: boolean }): Finding[] {
  const found = new Map<string, Finding>();
  for (const [type, bySeverity] of Object.entries(counts)) {
    for (const [word, count] of Object.entries(bySeverity)) {
      if (count <= 0) continue;
      const severity = mergesLow && word.toLowerCase() === 'low' ? 'medium' : word;
      const key = `${type}\n${severity.toLowerCase()}`;
      const known = found.get(key);
      found.set(key, { type, severity, count: (known?.count ?? 0) + count });
    }
  }
  return [...found.values()].toSorted(
    (a, b) => severityRank(a.severity) - severityRank(b.severity) || (a.type < b.type ? -1 : 1),
  );
}
