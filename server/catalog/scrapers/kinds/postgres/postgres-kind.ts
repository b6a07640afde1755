/** postgres: a database with its schemas, tables and, with `permissions`, its roles and what they may do, as items. */
import { AppError } from '../../../../../src/contract/errors.ts';
import type { PostgresEntry } from '../../../../../src/contract/specs/scraper-services.ts';
import type { RawDocument, ScrapeContext, ScraperKind } from '../../specs/scraped.ts';
import { jsonDocument, output } from '../services/scraped-parts.ts';
import { queryPostgres } from '../sql/postgres-query.ts';
import { sqlTargetOf } from '../sql/sql-place.ts';
import { DATABASE_SQL, ROLES_SQL, TABLES_SQL } from './server-query.ts';

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

async function scrape(entry: PostgresEntry, context: ScrapeContext) {
  const target = await sqlTargetOf(entry, context, ['postgres']);
  const ask = async (text: string) => queryPostgres(target, { text, values: [] }, context.signal);
  const [database] = (await ask(DATABASE_SQL)).rows;
  if (database === undefined)
    throw new AppError('bad_payload', 'connection: the database says nothing of itself');
  const { rows: tables, isCut } = await ask(TABLES_SQL);
  const roles = entry.permissions === true ? (await ask(ROLES_SQL)).rows : [];
  const source = `${target.host}:${target.port}/${words(database['name'])}`;
  const root = `postgres/${source}`;
  const tags = { database: words(database['name']) };
  const schemas = [...new Set(tables.map((table) => words(table['schema'])))];
  const place = (type: string, id: string) => ({ type: `Postgres::${type}`, externalId: id });
  const item = (
    type: string,
    id: string,
    more: { name: string; config: unknown; parent?: string },
  ): RawDocument =>
    jsonDocument(more.config, source, {
      externalIds: [id],
      type: `Postgres::${type}`,
      configClass: type,
      name: more.name,
      tags,
      ...(type === 'Database' ? { health: 'healthy', status: 'Running' } : {}),
      parents: [
        ...(more.parent === undefined ? [] : [place('Schema', more.parent)]),
        ...(type === 'Database' ? [] : [place('Database', root)]),
      ],
    });
  const documents = [
    item('Database', root, { name: words(database['name']), config: database }),
    ...schemas.map((schema) =>
      item('Schema', `${root}/${schema}`, { name: schema, config: { name: schema } }),
    ),
    ...tables.map(({ grants, ...table }) =>
      item('Table', `${root}/${words(table['schema'])}/${words(table['name'])}`, {
        name: `${words(table['schema'])}.${words(table['name'])}`,
        config: entry.permissions === true ? { ...table, grants } : table,
        parent: `${root}/${words(table['schema'])}`,
      }),
    ),
    ...roles.map((role) =>
      item('Role', `${root}/role/${words(role['name'])}`, { name: words(role['name']), config: role }),
    ),
  ];
  const errors = isCut ? [`connection: more than ${tables.length} tables; the rest is left out`] : [];
  return output({ documents, errors, isComplete: errors.length === 0 });
}

/** See the head of this file. */
export const postgresKind: ScraperKind<PostgresEntry> = { kind: 'postgres', scrape };
