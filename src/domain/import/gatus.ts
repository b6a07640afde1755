/** Configurations of Gatus: its endpoints as checks. What a condition can't become is told. */
import { z } from 'zod';
import { parseDuration } from '../check/duration.ts';
import { entryOf, everySeconds, type ImportEntry, type MappedCheck } from './import-entry.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const clientSchema = z.looseObject({ timeout: text.nullish(), insecure: z.boolean().nullish() });
const endpointSchema = z.looseObject({
  name: text.nullish(),
  group: text.nullish(),
  enabled: z.boolean().nullish(),
  url: text.nullish(),
  method: text.nullish(),
  body: text.nullish(),
  headers: z.record(z.string(), text).nullish(),
  interval: text.nullish(),
  conditions: z.array(text).nullish(),
  dns: z.object({ 'query-name': text.nullish(), 'query-type': text.nullish() }).nullish(),
  client: clientSchema.nullish(),
  graphql: z.boolean().nullish(),
});
type Endpoint = z.output<typeof endpointSchema>;
const configSchema = z.union([
  z.object({ endpoints: z.array(z.unknown()) }),
  // Its older name.
  z.object({ services: z.array(z.unknown()) }).transform(({ services }) => ({ endpoints: services })),
]);

/** True for a parsed configuration. */
export const isGatus = (value: unknown): boolean => configSchema.safeParse(value).success;

/** Conditions, one after the other: what each becomes, or a note. */
type Condition = { fields: Record<string, unknown>; test: string | null; note: string | null };
const nothing: Condition = { fields: {}, test: null, note: null };
const left = (condition: string): Condition => ({
  ...nothing,
  note: `The condition ${condition} is left out.`,
});

const DAY_MS = 86_400_000;
const literal = (value: string) =>
  /^-?\d+(?:\.\d+)?$/.test(value) || value === 'true' || value === 'false' ? value : JSON.stringify(value);

function statusCondition(condition: string, operator: string, right: string): Condition {
  const any = /^any\(([\d,\s]+)\)$/.exec(right)?.[1] ?? right;
  const codes = any.split(',').map((part) => Number(part.trim()));
  if (operator === '==' && codes.every((code) => Number.isInteger(code) && code > 0))
    return { ...nothing, fields: { responseCodes: codes } };
  const isNumber = /^\d+$/.test(right);
  if (!isNumber || !['<', '<=', '>', '>=', '!='].includes(operator)) return left(condition);
  return {
    fields: {
      responseCodes: Array.from({ length: 500 }, (_, at) => at + 100).filter((code) =>
        fits(code, operator, Number(right)),
      ),
    },
    test: null,
    note: null,
  };
}

function fits(code: number, operator: string, limit: number): boolean {
  if (operator === '<') return code < limit;
  if (operator === '<=') return code <= limit;
  if (operator === '>') return code > limit;
  return operator === '>=' ? code >= limit : code !== limit;
}

interface Comparison {
  path: string;
  operator: string;
  right: string;
}

function bodyCondition(condition: string, { path, operator, right }: Comparison): Condition {
  const isPlain = /^(?:\.[A-Za-z_]\w*(?:\[\d+\])?)*$/.test(path) && /^[^()]*$/.test(right);
  if (!isPlain || !['==', '!=', '<', '>', '<=', '>='].includes(operator)) return left(condition);
  return { ...nothing, test: `${path === '' ? 'content' : `json${path}`} ${operator} ${literal(right)}` };
}

function readCondition(condition: string): Condition {
  const [, what = '', path = '', operator = '', behind = ''] =
    /^\[([A-Z_]+)\]([^\s=!<>]*)\s*(==|!=|<=|>=|<|>)(.*)$/.exec(condition.trim()) ?? [];
  const right = behind.trim();
  if (what === 'STATUS') return statusCondition(condition, operator, right);
  if (what === 'BODY') return bodyCondition(condition, { path, operator, right });
  if (what === 'CONNECTED' && right === 'true') return nothing;
  if (what === 'DNS_RCODE' && right === 'NOERROR') return nothing;
  if (what === 'RESPONSE_TIME' && operator.startsWith('<') && /^\d+$/.test(right))
    return { ...nothing, fields: { thresholdMillis: Number(right) } };
  const ms = what === 'CERTIFICATE_EXPIRATION' && operator.startsWith('>') ? parseDuration(right) : null;
  if (ms !== null) return { ...nothing, fields: { maxSSLExpiry: Math.ceil(ms / DAY_MS) } };
  return left(condition);
}

/** Of the conditions on one thing the strictest: each of them has to hold. */
function stricter(name: string, one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.filter((code) => other.includes(code));
  const [a, b] = [Number(one), Number(other)];
  return name === 'maxSSLExpiry' ? Math.max(a, b) : Math.min(a, b);
}

function conditionsOf(endpoint: Endpoint): { fields: Record<string, unknown>; notes: string[] } {
  const read = (endpoint.conditions ?? []).map(readCondition);
  const tests = read.flatMap(({ test }) => test ?? []);
  const notes = read.flatMap(({ note }) => note ?? []);
  const fields = new Map<string, unknown>();
  for (const [name, value] of read.flatMap((one) => Object.entries(one.fields)))
    fields.set(name, fields.has(name) ? stricter(name, fields.get(name), value) : value);
  if (tests.length > 0) fields.set('test', { expr: tests.join(' && ') });
  const codes = fields.get('responseCodes');
  if (Array.isArray(codes) && codes.length === 0) notes.push('No status meets all of its conditions.');
  // What a check expects by itself is not written out.
  if (Array.isArray(codes) && isAnyGood(codes)) fields.delete('responseCodes');
  return { fields: Object.fromEntries(fields), notes };
}

/** Every status of 2xx, and no other that an answer ends with. */
function isAnyGood(codes: readonly unknown[]): boolean {
  const ends = codes.filter((code) => Number(code) >= 200);
  return ends.length === 100 && ends.every((code) => Number(code) < 300);
}

/** Only those of the fields that the kind has; the conditions of the others are told. */
function only(names: readonly string[], { fields, notes }: ReturnType<typeof conditionsOf>) {
  const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
  const lost = Object.keys(fields).filter((name) => !names.includes(name));
  return {
    kept,
    notes: [...notes, ...lost.map((name) => `Its condition on ${WORDS[name] ?? name} is left out.`)],
  };
}
const WORDS = lookupTable<string>({
  responseCodes: 'the status',
  test: 'the body',
  maxSSLExpiry: 'the certificate',
  thresholdMillis: 'the response time',
});

/** What is sent; a query of GraphQL stands in a document of its own. */
function sentBy({ headers, body, graphql }: Endpoint) {
  const sent = { ...headers };
  if (graphql !== true || body == null) return { headers: sent, body };
  const hasType = Object.keys(sent).some((name) => name.toLowerCase() === 'content-type');
  return {
    headers: hasType ? sent : { ...sent, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: body }),
  };
}

function httpCheck(endpoint: Endpoint, url: string): MappedCheck {
  const { kept, notes } = only(
    ['responseCodes', 'thresholdMillis', 'maxSSLExpiry', 'test'],
    conditionsOf(endpoint),
  );
  const asksStatus = (endpoint.conditions ?? []).some((condition) => condition.trim().startsWith('[STATUS]'));
  if (!asksStatus) notes.push('Any status was good there; here any 2xx is.');
  const timeoutMs = endpoint.client?.timeout == null ? null : parseDuration(endpoint.client.timeout);
  const sent = sentBy(endpoint);
  const headers = Object.entries(sent.headers).map(([name, value]) => ({ name, value }));
  const check = {
    url,
    ...(endpoint.method == null || endpoint.method === 'GET' ? {} : { method: endpoint.method }),
    ...(sent.body == null ? {} : { body: sent.body }),
    ...(headers.length === 0 ? {} : { headers }),
    ...(timeoutMs === null ? {} : { timeout: timeoutMs }),
    ...(endpoint.client?.insecure === true ? { tlsConfig: { insecureSkipVerify: true } } : {}),
    ...kept,
  };
  return { kind: 'http', check, notes };
}

/** The kinds that name a place, by the scheme of the address. */
const PLACES = lookupTable<string>({
  tcp: 'tcp',
  tls: 'certificate',
  starttls: 'smtp',
  ssh: 'ssh',
  icmp: 'icmp',
  ws: 'websocket',
  wss: 'websocket',
  grpc: 'grpc',
  grpcs: 'grpc',
});

function placeCheck(endpoint: Endpoint, scheme: string, url: string): MappedCheck | string {
  const kind = PLACES[scheme];
  if (kind === undefined) return `There is no check like an endpoint of ${scheme}://.`;
  const place = url.slice(scheme.length + 3).replace(/\/$/, '');
  const conditions = conditionsOf(endpoint);
  const days = conditions.fields['maxSSLExpiry'];
  const { kept, notes } = only(['thresholdMillis'], {
    ...conditions,
    fields: Object.fromEntries(
      Object.entries(conditions.fields).filter(([name]) => kind !== 'certificate' || name !== 'maxSSLExpiry'),
    ),
  });
  if (kind === 'websocket') {
    const body = endpoint.body == null ? {} : { body: endpoint.body };
    return { kind, check: { url, ...body, ...kept }, notes };
  }
  if (kind === 'smtp') return { kind, check: { url: `smtp://${place}`, startTLS: true, ...kept }, notes };
  const own =
    kind === 'certificate' && typeof days === 'number'
      ? { minDays: days }
      : kind === 'grpc' && scheme === 'grpc'
        ? { plaintext: true }
        : {};
  return { kind, check: { endpoint: place, ...own, ...kept }, notes };
}

function check(endpoint: Endpoint): MappedCheck | string {
  const url = endpoint.url ?? '';
  const dns = endpoint.dns;
  if (dns?.['query-name'] != null) {
    const { kept, notes } = only(['thresholdMillis'], conditionsOf(endpoint));
    const [server = '', port] = url.split(':');
    const where = {
      ...(server === '' ? {} : { server }),
      ...(port === undefined ? {} : { port: Number(port) }),
    };
    const type = dns['query-type'] == null ? {} : { querytype: dns['query-type'].toUpperCase() };
    return {
      kind: 'dns',
      check: { query: dns['query-name'], ...type, ...where, minrecords: 1, ...kept },
      notes,
    };
  }
  const scheme = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'It has no address.';
  return scheme === 'http' || scheme === 'https'
    ? httpCheck(endpoint, url)
    : placeCheck(endpoint, scheme, url);
}

/** What stands in it and has no place in a check; how it is drawn is nobody's loss. */
function leftOut(endpoint: Endpoint): string[] {
  const isSomething = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  const namesIn = (value: object, known: object, before: string) =>
    Object.entries(value).flatMap(([name, one]) =>
      Object.hasOwn(known, name) || !isSomething(one) ? [] : [`${before}${name}`],
    );
  const names = [
    ...namesIn(endpoint, { ...endpointSchema.shape, ui: null }, ''),
    ...namesIn(endpoint.client ?? {}, clientSchema.shape, 'client.'),
  ];
  return names.length === 0 ? [] : [`Left out: ${names.join(', ')}.`];
}

function readEndpoint(raw: unknown, at: number): ImportEntry {
  const read = endpointSchema.safeParse(raw);
  if (!read.success) return entryOf({ name: `endpoint ${at + 1}`, schedule: null }, 'It could not be read.');
  const endpoint = read.data;
  const name = endpoint.name?.trim() || `endpoint ${at + 1}`;
  const labels: Record<string, string> = endpoint.group == null ? {} : { group: endpoint.group };
  const everyMs = endpoint.interval == null ? 60_000 : parseDuration(endpoint.interval);
  const entry = entryOf(
    { name, labels, schedule: everySeconds(everyMs === null ? 60 : everyMs / 1000) },
    check(endpoint),
  );
  if (entry.spec === null) return entry;
  const notes = [...entry.notes, ...leftOut(endpoint)];
  if (endpoint.enabled !== false) return { ...entry, notes };
  return {
    ...entry,
    spec: { ...entry.spec, replicas: 0 },
    notes: [...notes, 'It is paused, as it was there.'],
  };
}

/** Its endpoints, in their order. */
export function readGatus(value: unknown): ImportEntry[] {
  return configSchema.parse(value).endpoints.map(readEndpoint);
}
