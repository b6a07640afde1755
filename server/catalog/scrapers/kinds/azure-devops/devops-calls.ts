/**
 * The few calls of Azure DevOps that are made, over the guarded HTTP. Its client library opens its own connections
 * in every one of its parts and can't be given a transport, so that one forgotten part would pass the guard by.
 */
import { AppError } from '../../../../../src/contract/errors.ts';
import { listOf, objectAt } from '../../health/health.ts';
import type { Json } from '../../health/health.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { callService, jsonOf, refusalOf } from '../services/service-call.ts';
import { trimEnd } from '../../../../../src/lib/trim-end.ts';

export interface DevopsSpec {
  connection?: string | undefined;
  organization?: string | undefined;
  personalAccessToken?: unknown;
}

/** The parts of a context that its calls need. */
type DevopsContext = Pick<ScrapeContext, 'secret' | 'connection' | 'guard' | 'trust' | 'signal'>;

export interface Devops {
  organization: string;
  /** All entries of a list, page by page. */
  list: (what: string, path: string, query?: Record<string, string>) => Promise<Json[]>;
}

const API_VERSION = '7.1';
const MAX_PAGES = 50;
const PUBLIC = 'https://dev.azure.com';

function rootOf(url: string, organization: string): string {
  if (url === '') return `${PUBLIC}/${encodeURIComponent(organization)}`;
  if (!URL.canParse(url)) throw new AppError('invalid', `connection: the url "${url}" is not valid`);
  const root = trimEnd(url, '/');
  const isRoot = new URL(root).pathname === '/';
  return isRoot ? `${root}/${encodeURIComponent(organization)}` : root;
}

/** Signs in as the specification says. */
export async function openDevops(spec: DevopsSpec, context: DevopsContext): Promise<Devops> {
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  if (spec.connection !== undefined && connection === null)
    throw new AppError(
      'invalid',
      `connection: there is no connection "${spec.connection}"; create it in settings`,
    );
  const organization =
    spec.organization ?? connection?.properties['organization'] ?? connection?.username ?? '';
  if (organization === '')
    throw new AppError('invalid', 'organization is missing: the name after dev.azure.com/');
  const own = spec.personalAccessToken === undefined ? '' : await context.secret(spec.personalAccessToken);
  const token = own === '' ? (connection?.password ?? '') : own;
  if (token === '')
    throw new AppError('invalid', 'personalAccessToken is missing, here or in the connection');
  const root = rootOf(connection?.url ?? '', organization);
  const authorization = `Basic ${Buffer.from(`:${token}`).toString('base64')}`;
  const list = async (what: string, path: string, query: Record<string, string> = {}): Promise<Json[]> => {
    const found: Json[] = [];
    let next = '';
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const url = new URL(`${root}${path}`);
      const paged = next === '' ? {} : { continuationToken: next };
      for (const [name, value] of Object.entries({ ...query, ...paged, 'api-version': API_VERSION }))
        url.searchParams.set(name, value);
      const headers = { authorization, accept: 'application/json' };
      const answer = await callService(context, { method: 'GET', url, headers, body: null });
      // A token that isn't accepted is answered with a page to sign in.
      if (answer.statusCode === 203 || answer.statusCode === 302) throw refusalOf(what, 401);
      found.push(...listOf(objectAt(jsonOf(what, answer))['value']));
      next = answer.headers['x-ms-continuationtoken'] ?? '';
      if (next === '') return found;
    }
    throw new AppError('bad_payload', `${what}: more than ${MAX_PAGES} pages; narrow projects or pipelines`);
  };
  return { organization, list };
}
