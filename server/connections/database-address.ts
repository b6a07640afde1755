/** The addresses of databases in all the forms that people write them: URLs, libpq's and ADO's words, Go's DSN. */
import { AppError } from '../../src/contract/errors.ts';
import { decoded } from './note-literals.ts';

export type Dialect = 'postgres' | 'mysql' | 'mssql';

/** As written, and how to sign in where the address itself does not say it. */
interface AddressPlace {
  address: string;
  username: string;
  password: string;
}

export interface DatabaseUrl {
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  /** In the words of libpq: disable, require, verify-full. */
  sslMode: string;
}

const PORTS: Readonly<Record<Dialect, number>> = { postgres: 5432, mysql: 3306, mssql: 1433 };
const SCHEMES: Readonly<Record<Dialect, readonly string[]>> = {
  postgres: ['postgres:', 'postgresql:'],
  mysql: ['mysql:'],
  mssql: ['sqlserver:', 'mssql:'],
};

/** `user=a password='b c' host=h` of libpq, `server=h;user id=a` of ADO; names in lower case. */
function wordsOf(text: string, dialect: Dialect): ReadonlyMap<string, string> {
  const pattern =
    dialect === 'mssql' ? /(?<![^=;])([^=;]+)=\s*("[^"]*"|[^;]*)/g : /\b(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S*)/g;
  return new Map(
    [...text.matchAll(pattern)].map(([, name = '', value = '']) => [
      name.trim().toLowerCase(),
      value.replace(/^(['"])(.*)\1$/s, '$2').replaceAll(/\\(.)/g, '$1'),
    ]),
  );
}

function firstOf(words: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  return names.map((name) => words.get(name)).find((value) => value !== undefined);
}

function fromWords(text: string, dialect: Dialect, place: AddressPlace): DatabaseUrl {
  const words = wordsOf(text, dialect);
  const server = firstOf(words, ['host', 'server', 'data source', 'addr', 'address']) ?? '';
  const [, host = '', port] = /^(?:tcp:)?([^,:]*)(?:[,:](\d+))?$/.exec(server) ?? [];
  const isTrusting = /^(true|yes)$/i.test(firstOf(words, ['trustservercertificate']) ?? '');
  const encrypt = firstOf(words, ['encrypt']) ?? (dialect === 'mssql' ? 'true' : 'disable');
  return {
    host,
    port: Number(firstOf(words, ['port']) ?? port ?? PORTS[dialect]),
    database: firstOf(words, ['dbname', 'database', 'initial catalog']) ?? '',
    // What was filled in stands as a part of an address, which these words are not.
    username: place.username || (firstOf(words, ['user', 'user id', 'uid', 'username']) ?? ''),
    password: place.password || (firstOf(words, ['password', 'pwd']) ?? ''),
    sslMode: firstOf(words, ['sslmode']) ?? (isTrusting && encrypt !== 'disable' ? 'require' : encrypt),
  };
}

/** What a URL says of a database besides who signs in there. */
export function urlParts(
  url: URL,
  defaultPort: number,
): Pick<DatabaseUrl, 'host' | 'port' | 'database' | 'sslMode'> {
  const query = (name: string) => url.searchParams.get(name);
  return {
    host: url.hostname,
    port: Number(url.port || defaultPort),
    database: query('database') ?? decodeURIComponent(url.pathname.slice(1)),
    sslMode: query('sslmode') ?? query('tls') ?? query('encrypt') ?? 'disable',
  };
}

/** Reads an address; throws `invalid` for what is none of the known forms. */
export function databaseUrl(dialect: Dialect, place: AddressPlace): DatabaseUrl {
  // Go's DSN puts the host into brackets with its protocol.
  const address = place.address.replace(/@tcp\(([^)]*)\)/, '@$1');
  if (!address.includes('://') && /^[\w ]+=/.test(address)) return fromWords(address, dialect, place);
  const [first = ''] = SCHEMES[dialect];
  const text = address.includes('://') ? address : `${first}//${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !SCHEMES[dialect].includes(url.protocol))
    throw new AppError(
      'invalid',
      `url: must be an address such as ${first}//user@host:${PORTS[dialect]}/database`,
    );
  return {
    ...urlParts(url, PORTS[dialect]),
    username: url.username === '' ? place.username : decoded(url.username),
    password: url.username === '' ? place.password : decoded(url.password),
  };
}
