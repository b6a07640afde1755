/** How many changes of the last 7 days each config item has: what the server's view `configs` counts, too. */
import type { ReplicatedRow } from '../../../src/contract/collections.ts';

/** One for a relations model, filled from `config_changes`. */
export class ChangeCounts {
  /** By the change's id: a change that comes again doesn't count twice. */
  private readonly configOf = new Map<string, string>();
  private readonly totals = new Map<string, number>();

  of(configId: string): number {
    return this.totals.get(configId) ?? 0;
  }

  put(row: ReplicatedRow): void {
    this.remove(row.id);
    if (typeof row.config_id !== 'string') return;
    this.configOf.set(row.id, row.config_id);
    this.totals.set(row.config_id, this.of(row.config_id) + 1);
  }

  remove(id: string): void {
    const configId = this.configOf.get(id);
    if (configId === undefined) return;
    this.configOf.delete(id);
    this.totals.set(configId, this.of(configId) - 1);
  }
}
