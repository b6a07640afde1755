/** Webhooks with an address of their own, and SMS gateways that are asked so: title and body under chosen names. */
import { WEBHOOK_PARAMETERS, type ServiceAddress } from '../../../src/domain/notification/service-address.ts';
import { basicAuth, formCall, jsonCall, type CallsOf } from './sender.ts';

const FORM = /^application\/x-www-form-urlencoded/i;
/** Properties that are sent along in the body, as `$name` in the address. */
const EXTRA = /^\$(.+)$/;
const HEADER = /^@(.+)$/;

interface Plan {
  url: URL;
  headers: Record<string, string>;
  extra: Record<string, string>;
}

function planOf(address: ServiceAddress): Plan {
  const url = new URL(address.url ?? address.origin);
  const headers: Record<string, string> = {};
  const extra: Record<string, string> = {};
  // What is deleted while it is walked over would hide its neighbour.
  const given = [...url.searchParams];
  for (const [name, value] of given) {
    const [, header] = HEADER.exec(name) ?? [];
    const [, field] = EXTRA.exec(name) ?? [];
    if (header !== undefined) headers[header.toLowerCase()] = value;
    if (field !== undefined) extra[field] = value;
    if (header !== undefined || field !== undefined || WEBHOOK_PARAMETERS.has(name.toLowerCase()))
      url.searchParams.delete(name);
  }
  const user = address.parts['user'] || decodeURIComponent(url.username);
  const password = address.parts['password'] || decodeURIComponent(url.password);
  if (user !== '') Object.assign(headers, basicAuth(user, password));
  url.username = '';
  url.password = '';
  return { url, headers, extra };
}

/** `POST` of JSON or a form, or `GET` with parameters. */
export const webhookCalls: CallsOf = (message, address) => {
  const { parts } = address;
  const { url, headers, extra } = planOf(address);
  const fields = {
    ...extra,
    ...message.properties,
    [parts['titlekey'] || 'title']: message.title,
    [parts['messagekey'] || parts['key'] || 'message']: message.body,
  };
  const keyed = { 'idempotency-key': message.key, ...headers };
  if ((parts['requestmethod'] ?? 'POST').toUpperCase() === 'GET') {
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
    return [{ method: 'GET', url: url.href, headers: keyed }];
  }
  const type = parts['contenttype'] || 'application/json';
  if (FORM.test(type)) return [formCall(url.href, fields, keyed)];
  const links = message.links === undefined || message.links.length === 0 ? {} : { links: message.links };
  return [jsonCall(url.href, { ...fields, ...links }, { 'content-type': type, ...keyed })];
};
