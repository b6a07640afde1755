/** The port of the outbox's database: what it promises to those who write, show and send commands. */
import type { OutboxItem, OutboxState } from '../../../src/contract/outbox/outbox.ts';
import type { Cursor } from '../../../src/contract/sync.ts';

/** A command that has no place in the order yet. */
export type Draft = Omit<OutboxItem, 'order'>;

/** What readers of the outbox must be told. */
export interface OutboxChange {
  upserts: OutboxItem[];
  /** Command ids. */
  deletedIds: string[];
}

/** What became of an item. `failed`: the server's own fault; it is sent again under a new number. */
export interface Settlement {
  order: number;
  state: OutboxState;
  failed?: true;
}

/** Numbered items on their way, in the order of their numbers. */
export interface NumberedBatch {
  deviceId: string;
  items: OutboxItem[];
  /** Orders of those that had their number before: they may have arrived. */
  repeats: number[];
}

export interface OutboxStore {
  /** When this database was made, ms. */
  bornMs(): Promise<number>;
  /** By order of writing. */
  items(): Promise<OutboxItem[]>;
  /** `make` sees what is kept at that moment. */
  append(make: (items: readonly OutboxItem[]) => Draft): Promise<OutboxChange & { item: OutboxItem }>;
  /** Many in one go; `added` are their ids in the order in which they were made. */
  appendAll(make: (items: readonly OutboxItem[]) => Draft[]): Promise<OutboxChange & { added: string[] }>;
  /** Makes the caller the sender and every other one none; brings items of older versions up to date. */
  claim(): Promise<OutboxChange & { epoch: number }>;
  number(orders: readonly number[], epoch: number): Promise<OutboxChange & { batch: NumberedBatch }>;
  settle(settlements: readonly Settlement[], epoch: number): Promise<OutboxChange>;
  /** Refuses what would come too late (law 9). */
  expire(epoch: number): Promise<OutboxChange>;
  /** Removes what the feed has passed (law 5); what was done in another database is offered again (law 2). */
  seen(cursor: Cursor): Promise<OutboxChange>;
  /** Takes out those of them that may go as they are at that moment. */
  remove(orders: readonly number[], mayGo: (item: OutboxItem) => boolean): Promise<OutboxChange>;
  /** Takes refused items out and puts others at the end, at once; throws `conflict` when one isn't refused. */
  replace(orders: readonly number[], drafts: readonly Draft[]): Promise<OutboxChange>;
  /** Counts from 1 as somebody new; what was on its way waits again and goes under a new number. */
  newDevice(epoch: number): Promise<OutboxChange>;
  /** Somebody else wrote: what is remembered of the database may be old. */
  forget(): void;
  close(): void;
}
