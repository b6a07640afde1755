/** The database port on a PostgreSQL server, through a pool of connections. */
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError } from '../../../src/contract/errors.ts';
import { callerGone, createCallerGate } from './caller-gate.ts';
import type { Caller, Database, Queryable, SqlValue, Transactions } from './database.ts';
import { DatabaseError, QUERY_CANCELED, databaseErrorFacts } from './database-error.ts';
import { createRowReader } from './row-schema.ts';
import {
  CALLER_PLACES,
  CALLER_QUEUE,
  CALLER_TIMEOUT_MS,
  SCRIPT_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
  encodeParameter,
} from './sql-text.ts';

export interface PostgresOptions {
  url: string;
  logger: Logger;
  statementTimeoutMs?: number;
  /** Without TLS, whatever the environment asks for (`PGSSLMODE`); else the URL and the environment say. */
  isPlain?: boolean;
  /** Runs after the pool is closed (stops an embedded server). */
  afterClose?: () => Promise<void>;
}

const POOL_SIZE = 10;
/** Connections of their own for what callers ask for: the server's own work always finds one of the others. */
const CALLER_POOL_SIZE = 5;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server that was frozen in the middle of a transaction must not hold its rows from those that go on. */
const IDLE_TRANSACTION_MS = 12_000;

/** Values stay the text that PostgreSQL sent. */
const textTypes = { getTypeParser: () => (value: unknown) => value };

interface Runner {
  query(query: {
    text: string;
    values?: (string | null)[];
    rowMode: 'array';
    types: typeof textTypes;
  }): Promise<{
    rows: unknown[][];
    rowCount: number | null;
  }>;
}

async function execute(runner: Runner, text: string, params: readonly SqlValue[]) {
  try {
    return await runner.query({
      text,
      values: params.map(encodeParameter),
      rowMode: 'array',
      types: textTypes,
    });
  } catch (error) {
    // Who has to wait for his turn, or is gone, was not refused by the database.
    throw error instanceof AppError ? error : new DatabaseError(databaseErrorFacts(error), error);
  }
}

function firstText(rows: unknown[][]): string | null {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : null;
}

function createQueryable(runner: Runner, runScript: (sql: string) => Promise<void>): Queryable {
  return {
    rows: createRowReader(async (sql, params) => firstText((await execute(runner, sql, params)).rows)),
    text: async (sql, params = []) => firstText((await execute(runner, sql, params)).rows),
    run: async (sql, params = []) => (await execute(runner, sql, params)).rowCount ?? 0,
    script: runScript,
  };
}

async function runScript(client: pg.PoolClient, sql: string): Promise<void> {
  try {
    await client.query(`set local statement_timeout = ${SCRIPT_TIMEOUT_MS}`);
    await client.query(sql);
  } catch (error) {
    throw new DatabaseError(databaseErrorFacts(error), error);
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const tx = createQueryable(client, (sql) => runScript(client, sql));
  await tx.run('begin');
  try {
    const result = await work(tx);
    await tx.run('commit');
    return result;
  } catch (error) {
    await tx.run('rollback');
    throw error;
  }
}

/** Gives work one of the pool's connections. */
type WithClient = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

function createWithClient(pool: pg.Pool, logger: Logger): WithClient {
  return async (work) => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new DatabaseError(databaseErrorFacts(error), error);
    }
    let failure: unknown;
    // A connection may be ended between two statements; without a listener that would end the process.
    const lost = (error: Error) =>
      logger.warn({ err: error }, 'a database connection was lost in a transaction');
    client.on('error', lost);
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.off('error', lost);
      // A connection after an error of its own is not given to the next caller.
      client.release(failure instanceof DatabaseError && failure.retryable);
    }
  };
}

function createTransactions(withClient: WithClient): Transactions {
  return {
    kind: 'postgres',
    ...createQueryable({ query: (query) => withClient((client) => client.query(query)) }, (sql) =>
      withClient((client) => inTransaction(client, (tx) => tx.script(sql))),
    ),
    transaction: (work) => withClient((client) => inTransaction(client, work)),
  };
}

/** Cancels what the connection runs; over another one, which is the only way that PostgreSQL has. */
async function cancelBackend(database: Queryable, client: pg.PoolClient): Promise<void> {
  // Its types leave out what every connected client has.
  const processId: unknown = Reflect.get(client, 'processID');
  if (typeof processId === 'number') await database.text('select pg_cancel_backend($1)::text', [processId]);
}

interface CallerDeps {
  withClient: WithClient;
  /** The server's own connections. */
  database: Queryable;
  logger: Logger;
}

/** Connections for callers: a few at a time, and none goes on for a caller who is gone. */
function createCallerAccess({ withClient, database, logger }: CallerDeps): (caller: Caller) => Transactions {
  const gate = createCallerGate({
    places: CALLER_POOL_SIZE,
    placesEach: CALLER_PLACES,
    waitingEach: CALLER_QUEUE,
  });
  const untilGone = async <T>(
    client: pg.PoolClient,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ) => {
    const cancelling: Promise<void>[] = [];
    const cancel = () => {
      const cancelled = cancelBackend(database, client).catch((error: unknown) => {
        logger.warn({ err: error }, 'a statement could not be cancelled');
      });
      cancelling.push(cancelled);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      if (signal?.aborted === true) throw callerGone();
      return await work();
    } catch (error) {
      const { sqlState } = error instanceof DatabaseError ? error : databaseErrorFacts(error);
      const isCancelled = sqlState === QUERY_CANCELED;
      throw isCancelled && signal?.aborted === true ? callerGone() : error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      // Else it could meet the next one who is given this connection.
      await Promise.all(cancelling);
    }
  };
  return (caller) =>
    createTransactions(async (work) => {
      const leave = await gate.enter(caller);
      try {
        return await withClient((client) => untilGone(client, caller.signal, () => work(client)));
      } finally {
        leave();
      }
    });
}

/** Connects to the server of the URL; fails when it cannot be reached. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { logger, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  let isClosing = false;
  const openPool = (max: number, limitMs: number) => {
    const pool = new pg.Pool({
      connectionString: options.url,
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: limitMs,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      options: '-c timezone=UTC',
      ...(options.isPlain === true ? { ssl: false } : {}),
    });
    // An idle connection that breaks is replaced by the pool on the next call.
    pool.on('error', (error) => {
      if (!isClosing) logger.warn({ err: error }, 'a database connection was lost');
    });
    return pool;
  };
  const pool = openPool(POOL_SIZE, statementTimeoutMs);
  const callerPool = openPool(CALLER_POOL_SIZE, Math.min(CALLER_TIMEOUT_MS, statementTimeoutMs));
  const transactions = createTransactions(createWithClient(pool, logger));
  const database: Database = {
    ...transactions,
    asCaller: createCallerAccess({
      withClient: createWithClient(callerPool, logger),
      database: transactions,
      logger,
    }),
    async close() {
      isClosing = true;
      await Promise.all([pool.end(), callerPool.end()]);
      await options.afterClose?.();
    },
  };
  try {
    await database.text('select 1');
  } catch (error) {
    await Promise.all([pool.end(), callerPool.end()]);
    throw error;
  }
  return database;
}
