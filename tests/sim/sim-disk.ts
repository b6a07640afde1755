/**
 * The IndexedDB of one simulated device. It outlives its workers; each worker has a door of its own, so that a
 * crash ends exactly that worker's transactions, as a browser does: uncommitted ones never were.
 */
import { IDBFactory as FakeFactory } from 'fake-indexeddb';
import type { ProcessGuard } from './process-guard.ts';

/** A request that is never answered: what a dead worker asked for. */
function silence(): IDBOpenDBRequest {
  return new EventTarget() as IDBOpenDBRequest;
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the request failed')));
  });
}

/** What may be made impossible from outside. */
export interface DiskFaults {
  /** Deleting a database does nothing. */
  isDeletionIgnored: boolean;
}

export class SimDisk {
  readonly faults: DiskFaults = { isDeletionIgnored: false };
  private files: IDBFactory = new FakeFactory();
  private readonly connections = new Map<IDBDatabase, Set<IDBTransaction>>();

  /** What the worker of that lifeline sees of this disk. */
  door(life: ProcessGuard): IDBFactory {
    const mine = new Set<IDBDatabase>();
    life.atDeath(() => {
      for (const connection of mine) this.cut(connection);
    });
    const open = (name: string, version?: number): IDBOpenDBRequest => {
      if (life.isDead) return silence();
      const request = version === undefined ? this.files.open(name) : this.files.open(name, version);
      request.addEventListener('upgradeneeded', () => this.watch(request.result, mine));
      request.addEventListener('success', () => {
        this.watch(request.result, mine);
        if (life.isDead) this.cut(request.result);
      });
      return request;
    };
    const deleteDatabase = (name: string): IDBOpenDBRequest => {
      if (life.isDead) return silence();
      // Opened and left as it is: the caller hears of success.
      return this.faults.isDeletionIgnored ? this.files.open(name) : this.files.deleteDatabase(name);
    };
    return {
      open,
      deleteDatabase,
      databases: () => life.pass(this.files.databases()),
      cmp: (first, second) => this.files.cmp(first, second),
    };
  }

  async databaseNames(): Promise<string[]> {
    return (await this.files.databases()).flatMap(({ name }) => name ?? []);
  }

  /** Runs something on a database as nobody's worker; the database is made when there is none. */
  async visit<T>(name: string, look: (db: IDBDatabase) => Promise<T>): Promise<T> {
    const db = await settled(this.files.open(name));
    try {
      return await look(db);
    } finally {
      db.close();
    }
  }

  /** Everything in a database, by table. */
  readAll(name: string): Promise<Record<string, unknown[]>> {
    return this.visit(name, async (db) => {
      const tables = [...db.objectStoreNames];
      if (tables.length === 0) return {};
      const transaction = db.transaction(tables, 'readonly');
      const contents = tables.map((table) => settled<unknown[]>(transaction.objectStore(table).getAll()));
      const rows = await Promise.all(contents);
      return Object.fromEntries(tables.map((table, at) => [table, rows[at] ?? []]));
    });
  }

  /** Changes every record of a table from outside; a record for which null comes back is removed. */
  rewrite(
    name: string,
    table: string,
    change: (value: Record<string, unknown>) => Record<string, unknown> | null,
  ): Promise<void> {
    return this.visit(name, async (db) => {
      if (!db.objectStoreNames.contains(table)) return;
      const store = db.transaction([table], 'readwrite').objectStore(table);
      const [keys, values] = await Promise.all([
        settled(store.getAllKeys()),
        settled<Record<string, unknown>[]>(store.getAll()),
      ]);
      for (const [at, value] of values.entries()) {
        const changed = change(value);
        if (changed === null) await settled(store.delete(keys[at] ?? at));
        else if (changed !== value)
          await settled(store.put(changed, store.keyPath === null ? keys[at] : undefined));
      }
    });
  }

  /** The browser throws everything of this origin away. */
  evict(): void {
    this.cutAll();
    this.files = new FakeFactory();
  }

  /** One database is deleted by somebody else while it may be open. */
  async remove(name: string): Promise<void> {
    this.cutAll();
    await settled(this.files.deleteDatabase(name));
  }

  /** A newer version of the app was here. */
  async raiseVersion(name: string): Promise<void> {
    this.cutAll();
    const before = await this.visit(name, (db) => Promise.resolve(db.version));
    const db = await settled(this.files.open(name, before + 1000));
    db.close();
  }

  /** For the raw readers of the program. */
  raw(): IDBFactory {
    return this.files;
  }

  private watch(connection: IDBDatabase, mine: Set<IDBDatabase>): void {
    if (this.connections.has(connection)) return;
    const active = new Set<IDBTransaction>();
    this.connections.set(connection, active);
    mine.add(connection);
    const begin = connection.transaction.bind(connection);
    connection.transaction = (...request: Parameters<IDBDatabase['transaction']>) => {
      const transaction = begin(...request);
      active.add(transaction);
      const end = () => active.delete(transaction);
      transaction.addEventListener('complete', end);
      transaction.addEventListener('abort', end);
      return transaction;
    };
  }

  private cut(connection: IDBDatabase): void {
    for (const transaction of this.connections.get(connection) ?? []) {
      try {
        transaction.abort();
      } catch (error) {
        // It committed in this very turn: then it counts.
        if (!(error instanceof Error) || error.name !== 'InvalidStateError') throw error;
      }
    }
    this.connections.delete(connection);
    connection.close();
  }

  /** The browser closes every connection and says so. */
  private cutAll(): void {
    for (const connection of Array.from(this.connections.keys())) {
      this.cut(connection);
      connection.onclose?.(new Event('close'));
    }
  }
}
