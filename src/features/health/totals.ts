/** What the header says of the numbers: always of all checks, so that hidden ones never look like an outage. */
import type { HealthFrame } from '../../contract/worker.ts';
import type { HealthState } from '../../domain/check/health.ts';
import { messages } from './messages.ts';

export interface TotalsPart {
  key: string;
  text: string;
  state: HealthState | null;
}

const sum = (counts: HealthFrame['counts']) =>
  counts.healthy + counts.unhealthy + counts.warning + counts.unknown;

/** `1,000 checks · 920 healthy · 80 unhealthy · 920 passing hidden`, part by part. */
export function totalsOf(frame: HealthFrame): TotalsPart[] {
  const { counts, shown, hiddenPassing, checkCount } = frame;
  const parts: TotalsPart[] = [{ key: 'all', text: messages.checks(checkCount), state: null }];
  if (checkCount === 0) return parts;
  parts.push({ key: 'healthy', text: messages.healthy(counts.healthy), state: 'healthy' });
  parts.push({ key: 'unhealthy', text: messages.unhealthy(counts.unhealthy), state: 'unhealthy' });
  if (counts.unknown > 0) {
    parts.push({ key: 'unknown', text: messages.unknown(counts.unknown), state: 'unknown' });
  }
  if (hiddenPassing > 0) {
    parts.push({ key: 'hidden', text: messages.passingHidden(hiddenPassing), state: null });
  }
  const isNarrowed = sum(shown) + hiddenPassing < checkCount;
  if (isNarrowed) parts.push({ key: 'shown', text: messages.showing(sum(shown)), state: null });
  return parts;
}
