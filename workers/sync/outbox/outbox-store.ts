/**
 * The outbox's own database (design §4 law 4): the only place where commands are kept before they are seen.
 * Invariants: every operation is one strict transaction, so that it happened wholly or not at all and survives a
 * power cut once it resolved; numbers are given, results noted and the device changed only under the epoch of
 * the present sender (law 12); a number belongs to one command for ever; what can't be read is kept as it is.
 * It knows no network and tells nobody: callers get what changed.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { isAtOrAfter, type Cursor } from '../../../src/contract/sync.ts';
import { readCreatedAt } from './storage/outbox-created-at.ts';
import type { Draft, NumberedBatch, OutboxChange, OutboxStore, Settlement } from './outbox-port.ts';
import { isExpired, refusedHere } from './outbox-rules.ts';
import { MESSAGES } from './messages.ts';
import { coalescing } from './background-items.ts';
import { OutboxSteps, type Found } from './outbox-steps.ts';
import { openOutboxTables, type OutboxDatabase } from './storage/outbox-tables.ts';
import { FencedError, storageError } from './storage/storage-error.ts';

export interface OutboxStoreParts {
  idb: IDBFactory;
  storeName: string;
  newId: () => string;
  serverNow: () => number;
}

/** What was sent waits again; the server will know it by its command id. */
function unsent(items: readonly OutboxItem[]): OutboxItem[] {
  return items
    .filter((item) => item.state.kind === 'sent')
    .map((item) => ({ ...item, state: { kind: 'kept', mayHaveArrived: true } }));
}

function fence(found: Found, epoch: number): void {
  if (found.facts.epoch !== epoch) throw new FencedError();
}

function afterSeen(item: OutboxItem, cursor: Cursor): 'gone' | OutboxItem | null {
  if (item.state.kind !== 'accepted' || item.state.position === null) return null;
  const { position } = item.state;
  if (isAtOrAfter(cursor, position)) return 'gone';
  if (isAtOrAfter(position, cursor)) return null;
  return { ...item, state: { kind: 'kept', mayHaveArrived: true } };
}

class DexieOutboxStore implements OutboxStore {
  private readonly parts: OutboxStoreParts;
  /** For what the user did: on the disk before it counts as kept. */
  private readonly written: OutboxDatabase;
  /**
   * For what became of it. A power cut may lose the last of these; the server then tells it again, because it knows
   * every command by its id (law 4). Waiting for the disk here would only make every command slower.
   */
  private readonly noted: OutboxDatabase;
  private readonly steps: OutboxSteps;

  constructor(parts: OutboxStoreParts) {
    this.parts = parts;
    this.written = openOutboxTables(parts, 'strict');
    this.noted = openOutboxTables(parts, 'relaxed');
    this.steps = new OutboxSteps(parts);
  }

  items(): Promise<OutboxItem[]> {
    return this.steps.items(this.noted);
  }

  forget(): void {
    this.steps.forget();
  }

  async bornMs(): Promise<number> {
    try {
      return await readCreatedAt(this.noted.db, this.noted.facts, this.parts.serverNow());
    } catch (error) {
      throw storageError(error);
    }
  }

  async append(make: (items: readonly OutboxItem[]) => Draft): Promise<OutboxChange & { item: OutboxItem }> {
    const { added, ...change } = await this.appendAll((items) => [make(items)]);
    const item = change.upserts.find(({ commandId }) => commandId === added[0]);
    if (item === undefined) throw storageError(new Error('an item that was just added has no order'));
    return { ...change, item };
  }

  async appendAll(
    make: (items: readonly OutboxItem[]) => Draft[],
  ): Promise<OutboxChange & { added: string[] }> {
    const { change, result: added } = await this.steps.take(this.written, ({ items }) => {
      const adds = make(items);
      return { result: adds.map(({ commandId }) => commandId), adds };
    });
    return { ...change, added };
  }

  async claim(): Promise<OutboxChange & { epoch: number }> {
    this.steps.forget();
    const { change, result } = await this.steps.take(this.noted, ({ items, old, isNewDevice, facts }) => {
      const epoch = facts.epoch + 1;
      const puts = items.filter(
        ({ order, state }) => old.has(order) && (!isNewDevice || state.kind !== 'sent'),
      );
      return {
        result: epoch,
        puts: isNewDevice ? [...puts, ...unsent(items)] : puts,
        facts: { ...facts, epoch },
      };
    });
    return { ...change, epoch: result };
  }

  async number(orders: readonly number[], epoch: number): Promise<OutboxChange & { batch: NumberedBatch }> {
    const { change, result } = await this.steps.take(this.noted, (found) => {
      fence(found, epoch);
      const byOrder = new Map(found.items.map((item) => [item.order, item]));
      const batch: { seq: number; item: OutboxItem }[] = [];
      const puts: OutboxItem[] = [];
      const repeats: number[] = [];
      let { nextSeq } = found.facts;
      for (const order of orders) {
        const item = byOrder.get(order);
        if (item?.state.kind === 'sent') {
          batch.push({ seq: item.state.seq, item });
          repeats.push(order);
        }
        // Dropped by its author since it was picked: then there is nothing to number.
        if (item?.state.kind !== 'kept') continue;
        if (item.state.mayHaveArrived === true) repeats.push(order);
        const numbered: OutboxItem = { ...item, state: { kind: 'sent', seq: nextSeq } };
        batch.push({ seq: nextSeq, item: numbered });
        puts.push(numbered);
        nextSeq += 1;
      }
      const items = batch.toSorted((a, b) => a.seq - b.seq).map(({ item }) => item);
      const facts = { ...found.facts, nextSeq };
      return { result: { deviceId: facts.deviceId, items, repeats }, puts, facts };
    });
    return { ...change, batch: result };
  }

  async settle(settlements: readonly Settlement[], epoch: number): Promise<OutboxChange> {
    const byOrder = new Map(settlements.map((settlement) => [settlement.order, settlement]));
    const { change } = await this.steps.take(this.noted, (found) => {
      fence(found, epoch);
      const puts = found.items.flatMap((item) => {
        const settlement = byOrder.get(item.order);
        if (settlement === undefined || item.state.kind !== 'sent') return [];
        const failures = item.failures + (settlement.failed === true ? 1 : 0);
        return [{ ...item, failures, state: settlement.state }];
      });
      return { result: null, puts };
    });
    return change;
  }

  async expire(epoch: number): Promise<OutboxChange> {
    const nowMs = this.parts.serverNow();
    const { change } = await this.steps.take(this.noted, (found) => {
      fence(found, epoch);
      const late = found.items.filter((item) => isExpired(item, nowMs));
      const state = refusedHere('expired', MESSAGES.expired, nowMs);
      return { result: null, puts: late.map((item) => ({ ...item, state })) };
    });
    return change;
  }

  async seen(cursor: Cursor): Promise<OutboxChange> {
    const { change } = await this.steps.take(this.noted, ({ items }) => {
      const after = items.map((item) => ({ item, next: afterSeen(item, cursor) }));
      return {
        result: null,
        deletes: after.filter(({ next }) => next === 'gone').map(({ item }) => item),
        puts: after.flatMap(({ next }) => (next === null || next === 'gone' ? [] : [next])),
      };
    });
    return change;
  }

  async remove(orders: readonly number[], mayGo: (item: OutboxItem) => boolean): Promise<OutboxChange> {
    const wanted = new Set(orders);
    const { change } = await this.steps.take(this.written, ({ items }) => ({
      result: null,
      deletes: items.filter((item) => wanted.has(item.order) && mayGo(item)),
    }));
    return change;
  }

  async replace(orders: readonly number[], drafts: readonly Draft[]): Promise<OutboxChange> {
    this.steps.forget();
    const { change } = await this.steps.take(this.written, ({ items }) => {
      const deletes = items.filter(({ order, state }) => orders.includes(order) && state.kind === 'refused');
      // Another tab was quicker: doing it twice would be two commands.
      if (deletes.length < orders.length) throw new AppError('conflict', MESSAGES.notRefused);
      return { result: null, deletes, adds: [...drafts] };
    });
    return change;
  }

  async newDevice(epoch: number): Promise<OutboxChange> {
    const { change } = await this.steps.take(this.noted, (found) => {
      fence(found, epoch);
      const facts = { ...found.facts, deviceId: this.parts.newId(), nextSeq: 1 };
      return { result: null, puts: unsent(found.items), facts };
    });
    return change;
  }

  close(): void {
    this.written.db.close();
    this.noted.db.close();
  }
}

/** The outbox of one user on this device. */
export function openOutboxStore(parts: OutboxStoreParts): OutboxStore {
  return coalescing(new DexieOutboxStore(parts));
}
