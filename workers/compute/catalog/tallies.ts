/** What the other collections say of each item: open insights by type, changes of the last seven days. */
import type { HealthState } from '../../../src/domain/check/health.ts';
import { textIn } from '../live/columns.ts';
import type { LiveSource } from '../live/live-query.ts';

export interface Tally {
  changes: number;
  /** The newest of them. */
  changedAt?: string;
  insights: number;
  analysis: Record<string, number>;
}

export interface Tallies {
  of(configId: string): Tally | undefined;
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
    sources.changes.index.each(({ row }) => {
      const tally = tallyFor(tallies, textIn(row, 'config_id') ?? '');
      const at = textIn(row, 'created_at') ?? '';
      tally.changes += 1;
      if (tally.changedAt === undefined || at > tally.changedAt) tally.changedAt = at;
    });
    sources.insights.index.each(({ row }) => {
      const tally = tallyFor(tallies, textIn(row, 'config_id') ?? '');
      const type = textIn(row, 'analysis_type') || 'other';
      tally.insights += 1;
      tally.analysis[type] = (tally.analysis[type] ?? 0) + 1;
    });
    return tallies;
  };
  return {
    of: (configId) => {
      known ??= count();
      return known.get(configId);
    },
    forget: () => {
      known = null;
    },
  };
}
