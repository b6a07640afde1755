/**
 * A connection with its references resolved (schema §8.4): values are literal, or `secret://name/key` and
 * `configmap://name/key`, mounted below DATA_DIR; the URL may have `$(username)`, `$(password)`,
 * `$(certificate)` and `$(properties.x)` in it. Nothing of it may reach an answer or a log line unredacted.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { ConnectionRow } from './connection-query.ts';

export interface ConnectionValues {
  url: string;
  username: string;
  password: string;
  certificate: string;
  properties: Readonly<Record<string, string>>;
  isInsecureTls: boolean;
}

export type SecretReader = (kind: 'secret' | 'configmap', name: string, key: string) => Promise<string>;

const REFERENCE = /^(secret|configmap):\/\/([^/]+)\/(.+)$/;
const OTHER_REFERENCE = /^(helm|serviceaccount):\/\//;

async function resolve(field: string, text: string, secret: SecretReader): Promise<string> {
  const [, kind, name = '', key = ''] = REFERENCE.exec(text) ?? [];
  if (kind === 'secret' || kind === 'configmap') return secret(kind, name, key);
  const other = OTHER_REFERENCE.exec(text)?.[1];
  if (other !== undefined)
    throw new AppError('invalid', `${field}: ${other}:// needs a cluster; use secret:// or configmap://`);
  return text;
}

/** Placeholders filled in, as parts of a URL; one that names nothing stays. */
function fillIn(url: string, values: Omit<ConnectionValues, 'url' | 'isInsecureTls'>): string {
  const { properties, ...columns } = values;
  const known: Record<string, string> = { ...columns };
  for (const [name, value] of Object.entries(properties)) known[`properties.${name}`] = value;
  return url.replaceAll(/\$\(([\w.-]+)\)/g, (whole, name: string) =>
    Object.hasOwn(known, name) ? encodeURIComponent(known[name] ?? '') : whole,
  );
}

/** Throws `invalid` for a reference that leads nowhere, naming the field. */
export async function resolveConnection(row: ConnectionRow, secret: SecretReader): Promise<ConnectionValues> {
  const read = (field: 'url' | 'username' | 'password' | 'certificate') =>
    resolve(field, row[field] ?? '', secret);
  const entries = Object.entries(row.properties ?? {}).map(async ([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, await resolve(`properties.${name}`, text, secret)] as const;
  });
  const values = {
    username: await read('username'),
    password: await read('password'),
    certificate: await read('certificate'),
    properties: Object.fromEntries(await Promise.all(entries)),
  };
  return { ...values, url: fillIn(await read('url'), values), isInsecureTls: row.insecure_tls ?? false };
}

const SHORTEST_SECRET = 3;

/** The text without anything that the connection keeps secret. */
export function redactConnection(
  text: string,
  { password, certificate, username }: ConnectionValues,
): string {
  const secrets = [password, certificate, encodeURIComponent(password), username].filter(
    (value) => value.length >= SHORTEST_SECRET,
  );
  return secrets.reduce((cleaned, value) => cleaned.replaceAll(value, '***'), text);
}

/** A value that the test can't do without. */
export function need(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name] ?? '';
  if (value.trim() === '') throw new AppError('invalid', `${name}: is required for this test`);
  return value;
}

/** The connection's URL, or the refusal that names the field. */
export function urlOf({ url }: { url: string }): URL {
  if (!URL.canParse(url)) throw new AppError('invalid', 'url: must be a URL with scheme and host');
  return new URL(url);
}
