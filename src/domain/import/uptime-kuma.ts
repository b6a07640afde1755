/** Backups of Uptime Kuma (version 1): its monitors as checks. Fields are those of its `monitor` table. */
import { z } from 'zod';
import { entryOf, everySeconds, hostAndPort, type ImportEntry, type MappedCheck } from './import-entry.ts';
import { jsonOrNull } from '../../lib/json-or-null.ts';
import { lookupTable } from '../../lib/lookup-table.ts';

const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)));
const number = z
  .union([z.number(), z.string().transform(Number)])
  .nullish()
  .transform((value) => (value === null || value === undefined || Number.isNaN(value) ? null : value));
const flag = z
  .union([z.boolean(), z.number().transform((value) => value !== 0)])
  .nullish()
  .transform((value) => value ?? false);

const monitorSchema = z.object({
  id: number,
  name: text,
  type: text,
  url: text,
  hostname: text,
  port: number,
  interval: number,
  timeout: number,
  active: z
    .union([z.boolean(), z.number()])
    .nullish()
    .transform((value) => value !== false && value !== 0),
  method: text,
  body: text,
  headers: text,
  keyword: text,
  invertKeyword: flag,
  upsideDown: flag,
  description: text,
  httpBodyEncoding: text,
  maxretries: number,
  proxyId: number,
  notificationIDList: z.record(z.string(), z.unknown()).nullish().catch(null),
  jsonPath: text,
  expectedValue: text,
  maxredirects: number,
  accepted_statuscodes: z.array(text).nullish(),
  ignoreTls: flag,
  expiryNotification: flag,
  authMethod: text,
  basic_auth_user: text,
  basic_auth_pass: text,
  dns_resolve_server: text,
  dns_resolve_type: text,
  databaseConnectionString: text,
  databaseQuery: text,
  grpcUrl: text,
  grpcServiceName: text,
  grpcEnableTls: flag,
  tags: z.array(z.object({ name: text, value: text })).nullish(),
});
type Monitor = z.output<typeof monitorSchema>;

const backupSchema = z.object({ monitorList: z.array(z.unknown()) });

/** True for the JSON of a backup. */
export const isUptimeKuma = (value: unknown): boolean => backupSchema.safeParse(value).success;

/** `200-299` is what a check expects by itself; other ranges are written out. */
function codesOf(accepted: readonly string[]): { codes: number[] | null; note: string | null } {
  const isUsual = accepted.length === 0 || (accepted.length === 1 && accepted[0] === '200-299');
  if (isUsual) return { codes: null, note: null };
  const unread: string[] = [];
  const codes = accepted.flatMap((range) => {
    const [from = '', to = from] = range.split('-');
    const [first, last] = [Number(from), Number(to)];
    if (Number.isInteger(first) && Number.isInteger(last) && first >= 100 && last >= first && last < 1000)
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    unread.push(range);
    return [];
  });
  const note = unread.length === 0 ? null : `Accepted status codes ${unread.join(', ')} are left out.`;
  return { codes: codes.length === 0 ? null : [...new Set(codes)], note };
}

function headersOf(json: string): { headers: { name: string; value: string }[]; note: string | null } {
  if (json.trim() === '') return { headers: [], note: null };
  const read = z.record(z.string(), text).safeParse(jsonOrNull(json));
  return read.success
    ? { headers: Object.entries(read.data).map(([name, value]) => ({ name, value })), note: null }
    : { headers: [], note: 'Its headers are not JSON and are left out.' };
}

function signIn({ authMethod, basic_auth_user: user, basic_auth_pass: pass }: Monitor) {
  if (authMethod === '' || authMethod === 'null') return { fields: {}, note: null };
  const fields = { username: { value: user }, password: { value: pass } };
  if (authMethod === 'basic') return { fields, note: null };
  if (authMethod === 'ntlm') return { fields: { ...fields, ntlm: true }, note: null };
  return { fields: {}, note: `Signing in by ${authMethod} is left out.` };
}

const TYPES = lookupTable<string>({
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
});

/** What is said of the body that is sent, where no header does. */
function bodyType({ body, httpBodyEncoding }: Monitor, headers: readonly { name: string }[]) {
  if (body === '' || headers.some(({ name }) => name.toLowerCase() === 'content-type')) return [];
  const type = TYPES[httpBodyEncoding || 'json'];
  return type === undefined ? [] : [{ name: 'Content-Type', value: type }];
}

/** A condition on the body, in the expressions of checks. */
function bodyTest({ type, keyword, invertKeyword, jsonPath, expectedValue }: Monitor) {
  if (type === 'keyword' && keyword !== '') {
    if (!invertKeyword) return { fields: { responseContent: keyword }, note: null };
    return { fields: { test: { expr: `!content.contains(${JSON.stringify(keyword)})` } }, note: null };
  }
  if (type !== 'json-query') return { fields: {}, note: null };
  const isPath = /^\$?\.?[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*$/.test(jsonPath);
  if (!isPath) return { fields: {}, note: `The JSON query ${jsonPath} is left out.` };
  const path = jsonPath.replace(/^\$?\.?/, '');
  return {
    fields: { test: { expr: `string(json.${path}) == ${JSON.stringify(expectedValue)}` } },
    note: null,
  };
}

function httpCheck(monitor: Monitor): MappedCheck | string {
  if (!/^https?:\/\//i.test(monitor.url)) return 'It has no address.';
  const { codes, note: codesNote } = codesOf(monitor.accepted_statuscodes ?? []);
  const { headers: given, note: headersNote } = headersOf(monitor.headers);
  const headers = [...given, ...bodyType(monitor, given)];
  const { fields: access, note: accessNote } = signIn(monitor);
  const { fields: test, note: testNote } = bodyTest(monitor);
  const { method, body, maxredirects, ignoreTls, expiryNotification, timeout } = monitor;
  const check = {
    url: monitor.url,
    ...(method === '' || method === 'GET' ? {} : { method }),
    ...(body === '' ? {} : { body }),
    ...(headers.length === 0 ? {} : { headers }),
    ...(codes === null ? {} : { responseCodes: codes }),
    ...(maxredirects === null || maxredirects > 20 || maxredirects < 0 ? {} : { maxRedirects: maxredirects }),
    ...(timeout === null || timeout <= 0 ? {} : { timeout: Math.round(timeout * 1000) }),
    ...(ignoreTls ? { tlsConfig: { insecureSkipVerify: true } } : {}),
    ...(expiryNotification && !ignoreTls && /^https:/i.test(monitor.url) ? { maxSSLExpiry: 7 } : {}),
    ...access,
    ...test,
  };
  const notes = [codesNote, headersNote, accessNote, testNote].filter((note) => note !== null);
  return { kind: 'http', check, notes };
}

function placed(kind: string, { hostname, port }: Monitor): MappedCheck | string {
  if (hostname === '' || port === null) return 'It has no host and port.';
  return { kind, check: { endpoint: hostAndPort(hostname, port) }, notes: [] };
}

const DNS_PORT = 53;

function dnsCheck(monitor: Monitor): MappedCheck | string {
  const { hostname, port, dns_resolve_server: server, dns_resolve_type: type } = monitor;
  if (hostname === '') return 'It has no name to look up.';
  const [first = ''] = server.split(',');
  const more = server.includes(',') ? ['Only the first of its DNS servers is asked.'] : [];
  const check = {
    query: hostname,
    ...(type === '' ? {} : { querytype: type.toUpperCase() }),
    ...(first.trim() === '' ? {} : { server: first.trim() }),
    ...(port === null || port === DNS_PORT ? {} : { port }),
    minrecords: 1,
  };
  return { kind: 'dns', check, notes: more };
}

function database(
  kind: string,
  { databaseConnectionString: url, databaseQuery: query }: Monitor,
): MappedCheck | string {
  if (url === '') return 'It has no address.';
  const isUrl = /^[a-z+]+:\/\//i.test(url);
  if (!isUrl)
    return 'Its address is a list of settings: write it as a connection, and add the check by hand.';
  return { kind, check: { url, ...(query === '' ? {} : { query }) }, notes: [] };
}

function grpc({ grpcUrl, grpcServiceName: service, grpcEnableTls: hasTls }: Monitor): MappedCheck | string {
  if (grpcUrl === '') return 'It has no address.';
  const check = {
    endpoint: grpcUrl.replace(/^[a-z]+:\/\//i, ''),
    ...(hasTls ? {} : { plaintext: true }),
    ...(service === '' ? {} : { service }),
  };
  return {
    kind: 'grpc',
    check,
    notes: ['It asks for the health of the service; the call of the monitor is left out.'],
  };
}

const MAPPERS = lookupTable<(monitor: Monitor) => MappedCheck | string>({
  http: httpCheck,
  keyword: httpCheck,
  'json-query': httpCheck,
  port: (monitor) => placed('tcp', monitor),
  ping: ({ hostname }) =>
    hostname === '' ? 'It has no host.' : { kind: 'icmp', check: { endpoint: hostname }, notes: [] },
  dns: dnsCheck,
  postgres: (monitor) => database('postgres', monitor),
  mysql: (monitor) => database('mysql', monitor),
  mongodb: (monitor) => {
    const found = database('mongodb', { ...monitor, databaseQuery: '' });
    if (typeof found === 'string' || monitor.databaseQuery === '') return found;
    return { ...found, notes: [...found.notes, 'Its command is left out: the check pings the database.'] };
  },
  redis: (monitor) => database('redis', { ...monitor, databaseQuery: '' }),
  sqlserver: (monitor) => database('mssql', monitor),
  'grpc-keyword': grpc,
});

const REASONS = lookupTable<string>({
  group: 'It is a group of monitors; its monitors are imported by themselves.',
  push: 'It waits to be called, which no kind of check does here.',
});

/** What it has besides, and no check has. */
function leftOut({ maxretries, proxyId, notificationIDList }: Monitor): string[] {
  return [
    ...(maxretries !== null && maxretries > 0
      ? [`Its ${maxretries} retries are left out: the first failure counts.`]
      : []),
    ...(proxyId === null ? [] : ['Its proxy is left out.']),
    ...(Object.keys(notificationIDList ?? {}).length > 0
      ? ['Its notifications are left out: a notification rule says who is told.']
      : []),
  ];
}

function mapped(monitor: Monitor): MappedCheck | string {
  const { type } = monitor;
  const mapper = MAPPERS[type];
  const reason = REASONS[type];
  if (mapper === undefined) return reason ?? `There is no check like a monitor of the type ${type}.`;
  if (monitor.upsideDown)
    return 'It is upside down: it fails while it is reached, as no kind of check does here.';
  const found = mapper(monitor);
  if (typeof found === 'string') return found;
  const { description } = monitor;
  return {
    ...found,
    check: { ...found.check, ...(description === '' ? {} : { description }) },
    notes: [...found.notes, ...leftOut(monitor)],
  };
}

function readMonitor(raw: unknown, at: number): ImportEntry {
  const read = monitorSchema.safeParse(raw);
  if (!read.success) return entryOf({ name: `monitor ${at + 1}`, schedule: null }, 'It could not be read.');
  const monitor = read.data;
  const name = monitor.name.trim() === '' ? `monitor ${at + 1}` : monitor.name.trim();
  const labels = Object.fromEntries((monitor.tags ?? []).map((tag) => [tag.name, tag.value]));
  const entry = entryOf({ name, labels, schedule: everySeconds(monitor.interval) }, mapped(monitor));
  if (entry.spec === null || monitor.active) return entry;
  return {
    ...entry,
    spec: { ...entry.spec, replicas: 0 },
    notes: [...entry.notes, 'It is paused, as it was there.'],
  };
}

/** Its monitors, in their order. */
export function readUptimeKuma(value: unknown): ImportEntry[] {
  return backupSchema.parse(value).monitorList.map(readMonitor);
}
