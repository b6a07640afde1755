/**
 * The one gate for outgoing calls: decides whether a host and port may be reached, and answers the addresses
 * to connect to. Invariants: the name is resolved once; every resolved address is judged, and one bad address
 * refuses the name; callers connect to an address from the answer and never resolve again (DNS rebinding).
 * Knows nothing of protocols; egress-http.ts and the check kinds build on it.
 */
import { AppError } from '../../../src/contract/errors.ts';
import { broadcastOf, canonicalAddress, classifyAddress } from './address-rules.ts';
import { isNamed, parseEgressRule } from './egress-rules.ts';
import type { EgressQuestion } from './egress-rules.ts';

/** Who wrote what is to be called: the operator, in a file on the server, or somebody through the API. */
export type EgressTrust = 'operator' | 'user';
/** `reader`: somebody who may write nothing here but his own browser's address; only public places are open to him. */
export type EgressCaller = EgressTrust | 'reader';

export interface EgressAddress {
  address: string;
  family: 4 | 6;
}

export interface EgressTarget {
  /** As asked for, without brackets and trailing dot; for SNI and the Host header. */
  host: string;
  /** All judged good, never empty. */
  addresses: [EgressAddress, ...EgressAddress[]];
}

/** The place may not be called. The message names the rule, never what was found there. */
export class EgressRefused extends AppError {
  constructor(message: string) {
    super('forbidden', message);
    this.name = 'EgressRefused';
  }
}

export interface EgressGuard {
  /** Throws EgressRefused, or `network` when the name doesn't resolve. `port` null where a protocol has none. */
  check(host: string, port: number | null, trust: EgressCaller): Promise<EgressTarget>;
}

export interface EgressGuardOptions {
  allow: readonly string[];
  deny: readonly string[];
  resolve: (host: string) => Promise<EgressAddress[]>;
  /** This machine's networks in CIDR form (address/bits), as now. */
  ownNetworks: () => string[];
  /** Where the server's own database listens; null when it has no port. */
  ownDatabase: { host: string; port: number } | null;
}

const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);
const MAX_HOST_LENGTH = 253;
const HOST_NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/;

/**
 * The host in one spelling: lower case, no brackets, no trailing dot, and the decimal, hex, octal and short
 * forms of IPv4 read as what the system's resolver would make of them.
 */
export function canonicalHost(raw: string): string {
  const bare = raw.startsWith('[') && raw.endsWith(']') ? raw.slice(1, -1) : raw;
  if (bare.includes(':')) {
    const address = canonicalAddress(bare);
    if (address === null || bare.includes('%')) throw new EgressRefused(`The host "${raw}" is not valid`);
    return address;
  }
  // What URL syntax gives a meaning must not reach the URL parser below: `a@b` would become `b`.
  if (/[\s/@#?\\]/.test(bare)) throw new AppError('invalid', `The host "${raw}" is not valid`);
  let host = bare.toLowerCase();
  try {
    host = new URL(`http://${bare}/`).hostname;
  } catch (error) {
    throw new AppError('invalid', `The host "${raw}" is not valid`, { cause: error });
  }
  host = host.replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || !HOST_NAME.test(host))
    throw new AppError('invalid', `The host "${raw}" is not valid`);
  return host;
}

/** Builds the guard; throws `invalid` when an allow or deny entry can't be read. */
export function createEgressGuard(options: EgressGuardOptions): EgressGuard {
  const allow = options.allow.map(parseEgressRule);
  const deny = options.deny.map(parseEgressRule);

  const resolveHost = async (host: string): Promise<EgressAddress[]> => {
    const literal = canonicalAddress(host);
    if (literal !== null) return [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
    try {
      return await options.resolve(host);
    } catch (error) {
      throw new AppError('network', `The name ${host} could not be resolved`, { cause: error });
    }
  };

  const isOwnDatabase = async (question: EgressQuestion): Promise<boolean> => {
    const own = options.ownDatabase;
    if (own === null || (question.port !== null && question.port !== own.port)) return false;
    const found = await resolveHost(canonicalHost(own.host));
    const addresses = new Set(found.map((entry) => entry.address));
    if (addresses.has(question.address)) return true;
    const isLocal = found.some((entry) => classifyAddress(entry.address) === 'loopback');
    const mine = options.ownNetworks().map((cidr) => cidr.split('/')[0]);
    return isLocal && (question.class === 'loopback' || mine.includes(question.address));
  };

  const refusalOf = async (question: EgressQuestion, trust: EgressCaller): Promise<string | null> => {
    const { address } = question;
    if (question.class === 'never') return `${address} is link-local, metadata, multicast or reserved`;
    if (options.ownNetworks().some((cidr) => broadcastOf(cidr) === address)) return `${address} is broadcast`;
    const isAllowed = isNamed(allow, question);
    if (isAllowed) return null;
    if (isNamed(deny, question)) return `${address} is closed by EGRESS_DENY`;
    if (trust === 'operator') return null;
    if (await isOwnDatabase(question)) return "it is the server's own database";
    if (trust === 'reader' && question.class === 'private')
      return `${address} is private (EGRESS_ALLOW can open it)`;
    return question.class === 'loopback' ? `${address} is this machine (EGRESS_ALLOW can open it)` : null;
  };

  return {
    async check(rawHost, port, trust) {
      const host = canonicalHost(rawHost);
      if (METADATA_NAMES.has(host)) throw new EgressRefused(`Calls to ${host} are not allowed: metadata`);
      if (port !== null && !(Number.isInteger(port) && port > 0 && port <= 65_535))
        throw new AppError('invalid', `The port ${port} is not valid`);
      const [first, ...rest] = await resolveHost(host);
      if (first === undefined) throw new AppError('network', `The name ${host} has no address`);
      for (const { address } of [first, ...rest]) {
        const question = {
          host,
          port,
          address: canonicalAddress(address) ?? address,
          class: classifyAddress(address),
        };
        const reason = await refusalOf(question, trust);
        if (reason !== null) throw new EgressRefused(`Calls to ${host} are not allowed: ${reason}`);
      }
      return { host, addresses: [first, ...rest] };
    },
  };
}
