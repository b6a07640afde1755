/** Calls of log services that speak JSON over HTTP: their address, how to sign in there, and what they answer. */
import { AppError } from '../../../src/contract/errors.ts';
import { callService, jsonOf } from '../../catalog/scrapers/kinds/services/service-call.ts';
import { addressBeside, signInWith } from '../../connections/secret-scope.ts';
import type { BackendContext } from './log-backend.ts';
import { trimEnd } from '../../../src/lib/trim-end.ts';

/** The fields of a specification that say where a service is. */
export interface HttpPlace {
  connection?: string | undefined;
  url?: string | undefined;
  username?: unknown;
  password?: unknown;
  bearer?: unknown;
  insecureSkipVerify?: boolean | undefined;
}

export interface HttpService {
  /** The parsed answer to a call of a path below the service's address. */
  call: (what: string, path: string, request: HttpCall) => Promise<unknown>;
}

interface HttpCall {
  query?: Readonly<Record<string, string>>;
  /** Posted as JSON; without it, it is a GET. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

function headerOf({ username, password, bearer }: Record<'username' | 'password' | 'bearer', string>) {
  if (bearer !== '') return { authorization: `Bearer ${bearer}` };
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Throws for what can't be called. */
export async function openHttpService(place: HttpPlace, context: BackendContext): Promise<HttpService> {
  const { connection: reference = '', url = '' } = place;
  const known = reference === '' ? null : await context.connection(reference);
  if (reference !== '' && known === null)
    throw new AppError('invalid', `connection: ${reference} was not found`);
  const base =
    known === null ? (URL.canParse(url) ? new URL(url) : null) : addressBeside(known, url, context.author);
  if (base === null || !/^https?:$/.test(base.protocol))
    throw new AppError('invalid', `url: "${url}" is not an http:// or https:// address`);
  const own = known === null ? { username: '', password: '' } : signInWith(known);
  const read = async (value: unknown) => (value === undefined ? '' : context.secret(value));
  const signIn = headerOf({
    username: (await read(place.username)) || own.username,
    password: (await read(place.password)) || own.password,
    bearer: (await read(place.bearer)) || (known?.properties['bearer'] ?? ''),
  });
  const isInsecure = known?.insecureTls ?? place.insecureSkipVerify;
  return {
    async call(what, path, { query = {}, body, headers = {} }) {
      const target = new URL(base);
      target.pathname = `${trimEnd(base.pathname, '/')}${path}`;
      for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
      const answer = await callService(context, {
        method: body === undefined ? 'GET' : 'POST',
        url: target,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
          ...signIn,
        },
        body: body === undefined ? null : JSON.stringify(body),
        tls: { isInsecure },
      });
      return jsonOf(what, answer);
    },
  };
}
