/** http: one request with its redirects, through the guard for outgoing calls (schema §7.4). */
import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../../../src/contract/errors.ts';
import { PLAYBOOK_ACTIONS } from '../../../src/contract/specs/playbook-spec.ts';
import { addressBeside, signInWith } from '../../connections/secret-scope.ts';
import { requestThroughGuard } from '../../platform/egress/egress-http.ts';
import { ntlmSignIn } from '../../platform/egress/ntlm-sign-in.ts';
import { isPlaybookWebhook, RUN_HEADER } from '../run-header.ts';
import { bodyTextFor } from '../templates/body-text.ts';
import { isJsonTemplate, jsonText } from '../templates/json-text.ts';
import { urlText } from '../templates/url-text.ts';
import { registered } from './action-kind.ts';
import type { ActionContext, ActionOutcome, RenderContext } from './action-kind.ts';

type HttpSpec = z.output<typeof PLAYBOOK_ACTIONS.http>;

const USER_AGENT = 'holdfast-playbook';
const METHOD = /^[A-Z]{1,20}$/;
const MAX_REDIRECTS = 10;
const FIRST_FAILURE = 400;

interface Rendered {
  method: string;
  url: string;
  connection: string;
  headers: Record<string, string>;
  username: string;
  password: string;
  body: string | null;
  isHostChosen: boolean;
  /** Signs in by NTLM, version 2, instead of sending the password. */
  isNtlm: boolean;
}

async function headersOf({ headers }: HttpSpec, context: RenderContext): Promise<Record<string, string>> {
  const given = Array.isArray(headers)
    ? headers.map((entry) => [entry.name, entry] as const)
    : Object.entries(headers ?? {});
  const filled: Record<string, string> = {};
  for (const [name, value] of given) {
    const text = await context.value(value);
    if (/[\r\n\0]/.test(text))
      throw new AppError('invalid', `headers.${name}: a value has a line break in it`);
    filled[name.toLowerCase()] = text;
  }
  return filled;
}

async function bodyOf(
  { body, templateBody }: HttpSpec,
  contentType: string,
  context: RenderContext,
): Promise<string | null> {
  if (body === undefined) return null;
  if (templateBody === false) return body;
  const bodyText = isJsonTemplate(body) ? jsonText : bodyTextFor(contentType, body);
  return bodyText === null ? context.fill(body) : bodyText(await context.pieces(body));
}

async function render(spec: HttpSpec, context: RenderContext): Promise<Rendered> {
  const method = (await context.fill(spec.method ?? 'GET')).toUpperCase();
  if (!METHOD.test(method)) throw new AppError('invalid', `http.method: "${method}" is not an HTTP method`);
  const headers = await headersOf(spec, context);
  return {
    method,
    ...urlText(await context.pieces(spec.url ?? '')),
    connection: spec.connection ?? '',
    headers,
    username: await context.value(spec.username),
    password: await context.value(spec.password),
    isNtlm: spec.ntlm === true || spec.ntlmv2 === true,
    body: await bodyOf(spec, headers['content-type'] ?? '', context),
  };
}

async function addressOf(rendered: Rendered, context: ActionContext) {
  const { url, connection, username, password } = rendered;
  if (connection === '') {
    if (!URL.canParse(url))
      throw new AppError('invalid', `http.url: "${url}" is not a URL with scheme and host`);
    const own = new URL(url);
    const signIn = {
      username: username || decodeURIComponent(own.username),
      password: password || decodeURIComponent(own.password),
    };
    own.username = '';
    own.password = '';
    return { url: own, bearer: '', isInsecure: false, ...signIn };
  }
  const found = await context.connection(connection);
  if (found === null) throw new AppError('invalid', `http.connection: ${connection} was not found`);
  const own = signInWith(found);
  return {
    url: addressBeside(found, url, context.author),
    bearer: found.properties['bearer'] ?? '',
    isInsecure: found.isInsecureTls,
    username: username || own.username,
    password: password || own.password,
  };
}

function authorization({
  username,
  password,
  bearer,
}: {
  username: string;
  password: string;
  bearer: string;
}) {
  if (bearer !== '' && username === '') return { authorization: `Bearer ${bearer}` };
  if (username === '' && password === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function run(rendered: Rendered, context: ActionContext): Promise<ActionOutcome> {
  const { method, headers, body, isHostChosen, isNtlm } = rendered;
  const { url, isInsecure, ...signIn } = await addressOf(rendered, context);
  const request = {
    method,
    url,
    headers: {
      'user-agent': USER_AGENT,
      ...(isNtlm ? {} : authorization(signIn)),
      ...headers,
      // Last, so that no playbook hides that it called itself.
      ...(isPlaybookWebhook(url.pathname) ? { [RUN_HEADER]: context.runId } : {}),
    },
    body,
    timeoutMs: context.timeoutMs,
    maxRedirects: MAX_REDIRECTS,
    maxBodyBytes: context.maxOutputBytes,
    tls: { isInsecure },
    ...(isNtlm ? { answerChallenge: ntlmSignIn(signIn) } : {}),
  };
  const trust = isHostChosen ? 'user' : context.trust;
  const { signal } = context;
  const answer = await requestThroughGuard(context.guard, trust, { request, signal });
  const text = answer.body.toString('utf8');
  const code = `${answer.statusCode} ${STATUS_CODES[answer.statusCode] ?? ''}`.trim();
  context.output('stdout', `${code}\n`);
  const result = { Code: code, Headers: answer.headers, Body: text };
  return {
    error: answer.statusCode >= FIRST_FAILURE ? `the service answered ${code}` : null,
    result: answer.isBodyCut ? { ...result, isCut: true } : result,
  };
}

/** A request. */
export const httpAction = registered({ name: 'http', schema: PLAYBOOK_ACTIONS.http, render, run });
