/**
 * The JSON schema that a code parameter of a playbook names at another host. A browser asks nobody but its own server;
 * the server asks through the egress guard, as whoever wrote the address.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { controlOf } from '../../../src/domain/playbook/parameters.ts';
import { isRecord } from '../../../src/lib/is-record.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import { requestThroughGuard } from '../../platform/egress/egress-http.ts';
import { deepJsonRefusal } from '../../platform/http/json-depth.ts';
import { reasonOf } from '../../platform/reason-of.ts';
import type { PlaybookRow, PlaybookAuthor } from './playbook-query.ts';
import { specOfPlaybook } from './runnable-playbooks.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;

interface SchemaQuestion {
  playbook: PlaybookRow;
  author: PlaybookAuthor;
  /** Name of the parameter. */
  parameter: string;
}

function addressOf({ playbook, parameter }: SchemaQuestion): URL {
  const found = specOfPlaybook(playbook).parameters?.find(({ name }) => name === parameter);
  const control = found === undefined ? null : controlOf(found);
  const text = control?.kind === 'code' ? control.schemaUrl : null;
  if (text === null || text === undefined)
    throw new AppError('not_found', `parameter ${parameter} names no jsonSchemaUrl`);
  if (!URL.canParse(text)) throw new AppError('invalid', `jsonSchemaUrl: "${text}" is not an address`);
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url;
}

function schemaIn(body: Buffer): Record<string, unknown> {
  const text = body.toString('utf8');
  const refusal = deepJsonRefusal(text);
  if (refusal !== null) throw refusal;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    throw new AppError('invalid', 'what is there is not JSON', { cause: error });
  }
  if (!isRecord(schema)) throw new AppError('invalid', 'what is there is no schema');
  return schema;
}

/** Throws `invalid` with why it could not be read, `not_found` where the parameter names none. */
export async function fetchParameterSchema(
  question: SchemaQuestion,
  guard: EgressGuard,
): Promise<Record<string, unknown>> {
  const url = addressOf(question);
  const request = {
    method: 'GET',
    url,
    headers: { accept: 'application/schema+json, application/json', 'user-agent': 'holdfast-playbook' },
    body: null,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: MAX_REDIRECTS,
    maxBodyBytes: MAX_BYTES,
    tls: {},
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const trust = question.author === 'operator' ? 'operator' : 'user';
  try {
    const { statusCode, body, isBodyCut } = await requestThroughGuard(guard, trust, { request, signal });
    if (statusCode !== 200) throw new AppError('invalid', `it answered HTTP ${statusCode}`);
    if (isBodyCut) throw new AppError('invalid', `it is larger than ${MAX_BYTES / 1024 / 1024} MB`);
    return schemaIn(body);
  } catch (error) {
    // What another host does is no fault of this server: whoever asks is told and goes on without.
    throw new AppError('invalid', `jsonSchemaUrl: ${url.host} could not be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
