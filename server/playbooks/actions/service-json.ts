/** Calls of services that speak JSON, through the guard; what fails is told without what the service answered. */
import { AppError } from '../../../src/contract/errors.ts';
import { requestThroughGuard } from '../../platform/egress/egress-http.ts';
import type { ActionContext } from './action-kind.ts';

const USER_AGENT = 'holdfast-playbook';
const HINTS: Readonly<Record<number, string>> = {
  401: 'the credentials are not accepted',
  403: 'the credentials may not do this',
  404: 'there is no such thing, or the credentials may not see it',
  422: 'the service does not accept what was asked',
};

export interface ServicePost {
  /** For people: what is asked for. */
  what: string;
  url: URL;
  authorization: string;
  headers?: Record<string, string>;
  body: unknown;
  isInsecureTls: boolean;
}

/** The answer's JSON; null where it has none. Follows no redirects: the credentials are for that place. */
export async function postJson(post: ServicePost, context: ActionContext): Promise<unknown> {
  const { what, url, authorization, headers = {}, body, isInsecureTls } = post;
  const request = {
    method: 'POST',
    url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...headers,
      authorization,
    },
    body: JSON.stringify(body),
    timeoutMs: context.timeoutMs,
    maxRedirects: 0,
    maxBodyBytes: context.maxOutputBytes,
    tls: { isInsecure: isInsecureTls },
  };
  const { guard, trust, signal } = context;
  const { statusCode, body: answer } = await requestThroughGuard(guard, trust, { request, signal });
  // Azure DevOps answers a token that it does not know with a page to sign in.
  const status = statusCode === 203 || statusCode === 302 ? 401 : statusCode;
  if (status < 200 || status > 299)
    throw new AppError(
      'server',
      `${what}: HTTP ${statusCode}, ${HINTS[status] ?? 'the request was refused'}`,
    );
  if (answer.length === 0) return null;
  try {
    return JSON.parse(answer.toString('utf8')) as unknown;
  } catch (error) {
    throw new AppError('bad_payload', `${what}: the answer is not JSON`, { cause: error });
  }
}

/** A name as part of a path: nothing that leads elsewhere. */
export function pathName(field: string, text: string): string {
  if (!/^[\w. -]{1,200}$/.test(text) || /^\.+$/.test(text))
    throw new AppError('invalid', `${field}: "${text.slice(0, 100)}" is not a name`);
  return encodeURIComponent(text);
}
