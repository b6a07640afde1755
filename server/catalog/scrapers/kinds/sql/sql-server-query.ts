/**
 * A query of a SQL Server. It knows no transaction that can only read: what a statement changes is rolled back, and its
 * login should be one that may only read (docs/logs.md).
 */
import { connect } from 'node:net';
import { CONNECT_LIMIT_MS, MAX_ROWS, plainRow, QUERY_LIMIT_MS, tlsOf } from './sql-target.ts';
import type { SqlQuery, SqlRows, SqlStatement, SqlTarget } from './sql-target.ts';

type Tedious = typeof import('tedious');
type SqlServer = InstanceType<Tedious['Connection']>;
type Failed = Error | null | undefined;

function connectionOf({ Connection }: Tedious, target: SqlTarget): SqlServer {
  const tls = tlsOf(target);
  const { host, address, port, database, username, password } = target;
  const connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: username, password } },
    options: {
      port,
      database,
      connectTimeout: CONNECT_LIMIT_MS,
      requestTimeout: QUERY_LIMIT_MS,
      appName: 'holdfast',
      encrypt: tls !== false,
      trustServerCertificate: tls === false || !tls.rejectUnauthorized,
      useColumnNames: false,
      useUTC: true,
      // To the judged address, whatever the name leads to by now.
      connector: () =>
        new Promise((resolve, reject) => {
          const socket = connect({ host: address, port });
          socket.once('connect', () => resolve(socket));
          socket.once('error', reject);
        }),
    },
  });
  connection.on('error', () => undefined);
  return connection;
}

const called = (call: (done: (error: Failed) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

function rowsOf(
  { Request, TYPES }: Tedious,
  connection: SqlServer,
  { text, values }: SqlStatement,
): Promise<SqlRows> {
  return new Promise((resolve, reject) => {
    const rows: SqlRows['rows'] = [];
    let isCut = false;
    const request = new Request(text, (error: Failed) => {
      if (error && !isCut) reject(error);
      else resolve({ rows, isCut });
    });
    for (const [at, value] of values.entries())
      request.addParameter(`p${at + 1}`, typeof value === 'number' ? TYPES.Int : TYPES.NVarChar, value);
    request.on('row', (columns: { metadata: { colName: string }; value: unknown }[]) => {
      if (isCut) return;
      if (rows.length >= MAX_ROWS) {
        isCut = true;
        connection.cancel();
        return;
      }
      rows.push(plainRow(Object.fromEntries(columns.map((one) => [one.metadata.colName, one.value]))));
    });
    connection.execSql(request);
  });
}

/** See the head of this file. */
export const querySqlServer: SqlQuery = async (target, statement, signal) => {
  const tedious = await import('tedious');
  const connection = connectionOf(tedious, target);
  const stop = () => connection.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await called((done) => connection.connect(done));
    signal.throwIfAborted();
    await called((done) => connection.beginTransaction(done));
    const found = await rowsOf(tedious, connection, statement);
    await called((done) => connection.rollbackTransaction(done));
    return found;
  } finally {
    signal.removeEventListener('abort', stop);
    connection.close();
  }
};
