/** What the other collections say of each item: open insights by type, changes of the last seven days. */
import type { HealthState } from '../../../src/domain/check/health.ts';
import { asText } from '../live/columns.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';

export interface Tally {
  changes: number;
  /** The newest of them. */
  changedAt?: string;
  insights: number;
  analysis: Record<string, number>;
}

export interface Tallies {
  /** By the item's id. */
  all(): ReadonlyMap<string, Tally>;
}

const RANKS: Record<HealthState, number> = { unhealthy: 0, warning: 1, unknown: 2, healthy: 3 };

/** Worst first. */
export function healthRank(health: HealthState): number {
  return RANKS[health];
}

/** Counts anew when it is asked after `forget`: a pass over what is kept is a few milliseconds. */
export function createTallies(sources: { changes: LiveSource; insights: LiveSource }): Tallies & {
  forget(): void;
} {
  let known: Map<string, Tally> | null = null;
  const tallyFor = (tallies: Map<string, Tally>, configId: string): Tally => {
    const found = tallies.get(configId);
    if (found !== undefined) return found;
    const fresh: Tally = { changes: 0, insights: 0, analysis: {} };
    tallies.set(configId, fresh);
    return fresh;
  };
  const count = (): Map<string, Tally> => {
    const tallies = new Map<string, Tally>();
    const changes = sources.changes.index.table;
    const [configOf, createdAt] = [changes.map('config_id', asText), changes.map('created_at', asText)];
    for (const slot of changes.takenSlots()) {
      const tally = tallyFor(tallies, configOf(slot) ?? '');
      const at = createdAt(slot) ?? '';
      tally.changes += 1;
      if (tally.changedAt === undefined || at > tally.changedAt) tally.changedAt = at;
    }
    const insights = sources.insights.index.table;
    const [itemOf, typeOf] = [insights.map('config_id', asText), insights.map('analysis_type', asText)];
    for (const slot of insights.takenSlots()) {
      const tally = tallyFor(tallies, itemOf(slot) ?? '');
      const type = typeOf(slot) || 'other';
      tally.insights += 1;
      tally.analysis[type] = (tally.analysis[type] ?? 0) + 1;
    }
    return tallies;
  };
  return {
    all: () => {
      known ??= count();
      return known;
    },
    forget: () => {
      known = null;
    },
  };
}
