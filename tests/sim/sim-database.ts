/**
 * The database of a simulated world. It runs in a thread, so how long a call takes is nobody's choice; here each call
 * is a piece of work outside that the clock gives back in its turn, and transactions queue as on the one connection.
 */
import type { Database, Queryable, Transactions } from '../../server/platform/db/database.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Run = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const NAME_LENGTH = 60;

function nameOf(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim().slice(0, NAME_LENGTH);
}

function queryable(db: Queryable, run: Run): Queryable {
  return {
    rows: (row, sql, params) => run(nameOf(sql), () => db.rows(row, sql, params)),
    text: (...call) => run(nameOf(call[0]), () => db.text(...call)),
    run: (...call) => run(nameOf(call[0]), () => db.run(...call)),
    script: (sql) => run(nameOf(sql), () => db.script(sql)),
  };
}

interface Open {
  tx: Queryable;
  /** Ends it as its work ended; resolves when the database has done so. */
  end: (work: Promise<unknown>) => Promise<void>;
}

/** Begins a transaction and leaves it open. */
function begin(db: Database): Promise<Open> {
  return new Promise((resolve, reject) => {
    const whole = db.transaction(
      (tx) =>
        new Promise<void>((commit, fail) => {
          const end = async (work: Promise<unknown>) => {
            work.then(() => commit(), fail);
            await whole;
          };
          resolve({ tx, end });
        }),
    );
    whole.catch(reject);
  });
}

/** The same database, asked in the order of the clock's world. */
export function inTheWorldsOrder(db: Database, clock: () => VirtualClock): Database {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return clock().hold(mine, 'database');
  };
  const leaf: Run = (name, work) => clock().leaf(name, work);
  const transactions: Transactions = {
    kind: db.kind,
    ...queryable(db, (name, work) => inTurn(() => leaf(name, work))),
    transaction: (work) =>
      inTurn(async () => {
        const { tx, end } = await leaf('begin', () => begin(db));
        const done = work(queryable(tx, leaf));
        await done.catch(() => undefined);
        await leaf('end', () => end(done));
        return done;
      }),
  };
  // Nobody here asks for what takes long, and limits of real time would not be the same twice.
  return { ...transactions, asCaller: () => transactions, close: () => db.close() };
}
