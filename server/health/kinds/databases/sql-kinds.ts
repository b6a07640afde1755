/** postgres, mysql, mssql: a query, and how many rows it has to give (schema §4.1). */
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { databaseUrl } from '../../../connections/database-address.ts';
import type { Dialect } from '../../../connections/database-address.ts';
import { queryMysql } from '../../../catalog/scrapers/kinds/sql/mysql-query.ts';
import { queryPostgres } from '../../../catalog/scrapers/kinds/sql/postgres-query.ts';
import type { SqlQuery } from '../../../catalog/scrapers/kinds/sql/sql-target.ts';
import { sqlDriver } from '../../../playbooks/actions/sql-clients.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import { judged } from '../../kind/guarded-socket.ts';
import { probe } from '../../kind/probe.ts';
import { registeredKind } from '../../kind/registered-kind.ts';
import { servicePlace } from '../../kind/service-place.ts';
import { common, connection, count, limits, namesPlace } from '../../kind/spec-fields.ts';

const sqlSchema = z
  .strictObject({
    ...common,
    ...connection,
    ...limits,
    query: z.string().optional(),
    results: count.optional(),
  })
  .refine(namesPlace(['url', 'connection']), { path: ['url'], message: 'is required' });
type SqlSpec = z.output<typeof sqlSchema>;

/** The client has no mode that only reads; its rows are cut where those of the other two are. */
const querySqlServer: SqlQuery = async (target, { text }, signal) => {
  const place = { ...target, timeoutMs: 60_000 };
  const { rows, isCut } = await sqlDriver('mssql').ask(place, { query: text, parameters: [] }, signal);
  return { rows, isCut };
};

const DRIVERS: Readonly<Record<Dialect, SqlQuery>> = {
  postgres: queryPostgres,
  mysql: queryMysql,
  mssql: querySqlServer,
};

function run(dialect: Dialect, spec: SqlSpec, context: KindContext): Promise<KindResult> {
  return probe(spec, context, async (at) => {
    const place = await servicePlace(spec, context);
    const target = databaseUrl(dialect, place);
    if (target.host === '') throw new AppError('invalid', 'url: names no host');
    const { address, host } = await judged(at, target.host, target.port);
    const whole = { ...target, host, address, insecureTls: place.tls.isInsecure === true };
    const query = { text: (spec.query ?? 'SELECT 1').trim().replace(/;\s*$/, ''), values: [] };
    // The client of SQL Server speaks the words of PostgreSQL's TLS.
    const driver = dialect === 'mysql' ? 'mysql' : 'postgres';
    const { rows, isCut } = await DRIVERS[dialect]({ ...whole, driver }, query, at.signal);
    const data = { results: { rows, count: rows.length, isCut } };
    const wanted = spec.results ?? 0;
    const cut = isCut ? `only the first ${rows.length} rows are read` : null;
    if (rows.length >= wanted) return { data, message: cut };
    const few = `${rows.length} rows, at least ${wanted} wanted`;
    return { data, error: cut === null ? few : `${few}: ${cut}` };
  });
}

const EXAMPLE = {
  username: { value: 'reader' },
  password: { valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
};

/** Rows of a PostgreSQL; the statement can only read. */
export const postgresKind = registeredKind({
  key: 'postgres',
  title: 'PostgreSQL',
  needs: 'a user that may read',
  testedAgainst: 'real service',
  example: {
    name: 'shop answers',
    url: 'postgres://$(username):$(password)@db.example.com:5432/shop?sslmode=require',
    ...EXAMPLE,
    query: 'SELECT 1',
    results: 1,
  },
  schema: sqlSchema,
  run: (spec, context) => run('postgres', spec, context),
});

/** Rows of a MySQL or MariaDB; the statement can only read. */
export const mysqlKind = registeredKind({
  key: 'mysql',
  title: 'MySQL',
  needs: 'a user that may only read',
  testedAgainst: 'real service',
  example: {
    name: 'shop answers',
    url: 'mysql://$(username):$(password)@db.example.com:3306/shop',
    ...EXAMPLE,
    query: 'SELECT 1',
    results: 1,
  },
  schema: sqlSchema,
  run: (spec, context) => run('mysql', spec, context),
});

/** Rows of a SQL Server. */
export const mssqlKind = registeredKind({
  key: 'mssql',
  title: 'SQL Server',
  needs: 'a user that may only read: the statement is sent as it is',
  testedAgainst: 'real client over a local server',
  example: {
    name: 'ledger answers',
    url: 'sqlserver://$(username):$(password)@db.example.com:1433?database=ledger',
    ...EXAMPLE,
    query: 'SELECT 1',
    results: 1,
  },
  schema: sqlSchema,
  run: (spec, context) => run('mssql', spec, context),
});
