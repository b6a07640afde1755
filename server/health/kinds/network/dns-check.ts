/** dns: asks a server, or the system where none is named, and compares what comes back (schema §4.1). */
import { Resolver, lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AppError } from '../../../../src/contract/errors.ts';
import { orAborted } from '../../../../src/lib/or-aborted.ts';
import { startStopwatch } from '../../kind/stopwatch.ts';
import type { Stopwatch } from '../../kind/stopwatch.ts';
import type { KindContext, KindResult } from '../../kind/check-kind.ts';
import {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  failed,
  invalid,
  notRun,
  passed,
} from '../../kind/check-kind.ts';
import { reasonOf } from '../../../platform/reason-of.ts';
import { z } from 'zod';
import { registeredKind } from '../../kind/registered-kind.ts';
import { common, count, port, required, text } from '../../kind/spec-fields.ts';

const DNS_TYPES = ['A', 'AAAA', 'CNAME', 'SRV', 'MX', 'PTR', 'TXT', 'NS'] as const;
const srvReply = z.strictObject({
  target: text.optional(),
  port: count.optional(),
  priority: count.optional(),
  weight: count.optional(),
});
const dnsFields = z.strictObject({
  ...common,
  server: z.string().optional(),
  port: port.optional(),
  query: required,
  querytype: z
    .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(DNS_TYPES))
    .optional(),
  minrecords: count.optional(),
  exactreply: z.array(text).nullish(),
  timeout: count.optional(),
  thresholdMillis: count.optional(),
  srvReply: srvReply.optional(),
});
const dnsSchema = dnsFields.refine((spec) => spec.srvReply === undefined || spec.querytype === 'SRV', {
  path: ['srvReply'],
  message: 'needs querytype SRV',
});
type DnsSpec = z.output<typeof dnsSchema>;

const DNS_PORT = 53;

const dotted = (name: string) => (name.endsWith('.') ? name : `${name}.`);

/** `1.2.3.4` → `4.3.2.1.in-addr.arpa` is what node does for `reverse`; a PTR question may also be asked by name. */
async function askPtr(resolver: Resolver, query: string): Promise<string[]> {
  const names = isIP(query) === 0 ? await resolver.resolvePtr(query) : await resolver.reverse(query);
  return names.map(dotted);
}

/** A name without a CNAME record answers itself, as the system's resolver does. */
async function askCname(resolver: Resolver, query: string): Promise<string[]> {
  try {
    return (await resolver.resolveCname(query)).map(dotted);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENODATA';
    if (!isAbsent) throw error;
    await resolver.resolve4(query);
    return [dotted(query)];
  }
}

async function ask(resolver: Resolver, spec: DnsSpec): Promise<string[]> {
  const { query } = spec;
  switch (spec.querytype ?? 'A') {
    case 'A':
      return resolver.resolve4(query);
    case 'AAAA':
      return resolver.resolve6(query);
    case 'CNAME':
      return askCname(resolver, query);
    case 'SRV':
      return (await resolver.resolveSrv(query)).map(
        (r) => `${dotted(r.name)} ${r.port} ${r.priority} ${r.weight}`,
      );
    case 'MX':
      return (await resolver.resolveMx(query)).map((r) => `${dotted(r.exchange)} ${r.priority}`);
    case 'PTR':
      return askPtr(resolver, query);
    case 'TXT':
      return (await resolver.resolveTxt(query)).map((parts) => parts.join(''));
    case 'NS':
      return (await resolver.resolveNs(query)).map(dotted);
  }
}

/** Without a server, addresses come from the system, which also reads its hosts file. */
async function askSystem(spec: DnsSpec): Promise<string[]> {
  const type = spec.querytype ?? 'A';
  if (type !== 'A' && type !== 'AAAA') return ask(new Resolver(), spec);
  const found = await lookup(spec.query, { all: true, family: type === 'A' ? 4 : 6 });
  return found.map(({ address }) => address);
}

/** What is to be waited for, and who measures it. */
interface Asking {
  timeoutMs: number;
  watch: Stopwatch;
}

async function resolve(spec: DnsSpec, context: KindContext, asking: Asking): Promise<string[]> {
  const { timeoutMs, watch } = asking;
  if (spec.server === undefined || spec.server === '') return askSystem(spec);
  const port = spec.port ?? DNS_PORT;
  const target = await context.guard.check(spec.server, port, context.trust);
  const { address, family } = target.addresses[0];
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  // Who the server is was our question; how long it takes is counted from here.
  watch.restart();
  resolver.setServers([family === 6 ? `[${address}]:${port}` : `${address}:${port}`]);
  return ask(resolver, spec);
}

function judge(spec: DnsSpec, records: string[], durationMs: number): KindResult {
  const data = { results: { records } };
  const least = spec.minrecords ?? 1;
  if (records.length < least)
    return failed(`${records.length} records, at least ${least} wanted`, durationMs, data);
  const wanted = (spec.exactreply ?? []).toSorted();
  if (wanted.length > 0 && wanted.join('\n') !== records.toSorted().join('\n'))
    return failed(`got ${records.toSorted().join(', ')}, wanted ${wanted.join(', ')}`, durationMs, data);
  const srv = srvComplaint(spec, records);
  if (srv !== null) return failed(srv, durationMs, data);
  if (spec.thresholdMillis && durationMs > spec.thresholdMillis)
    return failed(`took ${durationMs} ms, allowed are ${spec.thresholdMillis} ms`, durationMs, data);
  return passed(durationMs, data, records.join(', '));
}

/** What no record says that `srvReply` wants of one, or null; records are as `ask` writes them. */
function srvComplaint({ srvReply: wanted }: DnsSpec, records: readonly string[]): string | null {
  if (wanted === undefined) return null;
  const parts = [
    wanted.target === undefined || wanted.target === '' ? undefined : dotted(wanted.target),
    wanted.port,
    wanted.priority,
    wanted.weight,
  ];
  const isSo = (record: string) => {
    const own = record.split(' ');
    return parts.every((part, at) => part === undefined || String(part) === own[at]);
  };
  if (records.some(isSo)) return null;
  return `got ${records.join(', ')}, wanted ${parts.map((part) => part ?? '*').join(' ')}`;
}

/** A refused address is "not run", an answer that comes too late or says another thing has failed. */
async function runDnsCheck(spec: DnsSpec, context: KindContext): Promise<KindResult> {
  const timeoutMs = Math.min(spec.timeout ? spec.timeout * 1000 : DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
  const watch = startStopwatch(context.platform);
  const limit = watch.limit(timeoutMs);
  try {
    const records = await orAborted(resolve(spec, context, { timeoutMs, watch }), limit);
    return judge(spec, records, watch.elapsedMs());
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return notRun(error.message);
    if (error instanceof AppError && error.code === 'invalid') return invalid(error.message);
    if (limit.aborted) return failed(`no answer within ${timeoutMs} ms`, watch.elapsedMs());
    return failed(reasonOf(error), watch.elapsedMs());
  } finally {
    watch.stop();
  }
}

/** Records of a name. */
export const dnsKind = registeredKind({
  key: 'dns',
  title: 'DNS records',
  needs: 'nothing',
  testedAgainst: 'stand-in',
  example: { name: 'our address', query: 'example.com', querytype: 'A', minrecords: 1 },
  schema: dnsSchema,
  run: runDnsCheck,
});
