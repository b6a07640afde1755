/**
 * Incidents and insights of a component as they are listed: worst first, low counted with medium (spec 2 §4). What is
 * counted together says so: a number under one word would not be what its list shows. Pure.
 */
import { severityRank } from '../catalog/severity.ts';
import type { CountsByType } from './component.ts';

export interface Finding {
  type: string;
  /** Those that are counted, worst first. */
  severities: readonly string[];
  count: number;
}

const worstFirst = (a: string, b: string) => severityRank(a) - severityRank(b);
const worstRank = ({ severities: [worst = ''] }: Finding) => severityRank(worst);

/** `mergesLow` for insights. */
export function findingsOf(counts: CountsByType, { mergesLow }: { mergesLow: boolean }): Finding[] {
  const found = new Map<string, Finding>();
  for (const [type, bySeverity] of Object.entries(counts)) {
    for (const [word, count] of Object.entries(bySeverity)) {
      if (count <= 0) continue;
      const small = word.toLowerCase();
      const key = `${type}\n${mergesLow && small === 'low' ? 'medium' : small}`;
      const known = found.get(key);
      const severities = [...new Set([...(known?.severities ?? []), word])].toSorted(worstFirst);
      found.set(key, { type, severities, count: (known?.count ?? 0) + count });
    }
  }
  return [...found.values()].toSorted((a, b) => worstRank(a) - worstRank(b) || (a.type < b.type ? -1 : 1));
}
