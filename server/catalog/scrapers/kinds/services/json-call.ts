/** A call of a service that speaks JSON, and an address that a connection or the specification names. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { addressBeside } from '../../../../connections/secret-scope.ts';
import type { ScrapeConnection, ScrapeContext } from '../../specs/scraped.ts';
import { callService, jsonOf } from './service-call.ts';
import type { CallContext } from './service-call.ts';

interface JsonCall {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  /** Posted; without it, it is a GET. */
  body?: string | undefined;
}

/** The parsed answer; throws a sentence about `what`. */
export async function callJson(
  what: string,
  { url, headers = {}, body }: JsonCall,
  context: CallContext,
): Promise<unknown> {
  const answer = await callService(context, {
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: { accept: 'application/json', 'user-agent': 'holdfast', ...headers },
    body: body ?? null,
  });
  return jsonOf(what, answer);
}

/** The connection that the entry names, if it names one. */
export async function namedConnection(
  reference: string | undefined,
  context: Pick<ScrapeContext, 'connection'>,
): Promise<ScrapeConnection | null> {
  if (reference === undefined || reference === '') return null;
  const found = await context.connection(reference);
  if (found === null) throw new AppError('invalid', `connection: ${reference} was not found`);
  return found;
}

/** Where the service is: what the specification says, beside a connection only below its address. */
export function serviceAddress(
  given: { endpoint: string | undefined; usual: string; connection: ScrapeConnection | null },
  context: Pick<ScrapeContext, 'author'>,
): URL {
  const { endpoint = '', usual, connection } = given;
  if (connection !== null) return addressBeside({ url: connection.url || usual }, endpoint, context.author);
  const text = endpoint || usual;
  if (!URL.canParse(text)) throw new AppError('invalid', `endpoint: "${text}" is no address`);
  return new URL(text);
}
