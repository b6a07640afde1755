/**
 * sql: the rows of one query, in a transaction that can only read, limited in time and rows. The database's name
 * is resolved and judged by the guard, and the socket goes to the judged address.
 */
import type { SqlEntry } from '../../../../../src/contract/specs/scraper-spec.ts';
import type { RawDocument, ScrapeContext, ScrapeOutput, ScraperKind } from '../../specs/scraped.ts';
import { queryMysql } from './mysql-query.ts';
import { queryPostgres } from './postgres-query.ts';
import { sqlTargetOf } from './sql-place.ts';

async function scrape(entry: SqlEntry, context: ScrapeContext): Promise<ScrapeOutput> {
  const target = await sqlTargetOf(entry, context);
  const query = target.driver === 'postgres' ? queryPostgres : queryMysql;
  const statement = { text: entry.query.trim().replace(/;\s*$/, ''), values: [] };
  const { rows, isCut } = await query(target, statement, context.signal);
  const source = `${target.host}:${target.port}/${target.database}`;
  const documents = rows.map((content): RawDocument => ({ content, format: 'json', source, known: {} }));
  const errors = isCut ? [`query: answered more than ${rows.length} rows; the rest is left out`] : [];
  return { documents, changes: [], analyses: [], errors, isComplete: !isCut };
}

export const sqlKind: ScraperKind<SqlEntry> = { kind: 'sql', scrape };
