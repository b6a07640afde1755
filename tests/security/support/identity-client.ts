/** For tests only: the identity's forms as a page uses them. */
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { csrfTokenIn } from './test-browser.ts';
import type { TestBrowser } from './test-browser.ts';

const BASE = '/api/.ory/self-service';

interface Message {
  id: number;
  text: string;
  type: string;
  context?: { secret?: string; secrets?: { text: string; context: { secret?: string } }[] };
}

export interface Node {
  type: string;
  group: string;
  attributes: {
    name: string;
    type?: string;
    value?: unknown;
    id?: string;
    src?: string;
    href?: string;
    text?: Message;
    disabled?: boolean;
  };
  messages: Message[];
  meta: { label?: Message };
}

export interface Form {
  id: string;
  state: string;
  return_to?: string;
  requested_aal?: string;
  expires_at: string;
  ui: { action: string; method: string; nodes: Node[]; messages: Message[] };
  continue_with?: { action: string; flow: { id: string } }[];
}

export interface Refusal {
  error: { id?: string; code: number; status: string; reason: string; message: string };
  redirect_browser_to?: string;
  use_flow_id?: string;
}

export type Kind = 'login' | 'registration' | 'recovery' | 'verification' | 'settings';

/** Asks for a form; fails when it is refused. */
export async function openForm(browser: TestBrowser, kind: Kind, query = ''): Promise<Form> {
  const answer = await browser.get(`${BASE}/${kind}/browser${query}`);
  const body = (await answer.json()) as Form;
  expect([kind, answer.status, body]).toEqual([kind, 200, expect.anything()]);
  return body;
}

export async function readForm(browser: TestBrowser, kind: Kind, id: string): Promise<Form> {
  const answer = await browser.get(`${BASE}/${kind}/flows?id=${id}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Form;
}

/** Sends a form with the token of its own. */
export function sendForm(
  browser: TestBrowser,
  sent: { kind: Kind; form: Form; fields: Record<string, unknown> },
): Promise<Response> {
  const { kind, form, fields } = sent;
  return browser.post(`${BASE}/${kind}?flow=${form.id}`, { csrf_token: csrfTokenIn(form), ...fields });
}

/** Sends a form that should be taken; answers it as it is then. */
export async function saveForm(
  browser: TestBrowser,
  sent: { kind: Kind; form: Form; fields: Record<string, unknown> },
): Promise<Form> {
  const answer = await sendForm(browser, sent);
  const body = (await answer.json()) as Form;
  expect([answer.status, body.ui?.messages ?? body]).toEqual([200, expect.anything()]);
  return body;
}

export const idsOf = (form: Form) => form.ui.messages.map((message) => message.id);

export const namesOf = (form: Form, group: string) =>
  form.ui.nodes
    .filter((node) => node.group === group)
    .map((node) => node.attributes.name ?? node.attributes.id ?? '');

export const nodeOf = (form: Form, name: string) =>
  form.ui.nodes.find((node) => node.attributes.name === name || node.attributes.id === name);

/** The code that an authenticator app shows at a time. */
export function totpCode(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: atMs });
}

/** Links an app to the account that is signed in; answers its secret. */
export async function linkApp(browser: TestBrowser, now: () => number): Promise<string> {
  const form = await openForm(browser, 'settings');
  const secret = nodeOf(form, 'totp_secret_key')?.attributes.text?.context?.secret ?? '';
  const fields = { method: 'totp', totp_code: totpCode(secret, now()) };
  await saveForm(browser, { kind: 'settings', form, fields });
  return secret;
}

/** Makes and confirms recovery codes. */
export async function makeCodes(browser: TestBrowser): Promise<string[]> {
  const kind = 'settings';
  const form = await openForm(browser, kind);
  const pending = await saveForm(browser, { kind, form, fields: { lookup_secret_regenerate: 'true' } });
  await saveForm(browser, { kind, form: pending, fields: { lookup_secret_confirm: 'true' } });
  return codesIn(pending);
}

/** The recovery codes that a form shows. */
export function codesIn(form: Form): string[] {
  const secrets = nodeOf(form, 'lookup_secret_codes')?.attributes.text?.context?.secrets ?? [];
  return secrets.flatMap(({ context }) => (context.secret === undefined ? [] : [context.secret]));
}
