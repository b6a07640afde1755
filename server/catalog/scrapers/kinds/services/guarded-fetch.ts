/** The `fetch` that clients of services are given: each request goes through the egress guard. */
import { callService } from './service-call.ts';
import type { CallContext } from './service-call.ts';

/** Statuses whose answers have no body by their definition. */
const BODILESS = new Set([204, 205, 304]);

function headersOf(init: RequestInit | undefined): Record<string, string> {
  return Object.fromEntries(new Headers(init?.headers).entries());
}

function bodyOf(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A client of a service sends text only');
}

/** Follows no redirects but those of the service itself, a few; bodies are text. */
export function guardedFetch(context: CallContext) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const answer = await callService(context, {
      method: init?.method ?? 'GET',
      url: new URL(input),
      headers: headersOf(init),
      body: bodyOf(init?.body),
      maxRedirects: 3,
      signal: init?.signal ?? undefined,
    });
    const body = BODILESS.has(answer.statusCode) ? null : answer.body.toString('utf8');
    const response = new Response(body, { status: answer.statusCode, headers: answer.headers });
    // Clients read the address for their messages; a Response that is made here has none.
    Object.defineProperty(response, 'url', { value: String(input) });
    return response;
  };
}
