/** clickhouse: the rows of one query by ClickHouse's HTTP interface, which is told to read only. */
import { z } from 'zod';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ClickhouseEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import { signInWith } from '../../../../connections/secret-scope.ts';
import type { ScrapeContext, ScraperKind } from '../../specs/scraped.ts';
import { callJson, namedConnection, serviceAddress } from '../services/json-call.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { MAX_ROWS, QUERY_LIMIT_MS } from '../sql/sql-target.ts';

const answerSchema = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

async function scrape(entry: ClickhouseEntry, context: ScrapeContext) {
  const connection = await namedConnection(entry.connection, context);
  const given = entry.url ?? entry.clickhouseURL;
  if (connection === null && given === undefined)
    throw new AppError('invalid', 'url: is required, or a connection');
  const url = serviceAddress({ endpoint: given, usual: '', connection }, context);
  if (!/^https?:$/.test(url.protocol))
    throw new AppError('invalid', 'url: is not the http:// or https:// address of its HTTP interface');
  const own =
    connection === null ? signInWith({ url: url.href, username: '', password: '' }) : signInWith(connection);
  const username = (entry.username === undefined ? '' : await context.secret(entry.username)) || own.username;
  const password = (entry.password === undefined ? '' : await context.secret(entry.password)) || own.password;
  url.username = '';
  url.password = '';
  const limits = {
    default_format: 'JSON',
    // Reads only; 1 would refuse the other settings, too.
    readonly: '2',
    max_result_rows: String(MAX_ROWS + 1),
    result_overflow_mode: 'break',
    max_execution_time: String(QUERY_LIMIT_MS / 1000),
  };
  for (const [name, value] of Object.entries(limits)) url.searchParams.set(name, value);
  const headers = {
    'content-type': 'text/plain',
    ...(username === '' ? {} : { 'x-clickhouse-user': username, 'x-clickhouse-key': password }),
  };
  const body = entry.query.trim().replace(/;\s*$/, '');
  const parsed = answerSchema.safeParse(await callJson('ClickHouse', { url, headers, body }, context));
  if (!parsed.success) throw new AppError('bad_payload', 'query: has another FORMAT than JSON; leave it out');
  const rows = parsed.data.data.slice(0, MAX_ROWS);
  const isCut = parsed.data.data.length > MAX_ROWS;
  const source = `${url.host}${url.pathname}`;
  return output({
    documents: rows.map((row) => jsonDocument(row, source, {})),
    errors: isCut ? [`query: answered more than ${MAX_ROWS} rows; the rest is left out`] : [],
    isComplete: !isCut,
  });
}

/** See the head of this file. */
export const clickhouseKind: ScraperKind<ClickhouseEntry> = { kind: 'clickhouse', scrape };
