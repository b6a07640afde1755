/**
 * sql: the rows of one query, which can only read, limited in time and rows. The database's name
 * is resolved and judged by the guard, and the socket goes to the judged address.
 */
import type { SqlEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import type { RawDocument, ScrapeContext, ScrapeOutput, ScraperKind } from '../../specs/scraped.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { queryMysql } from './mysql-query.ts';
import { queryPostgres } from './postgres-query.ts';
import { isOnlyReading } from './reading-statement.ts';
import { sqlTargetOf } from './sql-place.ts';
import { querySqlServer } from './sql-server-query.ts';
import type { SqlQuery } from './sql-target.ts';

/** SQL Server has no transaction that can only read: its statement has to say so itself, and is rolled back. */
const queryOnlyReading: SqlQuery = (target, statement, signal) => {
  if (!isOnlyReading(statement.text))
    throw new AppError('invalid', 'query: must be one statement that certainly only reads, such as SELECT');
  return querySqlServer(target, statement, signal);
};

const QUERIES = { postgres: queryPostgres, mysql: queryMysql, sqlserver: queryOnlyReading };

async function scrape(entry: SqlEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const target = await sqlTargetOf(entry, context, ['postgres', 'mysql', 'sqlserver']);
  const query = QUERIES[target.driver];
  const statement = { text: entry.query.trim().replace(/;\s*$/, ''), values: [] };
  const { rows, isCut } = await query(target, statement, context.signal);
  const source = `${target.host}:${target.port}/${target.database}`;
  const documents = rows.map((content): RawDocument => ({ content, format: 'json', source, known: {} }));
  const errors = isCut ? [`query: answered more than ${rows.length} rows; the rest is left out`] : [];
  return { documents, changes: [], analyses: [], errors, isComplete: !isCut };
}

export const sqlKind: ScraperKind<SqlEntry> = { kind: 'sql', scrape };
