/** Where a specification's database is: by a connection or an address, judged by the guard. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { urlParts } from '../../../../connections/database-address.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import type { SqlTarget } from './sql-target.ts';
import { lookupTable } from '../../../../../src/lib/lookup-table.ts';

/** The fields of a specification that say it. */
export interface SqlPlace {
  connection: string;
  driver?: string | undefined;
  auth?: { username?: unknown; password?: unknown } | undefined;
}

type PlaceContext = Pick<ScrapeContext, 'secret' | 'connection' | 'guard' | 'trust'>;

type Driver = SqlTarget['driver'];

const DRIVERS = lookupTable<Driver>({
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mssql: 'sqlserver',
  sqlserver: 'sqlserver',
  sql_server: 'sqlserver',
});
const PORTS: Readonly<Record<Driver, number>> = { postgres: 5432, mysql: 3306, sqlserver: 1433 };
/** Those with a transaction that can only read. */
const READ_ONLY: readonly Driver[] = ['postgres', 'mysql'];

/** A connection's URL, or the text itself; with `$(username)` and `$(password)` of `auth` filled in. */
async function addressOf(entry: SqlPlace, context: PlaceContext) {
  const { auth, connection } = entry;
  const username = auth?.username === undefined ? '' : await context.secret(auth.username);
  const password = auth?.password === undefined ? '' : await context.secret(auth.password);
  if (!connection.startsWith('connection://') && connection.includes('://')) {
    const url = connection
      .replaceAll('$(username)', encodeURIComponent(username))
      .replaceAll('$(password)', encodeURIComponent(password));
    return { url, username, password, insecureTls: false };
  }
  const known = await context.connection(connection);
  if (known === null) throw new AppError('invalid', `connection: ${connection} was not found`);
  return {
    url: known.url,
    username: username || known.username,
    password: password || known.password,
    insecureTls: known.insecureTls,
  };
}

/** Throws for what can't be called, and for what the guard refuses. */
export async function sqlTargetOf(
  entry: SqlPlace,
  context: PlaceContext,
  drivers: readonly Driver[] = READ_ONLY,
): Promise<SqlTarget> {
  const address = await addressOf(entry, context);
  if (!URL.canParse(address.url))
    throw new AppError('invalid', 'connection: is not a URL such as postgres://host:5432/database');
  const url = new URL(address.url);
  const scheme = url.protocol.replace(':', '');
  const driver = DRIVERS[(entry.driver ?? scheme).toLowerCase()];
  if (driver === undefined || !drivers.includes(driver))
    throw new AppError(
      'invalid',
      `${entry.driver === undefined ? 'connection' : 'driver'}: ${entry.driver ?? scheme} is not run by this server; ${drivers.slice(0, -1).join(', ')} and ${drivers.at(-1)} are`,
    );
  if (url.hostname === '') throw new AppError('invalid', 'connection: has no host');
  const parts = urlParts(url, PORTS[driver]);
  const { host, addresses } = await context.guard.check(
    parts.host.replace(/^\[(.*)\]$/, '$1'),
    parts.port,
    context.trust,
  );
  return {
    ...parts,
    driver,
    address: addresses[0].address,
    host,
    username: decodeURIComponent(url.username) || address.username,
    password: decodeURIComponent(url.password) || address.password,
    insecureTls: address.insecureTls,
  };
}
