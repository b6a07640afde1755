/** A query of a PostgreSQL that is scraped. */
import { Client } from 'pg';
import type { SqlQuery, SqlTarget } from './sql-target.ts';
import { CONNECT_LIMIT_MS, MAX_ROWS, QUERY_LIMIT_MS, plainRow, tlsOf } from './sql-target.ts';

function clientOf(target: SqlTarget): Client {
  const client = new Client({
    host: target.address,
    port: target.port,
    user: target.username,
    password: target.password,
    database: target.database || 'postgres',
    ssl: tlsOf(target),
    application_name: 'holdfast',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: QUERY_LIMIT_MS,
    statement_timeout: QUERY_LIMIT_MS,
  });
  // A connection that breaks later than the query is no news; without a listener it would end the process.
  client.on('error', () => undefined);
  return client;
}

/**
 * The rows of the query, through a cursor, so that a large table is not read whole. The extended protocol takes
 * one statement only: nothing in the query can end the transaction that only reads.
 */
export const queryPostgres: SqlQuery = async (target, { text, values }, signal) => {
  const client = clientOf(target);
  const stop = () => void client.end();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect();
    await client.query('begin transaction read only');
    const declare = { text: `declare scraped no scroll cursor for ${text}`, values, queryMode: 'extended' };
    await client.query(declare);
    const found = await client.query<Record<string, unknown>>(`fetch ${MAX_ROWS + 1} from scraped`);
    return { rows: found.rows.slice(0, MAX_ROWS).map(plainRow), isCut: found.rows.length > MAX_ROWS };
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end();
  }
};
