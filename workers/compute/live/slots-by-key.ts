/** Where the rows of one column's value are, for questions that name the values: a few rows among very many. */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { LiveQuestion } from '../../../src/contract/live-query.ts';
import type { Entry } from './entry.ts';

/** What such questions ask for. */
const KEYS: Partial<Record<CollectionName, string>> = { incident_records: 'incident_id' };

/** Built when it is first asked for, kept up to date from then on; nothing for a collection without such a column. */
export class SlotsByKey {
  private readonly field: string | undefined;
  /** Null until somebody asks. */
  private slots: Map<unknown, Set<number>> | null = null;

  constructor(collection: CollectionName) {
    this.field = KEYS[collection];
  }

  clear(): void {
    this.slots = null;
  }

  /** Another row is in that slot, or none. */
  put(slot: number, { before, after }: { before: Entry | null; after: Entry | null }): void {
    if (this.slots === null) return;
    const [was, is] = [this.keyOf(before), this.keyOf(after)];
    if (was === is) return;
    const left = this.slots.get(was);
    left?.delete(slot);
    if (left?.size === 0) this.slots.delete(was);
    if (after !== null) this.add(slot, is);
  }

  /** Slots of all rows that can pass; null where the question doesn't say which. */
  find({ where }: Pick<LiveQuestion, 'where'>, all: readonly (Entry | null)[]): number[] | null {
    const condition = where.find(({ op, field }) => field === this.field && (op === 'eq' || op === 'in'));
    if (condition === undefined) return null;
    const values = 'values' in condition ? condition.values : [condition.value];
    const slots = this.slots ?? this.fill(all);
    return [...new Set(values)].flatMap((value) => [...(slots.get(value) ?? [])]);
  }

  private fill(all: readonly (Entry | null)[]): Map<unknown, Set<number>> {
    this.slots = new Map();
    for (const [slot, entry] of all.entries()) if (entry !== null) this.add(slot, this.keyOf(entry));
    return this.slots;
  }

  private add(slot: number, key: unknown): void {
    const others = this.slots?.get(key);
    if (others === undefined) this.slots?.set(key, new Set([slot]));
    else others.add(slot);
  }

  private keyOf(entry: Entry | null): unknown {
    return entry === null || this.field === undefined ? undefined : (entry.row[this.field] ?? null);
  }
}
