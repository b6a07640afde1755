/**
 * What the marks of a store vouch for (cursors, "whole" marks, coverage of runs): how far each collection's database was
 * written when a mark was set. It is noted before every mark, and compared with what is there before every pull, so
 * that whatever took something away (the browser, another tab, a power cut, damage) is found out and loaded again.
 */
import { z } from 'zod';
import type { CollectionName } from '../../../src/contract/collections.ts';
import { AppError, ERROR_TEXTS } from '../../../src/contract/errors.ts';
import type { KeyValue } from '../../store/key-value.ts';
import type { Stamp } from '../../store/packed-ledger.ts';

const NOTED = 'noted';
const notedSchema = z.record(z.string(), z.object({ generation: z.string(), writes: z.number() }).nullable());
type Noted = z.output<typeof notedSchema>;

const WRITING = 'writing';
const writingSchema = z.array(z.string());

/** What a store that can't keep a ledger by itself is told, and what it says before it writes. */
export interface WriteAhead {
  /** Throws `storage` unless this is what was noted, or what a write since may have left behind. */
  expect(found: string): Promise<void>;
  /** Of the same: which noted state this one stands for; itself when it stands for none. */
  noted(found: string): Promise<string>;
  /** False when that many rows are neither what was noted nor what a write since may have left behind. */
  isCounted(count: number): Promise<boolean>;
  /** Said before a write that leads from one state to others, each of which a crash may leave behind. */
  begin(from: string, to: readonly string[]): Promise<void>;
}

export interface VouchedStore {
  /** How far it was written; throws `storage` when it holds something else than was written. */
  stamp(options: { isThorough: boolean }): Promise<Stamp | null | 'unread'>;
  /** As of the last change that this worker made. */
  written(): Stamp | null;
}

export interface StoreVouchParts {
  meta: KeyValue;
  idb: IDBFactory;
  /** By the names of their databases; collections in RxDB, which makes its own, by `rxdbPlace`. */
  stores: Map<string, VouchedStore>;
}

const IN_RXDB = 'rxdb:';

/** Under what a collection is noted that is in RxDB. */
export function rxdbPlace(collection: CollectionName): string {
  return `${IN_RXDB}${collection}`;
}

function isBehind(found: Stamp | null, noted: Stamp): boolean {
  return found === null || found.generation !== noted.generation || found.writes < noted.writes;
}

function lost(name: string): AppError {
  return new AppError('storage', ERROR_TEXTS.storage, {
    cause: new Error(`${name} lacks what was written there`),
  });
}

/** One for a store in each worker. */
export class StoreVouch {
  private readonly parts: StoreVouchParts;
  private noted: Promise<Noted> | null = null;
  /** What this worker wrote last, as far as it is noted. */
  private readonly taken = new Map<string, Stamp>();

  constructor(parts: StoreVouchParts) {
    this.parts = parts;
  }

  /** Another worker may have written since: what it noted is read again. */
  reload(): void {
    this.noted = null;
    for (const [name, store] of this.parts.stores) {
      const stamp = store.written();
      if (stamp !== null) this.taken.set(name, stamp);
    }
  }

  /** Sets a mark, and in the same moment notes how far everything is written that it may vouch for. */
  async mark(key: string, value: unknown): Promise<void> {
    const before = await this.read();
    const stamps = [...this.parts.stores].flatMap(([name, store]) => {
      const stamp = store.written();
      return stamp === null || this.taken.get(name) === stamp ? [] : [[name, stamp] as const];
    });
    const noted = { ...before, ...Object.fromEntries(stamps) };
    const isNothing = Object.keys(noted).length === 0;
    await this.parts.meta.setAll({ ...(isNothing ? {} : { [NOTED]: noted }), [key]: value });
    // Remembered when it is on the disk, which may be full.
    Object.assign(before, Object.fromEntries(stamps));
    for (const [name, stamp] of stamps) this.taken.set(name, stamp);
  }

  /** Throws `storage` when something was noted of a database that was made just now. */
  async refuseNoted(name: string): Promise<void> {
    const noted = await this.read();
    if ((noted[name] ?? null) !== null) throw lost(name);
  }

  /** Throws `storage` when a database lacks something that was noted, or isn't what it says. */
  async verify(options: { isThorough: boolean }): Promise<void> {
    const { idb, stores } = this.parts;
    const noted = await this.read();
    const there = new Set((await idb.databases()).map(({ name }) => name));
    for (const [name, store] of stores) {
      const vouched = noted[name] ?? null;
      // RxDB finds nothing where its database was removed; where nothing was noted, it isn't asked.
      if (name.startsWith(IN_RXDB) ? vouched === null : !there.has(name)) {
        if (vouched !== null) throw lost(name);
        continue;
      }
      const found = await store.stamp(options);
      if (vouched !== null && found !== 'unread' && isBehind(found, vouched)) throw lost(name);
    }
  }

  /** For the store of that place, whose states are told apart by their `generation`. */
  writeAhead(name: string): WriteAhead {
    const key = `${WRITING}:${name}`;
    const vouched = async () => (await this.read())[name]?.generation ?? null;
    const under = async (): Promise<string[]> => {
      const parsed = writingSchema.safeParse(await this.parts.meta.get(key));
      return parsed.success ? parsed.data : [];
    };
    const noted = async (found: string) => {
      const generation = await vouched();
      if (generation === null || generation === found) return found;
      // A mark that was set since stands for the last of them alone.
      const [from, ...states] = await under();
      return from === generation && states.includes(found) ? generation : found;
    };
    return {
      noted,
      async isCounted(count) {
        const generation = await vouched();
        if (generation === null) return true;
        const [from, ...states] = await under();
        const possible = from === generation ? [generation, ...states] : [generation];
        return possible.some((state) => Number.parseInt(state, 10) === count);
      },
      async expect(found) {
        const generation = await vouched();
        if (generation !== null && (await noted(found)) !== generation) throw lost(name);
      },
      begin: async (from, to) => {
        const generation = await vouched();
        if (generation === null) return;
        const before = generation === from ? [from] : await under();
        await this.parts.meta.set(key, [...new Set([...before, ...to])]);
      },
    };
  }

  private read(): Promise<Noted> {
    this.noted ??= this.parts.meta.get(NOTED).then((value) => {
      const parsed = notedSchema.safeParse(value);
      return parsed.success ? parsed.data : {};
    });
    return this.noted;
  }
}

/** The same facts, of which each that is set vouches for what is kept at that moment. */
export function vouchingFacts(meta: KeyValue, vouch: StoreVouch): KeyValue {
  return { ...meta, set: (key, value) => vouch.mark(key, value) };
}
