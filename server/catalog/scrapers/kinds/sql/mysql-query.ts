/** A query of a MySQL that is scraped. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { isReadingStatement } from './reading-statement.ts';
import type { SqlQuery, SqlRows } from './sql-target.ts';
import { CONNECT_LIMIT_MS, MAX_ROWS, QUERY_LIMIT_MS, plainRow, tlsOf } from './sql-target.ts';

/** A transaction that can only read is ended by statements that commit by themselves, and then they change. */
function refuseChanging(text: string): void {
  if (isReadingStatement(text)) return;
  throw new AppError(
    'invalid',
    'query: must read only: begin it with SELECT, WITH, SHOW, TABLE, VALUES, EXPLAIN or DESCRIBE',
  );
}

/**
 * The rows of the query, as a stream that stops at the limit; the session can only read. Throws `invalid` for another
 * statement.
 */
export const queryMysql: SqlQuery = async (target, { text, values }, signal) => {
  refuseChanging(text);
  const { createConnection } = await import('mysql2');
  const tls = tlsOf(target);
  const connection = createConnection({
    host: target.address,
    port: target.port,
    user: target.username,
    password: target.password,
    database: target.database,
    connectTimeout: CONNECT_LIMIT_MS,
    multipleStatements: false,
    // Times without a zone are UTC.
    timezone: 'Z',
    // The server may not ask for files of ours.
    flags: ['-LOCAL_FILES'],
    ...(tls === false ? {} : { ssl: tls }),
  });
  const isLate = AbortSignal.any([signal, AbortSignal.timeout(QUERY_LIMIT_MS)]);
  const stop = () => connection.destroy();
  isLate.addEventListener('abort', stop, { once: true });
  connection.on('error', () => undefined);
  try {
    await connection.promise().query("set time_zone = '+00:00'");
    await connection.promise().query('start transaction read only');
    const rows: SqlRows['rows'] = [];
    for await (const row of connection.query(text, values).stream() as AsyncIterable<
      Record<string, unknown>
    >) {
      if (rows.length >= MAX_ROWS) return { rows, isCut: true };
      rows.push(plainRow(row));
    }
    isLate.throwIfAborted();
    return { rows, isCut: false };
  } finally {
    isLate.removeEventListener('abort', stop);
    connection.destroy();
  }
};
