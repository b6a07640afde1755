/** The real client of GitHub over the guarded transport, for github.com and for servers of one's own. */
import type { Octokit } from '@octokit/rest';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { guardedFetch } from '../services/guarded-fetch.ts';
import { refusalOf } from '../services/service-call.ts';
import { trimEnd } from '../../../../../src/lib/trim-end.ts';

const PUBLIC = 'https://api.github.com';
const quiet = (): void => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** A connection may name the API, a server of one's own, or a repository there. */
export function githubApi(given: string): string {
  if (given === '') return PUBLIC;
  if (!URL.canParse(given)) throw new AppError('invalid', `connection: the url "${given}" is not valid`);
  const url = new URL(given);
  if (url.hostname === 'github.com' || url.hostname === 'api.github.com') return PUBLIC;
  return url.pathname.startsWith('/api/') ? trimEnd(given, '/') : `${url.origin}/api/v3`;
}

/** Throws `invalid` for a connection that isn't there. */
export async function openGithub(
  spec: { personalAccessToken?: unknown; connection?: string | undefined },
  context: ScrapeContext,
): Promise<Octokit> {
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  if (spec.connection !== undefined && connection === null)
    throw new AppError(
      'invalid',
      `connection: there is no connection "${spec.connection}"; create it in settings`,
    );
  const own = spec.personalAccessToken === undefined ? '' : await context.secret(spec.personalAccessToken);
  const token = own === '' ? (connection?.password ?? '') : own;
  const { Octokit: Client } = await import('@octokit/rest');
  return new Client({
    baseUrl: githubApi(connection?.url ?? ''),
    ...(token === '' ? {} : { auth: token }),
    log: LOG,
    request: { fetch: guardedFetch(context) },
  });
}

/** The client's own errors repeat what the server answered; ours say what to do. */
export async function told<Result>(what: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof Error && error.cause instanceof AppError) throw error.cause;
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 0;
    if (status >= 300) throw refusalOf(what, status);
    throw new AppError('network', `${what}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
