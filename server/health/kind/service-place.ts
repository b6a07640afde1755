/** Where a check's service is and how to sign in there: by the check's own fields, else by its connection (schema §4.1). */
import { AppError } from '../../../src/contract/errors.ts';
import { parseDuration } from '../../../src/domain/check/duration.ts';
import { addressBeside, signInWith } from '../../connections/secret-scope.ts';
import type { OpenConnection } from '../../connections/secret-scope.ts';
import type { EgressTls } from '../../platform/egress/egress-http.ts';
import type { KindContext } from './check-kind.ts';
import { readValue } from './secret-values.ts';
import type { ConnectionSpec, SecretValue, TlsSpec } from './spec-fields.ts';

export interface SignIn {
  username: string;
  password: string;
  bearer: string;
}

/** The connection that a specification names, or null where it names none; throws `invalid` for one that is not there. */
export async function connectionOf(
  { connection: reference = '' }: Pick<ConnectionSpec, 'connection'>,
  context: KindContext,
): Promise<OpenConnection | null> {
  if (reference === '') return null;
  const found = await context.connection(reference);
  if (found === null) throw new AppError('invalid', `connection ${reference} was not found`);
  return found;
}

/** Of the check itself, else of its connection, whose address may hold it too. */
export async function signInOf(
  spec: ConnectionSpec,
  connection: OpenConnection | null,
  context: KindContext,
): Promise<SignIn> {
  const read = async (value: SecretValue | undefined) =>
    value === undefined ? '' : readValue(value, context);
  const own = connection === null ? null : signInWith(connection);
  const username = await read(spec.username ?? spec.authentication?.username);
  const password = await read(spec.password ?? spec.authentication?.password);
  const found = {
    username: username || (own?.username ?? ''),
    password: password || (own?.password ?? ''),
    bearer: connection?.properties['bearer'] ?? '',
  };
  if (spec.basic === true && Object.values(found).every((value) => value === ''))
    throw new AppError('invalid', 'basic: needs username and password, or a connection that has them');
  return found;
}

/** `$(name)` or `$(.name)` filled in; a name that isn't there stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\(\.?([A-Za-z_][\w.-]*)\)/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

/** Beside a connection, whether its certificate is looked at is the connection's to say. */
export async function tlsOf(
  tls: TlsSpec | undefined,
  connection: OpenConnection | null,
  context: KindContext,
): Promise<EgressTls> {
  const isInsecure = connection?.isInsecureTls ?? tls?.insecureSkipVerify;
  if (tls === undefined) return { isInsecure };
  const read = async (value: SecretValue | undefined) =>
    value === undefined ? undefined : readValue(value, context);
  const handshake = tls.handshakeTimeout;
  const handshakeMs = typeof handshake === 'number' ? handshake * 1000 : parseDuration(handshake ?? '');
  return {
    isInsecure,
    // None is as long as the check waits.
    handshakeTimeoutMs: handshakeMs || undefined,
    ca: await read(tls.ca),
    cert: await read(tls.cert),
    key: await read(tls.key),
  };
}

/**
 * `tlsConfig.enable` says the same as the address, or is refused: who asks for TLS may not be given a line without it.
 */
export function agreeOnTls(wantsTls: boolean | undefined, isSecure: boolean): void {
  if (wantsTls === undefined || wantsTls === isSecure) return;
  throw new AppError(
    'invalid',
    wantsTls
      ? 'tlsConfig.enable: is true, and the address is one without TLS'
      : 'tlsConfig.enable: is false, and the address is one with TLS; insecureSkipVerify takes any certificate',
  );
}

export interface ServicePlace extends SignIn {
  /** As written, with user name and password filled in as parts of an address. */
  address: string;
  tls: EgressTls;
  /** As the specification says it besides the address. */
  wantsTls: boolean | undefined;
  properties: Readonly<Record<string, string>>;
}

/** Everything that a client is opened with. Throws for an address that leads elsewhere than its connection. */
export async function servicePlace(
  spec: ConnectionSpec & { tlsConfig?: TlsSpec | undefined },
  context: KindContext,
): Promise<ServicePlace> {
  const connection = await connectionOf(spec, context);
  const signIn = await signInOf(spec, connection, context);
  const tls = await tlsOf(spec.tlsConfig, connection, context);
  const filled = fillIn(spec.url ?? '', {
    username: encodeURIComponent(signIn.username),
    password: encodeURIComponent(signIn.password),
  });
  const address =
    connection === null
      ? filled
      : filled === ''
        ? connection.url
        : addressBeside(connection, filled, context.author).href;
  if (address.trim() === '') throw new AppError('invalid', 'url: is required, or a connection that has one');
  const wantsTls = spec.tlsConfig?.enable;
  return { ...signIn, address, tls, wantsTls, properties: connection?.properties ?? {} };
}

/** The address as a URL of one of the schemes; what has none gets the first. Throws `invalid` naming the field. */
export function placeUrl(address: string, schemes: readonly [string, ...string[]]): URL {
  const text = /^[a-z][\w+.-]*:\/\//i.test(address) ? address : `${schemes[0]}://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '')
    throw new AppError('invalid', `url: must be an address such as ${schemes[0]}://example.com`);
  if (!schemes.includes(url.protocol.slice(0, -1)))
    throw new AppError('invalid', `url: must begin with ${schemes.map((one) => `${one}://`).join(' or ')}`);
  return url;
}

/** User name and password, also where they stand in the address itself. */
export function signInAt(url: URL, place: SignIn): { username: string; password: string } {
  return signInWith({ url: url.href, username: place.username, password: place.password });
}
