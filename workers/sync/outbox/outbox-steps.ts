/**
 * One step of the outbox's database: reads what is kept, decides, writes, in one transaction. What was read is
 * remembered, so that a step costs what it changes and not all that waits: of ten thousand commands, reading all of
 * them at each step was nearly the whole time of sending.
 *
 * Invariants: memory counts only while the database has the mark of the step that it is of, the same facts and the same
 * last item; what a step changes is compared with what is stored, in the same transaction; anything else is
 * read anew, and decided anew. So whoever else writes (another tab, an older version, nobody at all because the
 * database was removed) is never overwritten by what is remembered.
 */
import { z } from 'zod';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { ItemReader } from './storage/item-reader.ts';
import type { Draft, OutboxChange } from './outbox-port.ts';
import { blockedBy } from './outbox-rules.ts';
import type { OutboxDatabase } from './storage/outbox-tables.ts';
import { storageError } from './storage/storage-error.ts';
import { ITEM_VERSION, toStored } from './storage/stored-item.ts';
import { isSame } from './transport/same-json.ts';

const DEVICE = 'device';
const factsSchema = z.object({
  key: z.literal(DEVICE),
  deviceId: z.guid(),
  nextSeq: z.number().int().min(1),
  epoch: z.number().int().min(0),
});
export type Facts = z.output<typeof factsSchema>;

/** Changes with each step that writes. */
const MARK = 'mark';
const markSchema = z.object({ key: z.literal(MARK), id: z.string() });

export interface Found {
  items: readonly OutboxItem[];
  /** Orders of those that are stored in an older form; only of what was just read. */
  old: ReadonlySet<number>;
  facts: Facts;
  /** True when who this device is was not known, or not readable. */
  isNewDevice: boolean;
}

export interface Edit<T> {
  result: T;
  puts?: OutboxItem[];
  adds?: Draft[];
  deletes?: OutboxItem[];
  facts?: Facts;
}

export interface StepParts {
  newId: () => string;
  serverNow: () => number;
}

/** Decides by what is kept; may be asked twice, and only the last answer counts. */
type Decide<T> = (found: Found) => Edit<T>;

interface Remembered {
  mark: string;
  facts: Facts | null;
  items: readonly OutboxItem[];
}

/** `old` is NONE of what was remembered. */
interface Read extends Pick<Found, 'items' | 'old'> {
  facts: Facts | null;
}

interface Step<T> {
  read: Read;
  edit: Edit<T>;
  plan: Plan;
}

const NONE: ReadonlySet<number> = new Set();

/** What a step comes to. */
interface Plan {
  deletes: readonly OutboxItem[];
  adds: readonly Draft[];
  /** Of those that are there already. */
  puts: readonly OutboxItem[];
  /** What stays, in its order, without what is added. */
  rest: readonly OutboxItem[];
}

/** What the items then block is part of it. */
function planOf(items: readonly OutboxItem[], edit: Edit<unknown>, nowMs: number): Plan {
  const { puts = [], adds = [], deletes = [] } = edit;
  const byOrder = new Map(items.map((item) => [item.order, item]));
  const changed = new Map(puts.map((item) => [item.order, item]));
  for (const { order } of deletes) byOrder.delete(order);
  for (const item of puts) byOrder.set(item.order, item);
  const rest = [...byOrder.values()].toSorted((a, b) => a.order - b.order);
  // What is added comes after all that was ever there.
  const first = (rest.at(-1)?.order ?? 0) + 1;
  const added = adds.map((draft, at) => ({ ...draft, order: first + at }));
  const blocked = new Map(blockedBy([...rest, ...added], nowMs).map((item) => [item.order, item]));
  for (const item of rest) {
    const now = blocked.get(item.order);
    if (now !== undefined) changed.set(item.order, now);
  }
  return {
    deletes,
    adds: added.map(({ order, ...draft }) => ({ ...draft, state: blocked.get(order)?.state ?? draft.state })),
    puts: [...changed.values()],
    rest: rest.map((item) => blocked.get(item.order) ?? item),
  };
}

/** For one open outbox; see the head of this file. */
export class OutboxSteps {
  private readonly parts: StepParts;
  private readonly reader = new ItemReader();
  private memory: Remembered | null = null;

  constructor(parts: StepParts) {
    this.parts = parts;
  }

  /** The next step reads everything. */
  forget(): void {
    this.memory = null;
  }

  /** By order of writing. */
  async items(place: OutboxDatabase): Promise<OutboxItem[]> {
    try {
      const read = await place.db.transaction('r', place.items, place.facts, () => this.read(place));
      return [...read.items];
    } catch (error) {
      throw storageError(error);
    }
  }

  /** One transaction. */
  async take<T>(place: OutboxDatabase, decide: Decide<T>): Promise<{ result: T; change: OutboxChange }> {
    try {
      return await place.db.transaction('rw', place.items, place.facts, async () => {
        let step = await this.decided(place, decide);
        if (!(await this.isAsStored(place, step))) {
          this.forget();
          step = await this.decided(place, decide);
        }
        return { result: step.edit.result, change: await this.write(place, step) };
      });
    } catch (error) {
      throw storageError(error);
    }
  }

  private async read(place: OutboxDatabase): Promise<Read> {
    const [stored, marked] = await place.facts.bulkGet([DEVICE, MARK]);
    const parsed = factsSchema.safeParse(stored);
    const facts = parsed.success ? parsed.data : null;
    const mark = markSchema.safeParse(marked);
    const { memory } = this;
    const isKnown =
      memory !== null && mark.success && mark.data.id === memory.mark && isSame(memory.facts, facts);
    if (isKnown && (await isLast(place, memory.items))) return { items: memory.items, old: NONE, facts };
    const all = (await place.items.toArray()).map((raw) => this.reader.read(raw));
    const items = all.map(({ item }) => item);
    this.memory = mark.success ? { mark: mark.data.id, facts, items } : null;
    return { items, old: new Set(all.filter(({ isOld }) => isOld).map(({ item }) => item.order)), facts };
  }

  private async decided<T>(place: OutboxDatabase, decide: Decide<T>): Promise<Step<T>> {
    const read = await this.read(place);
    const unknown = (): Facts => ({ key: DEVICE, deviceId: this.parts.newId(), nextSeq: 1, epoch: 0 });
    const edit = decide({ ...read, facts: read.facts ?? unknown(), isNewDevice: read.facts === null });
    return { read, edit, plan: planOf(read.items, edit, this.parts.serverNow()) };
  }

  /** True when what changes is stored as it is remembered. */
  private async isAsStored(place: OutboxDatabase, { read, plan }: Step<unknown>): Promise<boolean> {
    if (read.old !== NONE) return true;
    const orders = [...plan.puts, ...plan.deletes].map(({ order }) => order);
    if (orders.length === 0) return true;
    const wanted = new Set(orders);
    const before = new Map(
      read.items.filter(({ order }) => wanted.has(order)).map((item) => [item.order, item]),
    );
    const stored = await place.items.bulkGet(orders);
    return stored.every((raw, at) => {
      const item = before.get(orders[at] ?? 0);
      return raw !== undefined && item !== undefined && isSameItem(this.reader.read(raw).item, item);
    });
  }

  private async write(place: OutboxDatabase, { read, edit, plan }: Step<unknown>): Promise<OutboxChange> {
    const { deletes, adds, puts, rest } = plan;
    const stored = adds.map((draft) => ({ ...draft, itemVersion: ITEM_VERSION }));
    await place.items.bulkDelete(deletes.map(({ order }) => order));
    const keys = stored.length === 0 ? [] : await place.items.bulkAdd(stored, { allKeys: true });
    await place.items.bulkPut(puts.map(toStored));
    const added = adds.map((draft, at): OutboxItem => ({ ...draft, order: keys[at] ?? 0 }));
    const isChanged = deletes.length + added.length + puts.length > 0;
    if (edit.facts !== undefined) await place.facts.put(edit.facts);
    if (isChanged) {
      const mark = this.parts.newId();
      await place.facts.put({ key: MARK, id: mark });
      // Should the transaction fail after all, the database has another mark.
      this.memory = { mark, facts: edit.facts ?? read.facts, items: [...rest, ...added] };
    } else if (edit.facts !== undefined && this.memory !== null) {
      this.memory = { ...this.memory, facts: edit.facts };
    }
    return {
      upserts: [...added, ...puts],
      deletedIds: deletes.map(({ commandId }) => commandId),
    };
  }
}

/** No other item was added since; an older version of the app leaves no mark. */
async function isLast(place: OutboxDatabase, items: readonly OutboxItem[]): Promise<boolean> {
  const [last] = await place.items.orderBy(':id').reverse().limit(1).primaryKeys();
  return last === items.at(-1)?.order;
}

function isSameItem(a: OutboxItem, b: OutboxItem): boolean {
  return a === b || (a.commandId === b.commandId && a.failures === b.failures && isSame(a.state, b.state));
}
