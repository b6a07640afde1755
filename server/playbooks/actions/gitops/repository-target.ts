/** Which repository an action is about and how to sign in there: by its own fields, else by its connection. */
import { AppError } from '../../../../src/contract/errors.ts';
import { signInWith } from '../../../connections/secret-scope.ts';
import type { EgressTrust } from '../../../platform/egress/egress-guard.ts';
import type { ActionContext } from '../action-kind.ts';
import type { RepositoryAccess } from './repository-thread.ts';

/** Services that take tokens ask for any name beside them. */
const TOKEN_USER = 'git';

/** With its templates filled. */
export interface RepositoryPlace {
  url: string;
  isHostChosen: boolean;
  connection: string;
  username: string;
  password: string;
}

export interface RepositoryTarget {
  url: URL;
  username: string;
  password: string;
  connectionType: string;
  isInsecureTls: boolean;
  trust: EgressTrust;
}

/** Throws `invalid`, naming the fields by what `field` says they stand in. */
export async function repositoryTarget(
  field: string,
  place: RepositoryPlace,
  context: Pick<ActionContext, 'connection' | 'trust'>,
): Promise<RepositoryTarget> {
  const { connection } = place;
  const found = connection === '' ? null : await context.connection(connection);
  if (connection !== '' && found === null)
    throw new AppError('invalid', `${field}.connection: ${connection} was not found`);
  const text = place.url || (found?.url ?? '');
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new AppError(
      'invalid',
      text === ''
        ? `${field}.url: is missing, here or in the connection`
        : `${field}.url: must be an address with http or https; this server speaks no other way to git`,
    );
  const url = new URL(text);
  const given = signInWith({ url: text, username: place.username, password: place.password });
  const kept = found === null ? { username: '', password: '' } : signInWith(found);
  url.username = '';
  url.password = '';
  return {
    url,
    username: given.username || kept.username,
    password: given.password || kept.password,
    connectionType: found?.type ?? '',
    isInsecureTls: found?.isInsecureTls ?? false,
    trust: place.isHostChosen ? 'user' : context.trust,
  };
}

/** How the repository's calls are made. */
export function repositoryAccess({
  username,
  password,
  isInsecureTls,
  trust,
}: RepositoryTarget): RepositoryAccess {
  const pair = `${username || TOKEN_USER}:${password}`;
  const authorization = password === '' ? null : `Basic ${Buffer.from(pair).toString('base64')}`;
  return { authorization, isInsecureTls, trust };
}
