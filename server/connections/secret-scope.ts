/**
 * The secrets of one specification's run, and where they may go (docs/security.md). Invariant: once a value was
 * read here, the calls of the same scope reach only places that this value was granted to. So the kinds need no
 * rule of their own, whatever field a reference stands in; they call through the scope's guard and nothing else.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { Redactor } from '../platform/crypto/redact.ts';
import { EgressRefused } from '../platform/egress/egress-guard.ts';
import type { EgressGuard } from '../platform/egress/egress-guard.ts';
import { connectionHosts, GRANT_KEY, grantedHosts, isAllowed } from './allowed-hosts.ts';
import type { AllowedHost } from './allowed-hosts.ts';
import type { ConnectionRow } from './connection-query.ts';
import { resolveConnection } from './connection-values.ts';
import type { ConnectionValues, SecretReader } from './connection-values.ts';
import { decoded, noteLiterals } from './note-literals.ts';

/**
 * Who wrote a specification: the operator, in a file of this server; somebody who may write connections, the last
 * time that it was written; anybody else.
 */
export type SpecAuthor = 'operator' | 'granter' | 'user';

/** A connection with its references resolved. */
export type OpenConnection = ConnectionValues & { type: string };

/** A connection by id, name, or `connection://namespace/name`. */
export type ConnectionFinder = (reference: string) => Promise<ConnectionRow | null>;

export interface SecretScope {
  author: SpecAuthor;
  /** For every call of the run. */
  guard: EgressGuard;
  /** Mounted values. */
  mounted: SecretReader;
  /** By id, name, or `connection://namespace/name`; null when there is none. */
  connection: (reference: string) => Promise<OpenConnection | null>;
  /** Throws when a value was read that may only go to certain hosts: a script could take it anywhere. */
  refuseScripts: () => void;
}

interface ScopeDeps {
  author: SpecAuthor;
  findConnection: ConnectionFinder;
  mounted: SecretReader;
  guard: EgressGuard;
  redactor: Redactor;
}

/** A value that was read, and where it may go. */
interface Bond {
  what: string;
  places: readonly AllowedHost[];
}

function noteConnection({ password, certificate, url, properties }: ConnectionValues, redactor: Redactor) {
  for (const value of [password, certificate]) redactor.note(value);
  const query = URL.canParse(url) ? Object.fromEntries(new URL(url).searchParams) : {};
  noteLiterals([url, query, properties], redactor);
}

function boundGuard(guard: EgressGuard, bonds: readonly Bond[]): EgressGuard {
  return {
    async check(host, port, trust) {
      const torn = bonds.find(({ places }) => !isAllowed(places, host, port));
      if (torn !== undefined)
        throw new EgressRefused(`${torn.what} may not be sent to ${host}${port === null ? '' : `:${port}`}`);
      return guard.check(host, port, trust);
    },
  };
}

/** One for each entry that runs by itself. */
export function createSecretScope({
  author,
  findConnection,
  mounted,
  guard,
  redactor,
}: ScopeDeps): SecretScope {
  const bonds: Bond[] = [];
  return {
    author,
    guard: boundGuard(guard, bonds),
    async mounted(kind, name, key) {
      if (author === 'user') {
        const what = `${kind === 'secret' ? 'secret' : 'config map'} ${name}`;
        const places = await grantedHosts(mounted, kind, name);
        if (places.length === 0)
          throw new AppError(
            'forbidden',
            `${what} is not granted to any host: name hosts in its ${GRANT_KEY}, or have an administrator save this specification`,
          );
        bonds.push({ what, places });
      }
      const value = await mounted(kind, name, key);
      redactor.note(value);
      return value;
    },
    async connection(reference) {
      const row = await findConnection(reference);
      if (row === null) return null;
      const values = await resolveConnection(row, mounted);
      noteConnection(values, redactor);
      if (author !== 'operator')
        bonds.push({ what: `connection ${reference}`, places: connectionHosts(row.type, values) });
      return { type: row.type, ...values };
    },
    refuseScripts() {
      const [bond] = bonds;
      if (bond !== undefined)
        throw new AppError('forbidden', `${bond.what} is granted to hosts; a script could take it anywhere`);
    },
  };
}

/**
 * The address of a call that signs in with a connection: the connection's own, or another path below it. Throws for
 * an address elsewhere, but in operators' files.
 */
export function addressBeside(
  connection: Pick<OpenConnection, 'url'>,
  text: string,
  author: SpecAuthor,
): URL {
  const own = URL.canParse(connection.url) ? new URL(connection.url) : null;
  if (own === null) throw new AppError('invalid', 'connection: has no address that can be called');
  const url = text === '' ? own : URL.canParse(text, own.href) ? new URL(text, own.href) : null;
  if (url === null) throw new AppError('invalid', `url "${text}" is not a URL with scheme and host`);
  if (author !== 'operator' && (url.protocol !== own.protocol || url.host !== own.host))
    throw new AppError('forbidden', 'url: leads elsewhere than the connection beside it');
  url.username = '';
  url.password = '';
  return url;
}

/** How a connection signs in: by its columns, else by what stands in its address. */
export function signInWith({
  url,
  username,
  password,
}: Pick<OpenConnection, 'url' | 'username' | 'password'>): { username: string; password: string } {
  const own = URL.canParse(url) ? new URL(url) : null;
  return {
    username: username || decoded(own?.username ?? ''),
    password: password || decoded(own?.password ?? ''),
  };
}
