/** One statement at a database, ended there when it is to end: PostgreSQL, MySQL, SQL Server. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Connection as MysqlConnection } from 'mysql2';
import { Client, Query } from 'pg';
import { AppError } from '../../../src/contract/errors.ts';
import { CONNECT_LIMIT_MS, tlsOf, type SqlTarget } from '../../catalog/scrapers/kinds/sql/sql-target.ts';
import type { SqlText } from '../templates/sql-text.ts';
import { FirstRows } from './sql-rows.ts';
import type { SqlAnswer } from './sql-rows.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

export interface SqlPlace extends Omit<SqlTarget, 'driver'> {
  timeoutMs: number;
}

export type SqlClient = (place: SqlPlace, statement: SqlText, signal: AbortSignal) => Promise<SqlAnswer>;

function pgClient(place: SqlPlace): Client {
  const client = new Client({
    host: place.address,
    port: place.port,
    user: place.username,
    password: place.password,
    database: place.database || 'postgres',
    ssl: tlsOf({ ...place, driver: 'postgres' }),
    application_name: 'holdfast-playbook',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  // A connection that breaks later than the statement is no news; without a listener it would end the process.
  client.on('error', () => undefined);
  return client;
}

/** A statement goes on in the database when nobody listens any more: it is told to stop. */
async function stopBackend(place: SqlPlace, pid: number): Promise<void> {
  const other = pgClient(place);
  await other.connect();
  try {
    await other.query('select pg_cancel_backend($1)', [pid]);
  } finally {
    await other.end();
  }
}

function postgresAnswer(
  client: Client,
  { query, parameters }: SqlText,
  stop: () => void,
): Promise<SqlAnswer> {
  return new Promise((resolve, reject) => {
    const first = new FirstRows(query, () => {
      stop();
      resolve(first.answer());
    });
    // The extended protocol takes one statement, and parameters that are never text of it.
    const config = { text: query, values: parameters, queryMode: 'extended' };
    const asked = client.query(new Query<Record<string, unknown>>(config));
    asked.on('row', (row) => first.add(row));
    asked.on('error', reject);
    asked.on('end', ({ rowCount }) => resolve(first.answer(rowCount ?? undefined)));
  });
}

const askPostgres: SqlClient = async (place, statement, signal) => {
  const client = pgClient(place);
  let stopping: Promise<unknown> = Promise.resolve();
  await client.connect();
  const pid = 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
  const stop = () => {
    if (pid !== null) stopping = stopBackend(place, pid).catch(() => client.end());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await postgresAnswer(client, statement, stop);
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
    await client.end();
  }
};

function mysqlAnswer(
  connection: MysqlConnection,
  { query, parameters }: SqlText,
  stop: () => void,
): Promise<SqlAnswer> {
  return new Promise((resolve, reject) => {
    const first = new FirstRows(query, () => {
      stop();
      resolve(first.answer());
    });
    let touched: number | undefined;
    // A connection that breaks says it itself.
    connection.once('error', reject);
    const asked = connection.execute(query, parameters);
    asked.on('error', reject);
    asked.on('result', (found: object, list?: number) => {
      // Only a stored procedure answers several lists; its first one is what was asked for.
      if (list === 0) first.add(Object.fromEntries(Object.entries(found)));
      else if (list === undefined && 'affectedRows' in found) touched = Number(found.affectedRows);
    });
    let hasRows = false;
    asked.on('fields', (fields: unknown) => {
      hasRows ||= fields !== undefined;
    });
    asked.on('end', () => resolve(first.answer(hasRows ? undefined : touched)));
  });
}

const askMysql: SqlClient = async (place, statement, signal) => {
  const { createConnection } = await import('mysql2');
  const tls = tlsOf({ ...place, driver: 'mysql' });
  const open = async () => {
    const opened = createConnection({
      host: place.address,
      port: place.port,
      user: place.username,
      password: place.password,
      database: place.database,
      connectTimeout: CONNECT_LIMIT_MS,
      multipleStatements: false,
      // The server may not ask for files of ours.
      flags: ['-LOCAL_FILES'],
      ...(tls === false ? {} : { ssl: tls }),
    });
    opened.on('error', () => undefined);
    await opened.promise().connect();
    return opened;
  };
  const connection = await open();
  const kill = async () => {
    const other = await open();
    try {
      await other.promise().query(`kill query ${connection.threadId}`);
    } finally {
      other.destroy();
    }
  };
  let stopping: Promise<unknown> = Promise.resolve();
  const stop = () => {
    stopping = kill().catch(() => connection.destroy());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await mysqlAnswer(connection, statement, stop);
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
    connection.destroy();
  }
};

/** To the judged address, whatever the name leads to by now; given up as the rest of connecting is. */
function socketTo({ address, port }: SqlPlace): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    socket.setTimeout(CONNECT_LIMIT_MS, () => socket.destroy(new Error('timed out while connecting')));
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

async function openSqlServer(place: SqlPlace, signal: AbortSignal) {
  const { Connection } = await import('tedious');
  const tls = tlsOf({ ...place, driver: 'postgres' });
  const connection = new Connection({
    server: place.host,
    authentication: { type: 'default', options: { userName: place.username, password: place.password } },
    options: {
      port: place.port,
      database: place.database,
      connectTimeout: CONNECT_LIMIT_MS,
      requestTimeout: place.timeoutMs,
      appName: 'holdfast-playbook',
      encrypt: tls !== false,
      trustServerCertificate: tls === false || !tls.rejectUnauthorized,
      useColumnNames: false,
      connector: () => socketTo(place),
    },
  });
  connection.on('error', () => undefined);
  let giveUp: () => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      giveUp = () => reject(new AppError('invalid', 'aborted while connecting'));
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      connection.connect((error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
  return connection;
}

const askSqlServer: SqlClient = async (place, { query, parameters }, signal) => {
  const { Request, TYPES } = await import('tedious');
  const connection = await openSqlServer(place, signal);
  const stop = () => connection.cancel();
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    return await new Promise<SqlAnswer>((resolve, reject) => {
      const first = new FirstRows(query, () => connection.cancel());
      const request = new Request(query, (error, count = 0) => {
        if (first.isEnded || error === undefined || error === null) resolve(first.answer(count));
        else reject(error);
      });
      for (const [at, value] of parameters.entries())
        request.addParameter(`p${at + 1}`, TYPES.NVarChar, value);
      request.on('row', (columns: { metadata: { colName: string }; value: unknown }[]) => {
        first.add(Object.fromEntries(columns.map((column) => [column.metadata.colName, column.value])));
      });
      connection.execSql(request);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    connection.close();
  }
};

export interface SqlDriver {
  port: number;
  placeholder: (number: number) => string;
  ask: SqlClient;
}

const POSTGRES: SqlDriver = { port: 5432, placeholder: (number) => `$${number}`, ask: askPostgres };
const MYSQL: SqlDriver = { port: 3306, placeholder: () => '?', ask: askMysql };
const SQL_SERVER: SqlDriver = { port: 1433, placeholder: (number) => `@p${number}`, ask: askSqlServer };

const DRIVERS = lookupTable<SqlDriver>({
  postgres: POSTGRES,
  postgresql: POSTGRES,
  mysql: MYSQL,
  mssql: SQL_SERVER,
  sqlserver: SQL_SERVER,
  sql_server: SQL_SERVER,
});

/** The driver of that name; throws `invalid` for another one. */
export function sqlDriver(name: string): SqlDriver {
  const key = name.trim().toLowerCase();
  const driver = DRIVERS[key];
  if (driver === undefined)
    throw new AppError('invalid', `sql.driver: "${name}" is not one of postgres, mysql and mssql`);
  return driver;
}
