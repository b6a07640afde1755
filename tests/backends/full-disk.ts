/** For tests only: a disk without room, as browsers show it: requests succeed, and the transaction is aborted when it ends. */

const FAILURE = 'QuotaExceededError';

interface Disk {
  /** Whether what is written to the database of that name is refused. */
  refuses: (database: string) => boolean;
  /** Transactions that were aborted. */
  refused: number;
  uninstall: () => void;
}

/** Replaces transactions of all databases in this process. */
export function installDisk(): Disk {
  const transaction = Reflect.get(IDBDatabase.prototype, 'transaction') as IDBDatabase['transaction'];
  const disk: Disk = {
    refuses: () => false,
    refused: 0,
    uninstall: () => {
      IDBDatabase.prototype.transaction = transaction;
    },
  };
  IDBDatabase.prototype.transaction = function begin(this: IDBDatabase, ...asked) {
    const begun = transaction.apply(this, asked);
    if (begun.mode !== 'readwrite') return begun;
    const dispatch = begun.dispatchEvent.bind(begun);
    begun.dispatchEvent = (event) => {
      if (event.type !== 'complete' || !disk.refuses(this.name)) return dispatch(event);
      disk.refused += 1;
      Reflect.apply(Reflect.get(begun, '_abort') as (name: string) => void, begun, [FAILURE]);
      return true;
    };
    return begun;
  };
  return disk;
}
