/** The database port on a PostgreSQL server, through a pool of connections. */
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database, Queryable, SqlValue } from './database.ts';
import { DatabaseError, databaseErrorFacts } from './database-error.ts';
import { SCRIPT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS, asJsonRows, encodeParameter } from './sql-text.ts';

export interface PostgresOptions {
  url: string;
  logger: Logger;
  statementTimeoutMs?: number;
  /** Runs after the pool is closed (stops an embedded server). */
  afterClose?: () => Promise<void>;
}

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;

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
    throw new DatabaseError(databaseErrorFacts(error), error);
  }
}

function firstText(rows: unknown[][]): string | null {
  const value = rows[0]?.[0];
  return typeof value === 'string' ? value : null;
}

function createQueryable(runner: Runner, runScript: (sql: string) => Promise<void>): Queryable {
  return {
    async rows<Row>(sql: string, params: readonly SqlValue[] = []) {
      const { rows } = await execute(runner, asJsonRows(sql), params);
      // The database's own JSON of the rows that the caller described.
      return JSON.parse(firstText(rows) ?? '[]') as Row[];
    },
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

/** Connects to the server of the URL; fails when it cannot be reached. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const limitMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: limitMs,
    options: '-c timezone=UTC',
  });
  // An idle connection that breaks is replaced by the pool on the next call.
  pool.on('error', (error) => options.logger.warn({ err: error }, 'a database connection was lost'));

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new DatabaseError(databaseErrorFacts(error), error);
    }
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // A connection after an error of its own is not given to the next caller.
      client.release(failure instanceof DatabaseError && failure.retryable);
    }
  };

  const database: Database = {
    kind: 'postgres',
    ...createQueryable({ query: (query) => withClient((client) => client.query(query)) }, (sql) =>
      withClient((client) => inTransaction(client, (tx) => tx.script(sql))),
    ),
    transaction: (work) => withClient((client) => inTransaction(client, work)),
    async close() {
      await pool.end();
      await options.afterClose?.();
    },
  };
  try {
    await database.text('select 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return database;
}
