/**
 * A team's client of an outside system, ready to sign in (docs/incidents-responders.md): values are literal, kept
 * apart by the database (`***`), `secret://name/key`, or come from a connection. A connection brings its address
 * along: no other may be named beside it, or whoever edits a team could have its password sent anywhere.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../../src/contract/errors.ts';
import { signInWith } from '../../../connections/secret-scope.ts';
import type { SecretScope } from '../../../connections/secret-scope.ts';
import type { Opener } from '../../../platform/crypto/sealed-values.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Client } from './adapter.ts';
import { teamSecrets } from './call-query.ts';
import type { StoredSecret } from './call-query.ts';
import { MESSAGES } from './messages.ts';
import { unusable } from './outside-failure.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const text = z.coerce.string().default('').catch('');
const clientSchema = z.looseObject({
  url: text,
  username: text,
  password: text,
  token: text,
  secret: text,
  connection: text,
  statusUrl: text,
  linkUrl: text,
  statuses: z.record(z.string(), z.coerce.string()).default({}).catch({}),
  defaults: z.unknown().optional(),
});
export type TeamClient = z.output<typeof clientSchema>;

/** Names under which teams keep the client of a type. */
const ALIASES = lookupTable<readonly string[]>({
  service_now: ['service_now', 'servicenow', 'serviceNow'],
  servicenow: ['servicenow', 'service_now', 'serviceNow'],
  aws_support: ['aws_support', 'aws'],
  ms_planner: ['ms_planner', 'msplanner'],
});
/** What the database leaves in the place of a secret. */
const STARS = '***';
/** How the host of an address begins that is not a plain one (migration 0018). */
const OTHER_ADDRESS = 'address ';
const REFERENCE = /^(secret|configmap):\/\/([^/]+)\/(.+)$/;
const RESOLVED = ['url', 'username', 'password', 'token', 'secret', 'statusUrl'] as const;

/** Null where the team has no client for that type, or one that can't be read. */
export function clientOf(
  clients: Readonly<Record<string, unknown>> | null,
  type: string,
): { name: string; client: TeamClient } | null {
  const name = (ALIASES[type] ?? [type]).find((one) => clients !== null && Object.hasOwn(clients, one));
  const parsed = name === undefined ? null : clientSchema.safeParse(clients?.[name]);
  return name === undefined || parsed?.success !== true ? null : { name, client: parsed.data };
}

/** Whether the client leads anywhere. One that only says what its form starts with records responders, no more. */
export function isReachable({ url, connection }: TeamClient): boolean {
  return url !== '' || connection !== '';
}

interface ResolveDeps {
  db: Queryable;
  sealer: Opener;
  /** Decides where what is read here may go. */
  scope: SecretScope;
}

async function fromConnection({ name, client }: { name: string; client: TeamClient }, scope: SecretScope) {
  const found = await scope.connection(client.connection);
  if (found === null) throw unusable(MESSAGES.noConnection(name));
  const { url, isInsecureTls } = found;
  if (url === '') throw unusable(MESSAGES.connectionWithoutUrl(name));
  return { url, ...signInWith(found), token: '', secret: '', statusUrl: '', isInsecureTls };
}

/**
 * Whether a kept secret may go to the address, as the program reads it that will call it: the database reads
 * addresses, too, and two readers of one text is how secrets get lost.
 */
function isFor({ host }: StoredSecret, { written, url }: { written: string; url: string }): boolean {
  if (host.startsWith(OTHER_ADDRESS))
    return written !== STARS && host === `${OTHER_ADDRESS}${createHash('md5').update(written).digest('hex')}`;
  if (!URL.canParse(url)) return false;
  const { protocol, host: called } = new URL(url);
  const entered = `${protocol}//${host}`;
  return URL.canParse(entered) && new URL(entered).host === called;
}

async function ownValues(
  { name, client, teamId }: { name: string; client: TeamClient; teamId: string },
  { db, sealer, scope }: ResolveDeps,
) {
  const kept = await teamSecrets(db, sealer, { teamId, client: name });
  const keptValue = (field: (typeof RESOLVED)[number]): string => {
    const found = kept.get(`${name}/${field}`);
    const url = kept.get(`${name}/url`)?.value ?? client.url;
    if (found === undefined || !isFor(found, { written: client.url, url }))
      throw unusable(MESSAGES.enterAgain(name, field));
    return found.value;
  };
  const read = async (field: (typeof RESOLVED)[number]): Promise<string> => {
    const written = client[field];
    const [, kind, of = '', key = ''] = REFERENCE.exec(written) ?? [];
    if (kind !== 'secret' && kind !== 'configmap') {
      return written.includes(STARS) ? keptValue(field) : written;
    }
    try {
      return await scope.mounted(kind, of, key);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw unusable(MESSAGES.wrongReference(name, field, error.message));
    }
  };
  const values = await Promise.all(RESOLVED.map(read));
  const [url = '', username = '', password = '', token = '', signing = '', statusUrl = ''] = values;
  return { url, username, password, token, secret: signing, statusUrl, isInsecureTls: false };
}

/** Throws OutsideFailure or AppError, naming the field of the team's spec. */
export async function resolveClient(
  named: { name: string; client: TeamClient; teamId: string },
  deps: ResolveDeps,
): Promise<Client> {
  const { name, client } = named;
  const values =
    client.connection === '' ? await ownValues(named, deps) : await fromConnection(named, deps.scope);
  const { statuses, linkUrl } = client;
  return { name, statuses, linkUrl, ...values };
}
