/**
 * How Azure is called: client credentials of the specification or its connection, the real clients over the
 * guarded transport. The server's own identity (its environment, its machine) is never used.
 */
import type { ResourceManagementClient, ResourceManagementClientOptionalParams } from '@azure/arm-resources';
import type { ClientSecretCredential } from '@azure/identity';
import { AppError } from '../../../../../src/contract/errors.ts';
import type { ScrapeContext } from '../../specs/scraped.ts';
import { callService, jsonOf } from '../services/service-call.ts';
import type { ServiceCall } from '../services/service-call.ts';
import { trimEnd } from '../../../../../src/lib/trim-end.ts';

export interface AzureSpec {
  connection?: string | undefined;
  subscriptionID: unknown;
  clientID?: unknown;
  clientSecret?: unknown;
  tenantID?: unknown;
}

type HttpClient = NonNullable<ResourceManagementClientOptionalParams['httpClient']>;
type PipelineRequest = Parameters<HttpClient['sendRequest']>[0];
type HttpHeaders = PipelineRequest['headers'];

/** Headers as the clients read them; their own class is not to be had by itself. */
class AnswerHeaders implements HttpHeaders {
  readonly #values: Map<string, string>;
  constructor(values: Iterable<[string, string]>) {
    this.#values = new Map([...values].map(([name, value]) => [name.toLowerCase(), value]));
  }
  get(name: string): string | undefined {
    return this.#values.get(name.toLowerCase());
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string | number | boolean): void {
    this.#values.set(name.toLowerCase(), String(value));
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }
  toJSON(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values[Symbol.iterator]();
  }
}

function textBody(body: PipelineRequest['body']): string | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return body;
  throw new TypeError('Only calls that send text are made');
}

/** What kept a call from being made: the sign-in client tells its own story instead. */
export interface CallFailures {
  last: AppError | null;
}

function guardedClient(context: ScrapeContext, isInsecure: boolean, failures: CallFailures): HttpClient {
  const call = async (service: ServiceCall) => {
    try {
      return await callService(context, service);
    } catch (error) {
      if (error instanceof AppError) failures.last = error;
      throw error;
    }
  };
  return {
    sendRequest: async (request) => {
      const answer = await call({
        method: request.method,
        url: new URL(request.url),
        headers: request.headers.toJSON(),
        body: textBody(request.body),
        tls: { isInsecure },
      });
      const headers = new AnswerHeaders(Object.entries(answer.headers));
      return { request, status: answer.statusCode, headers, bodyAsText: answer.body.toString('utf8') };
    },
  };
}

export interface AzureAccess {
  failures: CallFailures;
  subscription: string;
  resources: ResourceManagementClient;
  /** All entries of a list that the client has no call for. */
  list: (what: string, path: string) => Promise<unknown[]>;
}

const PUBLIC = 'https://management.azure.com';
const MAX_PAGES = 20;

interface Identity {
  tenant: string;
  client: string;
  secret: string;
}

async function identityOf(spec: AzureSpec, context: ScrapeContext): Promise<Identity> {
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  if (spec.connection !== undefined && connection === null)
    throw new AppError(
      'invalid',
      `connection: there is no connection "${spec.connection}"; create it in settings`,
    );
  const own = async (value: unknown, other: string): Promise<string> =>
    value === undefined ? other : context.secret(value);
  const identity = {
    tenant: await own(
      spec.tenantID,
      connection?.properties['tenant'] ?? connection?.properties['tenantID'] ?? '',
    ),
    client: await own(spec.clientID, connection?.username ?? ''),
    secret: await own(spec.clientSecret, connection?.password ?? ''),
  };
  const missing = Object.entries({
    tenantID: identity.tenant,
    clientID: identity.client,
    clientSecret: identity.secret,
  })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0)
    throw new AppError('invalid', `azure: ${missing.join(', ')} missing, here or in the connection`);
  return identity;
}

/** The pages of a list by their links, which must stay with the service that gave them. */
function lister(
  base: string,
  credential: ClientSecretCredential,
  calls: { context: ScrapeContext; isInsecure: boolean },
) {
  return async (what: string, path: string): Promise<unknown[]> => {
    const { token } = await credential.getToken(`${base}/.default`);
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const found: unknown[] = [];
    let url = new URL(`${base}${path}`);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const tls = { isInsecure: calls.isInsecure };
      const answer = await callService(calls.context, { method: 'GET', url, headers, body: null, tls });
      const json = jsonOf(what, answer) as { value?: unknown; nextLink?: unknown };
      if (Array.isArray(json.value)) found.push(...(json.value as unknown[]));
      if (typeof json.nextLink !== 'string' || !URL.canParse(json.nextLink)) return found;
      const next = new URL(json.nextLink);
      if (next.origin !== url.origin)
        throw new AppError('bad_payload', `${what}: its next page is elsewhere`);
      url = next;
    }
    throw new AppError('bad_payload', `${what}: more than ${MAX_PAGES} pages; scrape more often`);
  };
}

/** Signs in to a subscription. */
export async function openAzure(spec: AzureSpec, context: ScrapeContext): Promise<AzureAccess> {
  const connection = spec.connection === undefined ? null : await context.connection(spec.connection);
  const { tenant, client, secret } = await identityOf(spec, context);
  const isInsecure = connection?.insecureTls === true;
  const failures: CallFailures = { last: null };
  const httpClient = guardedClient(context, isInsecure, failures);
  const retryOptions = { maxRetries: 1 };
  const authorityHost = connection?.properties['authorityHost'] ?? '';
  const { ClientSecretCredential: Credential } = await import('@azure/identity');
  const credential = new Credential(tenant, client, secret, {
    httpClient,
    retryOptions,
    // Asks a well-known host about the authority, past what the operator named.
    disableInstanceDiscovery: true,
    ...(authorityHost === '' ? {} : { authorityHost }),
  });
  const given = connection?.url ?? '';
  const endpoint = given === '' ? PUBLIC : trimEnd(given, '/');
  const { ResourceManagementClient: Client } = await import('@azure/arm-resources');
  const subscription = String(spec.subscriptionID);
  const resources = new Client(credential, subscription, { httpClient, retryOptions, endpoint });
  return { failures, subscription, resources, list: lister(endpoint, credential, { context, isInsecure }) };
}
