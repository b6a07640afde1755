/** For tests only: a disk without room, as browsers show it: requests succeed, and the transaction is aborted when it ends. */

const FAILURE = 'QuotaExceededError';

/** Replaces transactions of all databases in this process; nothing that is written is kept while `isFull`. */
export function installDisk(): { isFull: boolean; refused: number; uninstall: () => void } {
  const transaction = Reflect.get(IDBDatabase.prototype, 'transaction') as IDBDatabase['transaction'];
  const disk = {
    isFull: false,
    /** Transactions that were aborted. */
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
      if (event.type !== 'complete' || !disk.isFull) return dispatch(event);
      disk.refused += 1;
      Reflect.apply(Reflect.get(begun, '_abort') as (name: string) => void, begun, [FAILURE]);
      return true;
    };
    return begun;
  };
  return disk;
}
