/**
 * What kind of place an IP address is. Looks through every form that carries an IPv4 address inside an IPv6
 * one, and answers for the worst of the two, so that a refused address has no second spelling.
 */
import ipaddr from 'ipaddr.js';

/** `never`: no check may go there, whoever wrote it. */
export type AddressClass = 'never' | 'loopback' | 'private' | 'public';

const RANK: Readonly<Record<AddressClass, number>> = { never: 3, loopback: 2, private: 1, public: 0 };

/** Cloud metadata services that are not on a link-local address. */
const METADATA_ADDRESSES = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', '192.0.0.192']);

const NEVER_RANGES = new Set(['unspecified', 'broadcast', 'multicast', 'linkLocal', 'discard']);
const PRIVATE_RANGES = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'deprecatedSiteLocal']);
/** 240.0.0.0/4 is unused; its top is broadcast. */
const FIRST_UNUSED_OCTET = 240;

function plainClass(address: ipaddr.IPv4 | ipaddr.IPv6): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'never';
  const range = address.range();
  if (NEVER_RANGES.has(range)) return 'never';
  if (range === 'loopback') return 'loopback';
  if (PRIVATE_RANGES.has(range)) return 'private';
  if (address instanceof ipaddr.IPv4 && (address.octets[0] ?? 0) >= FIRST_UNUSED_OCTET) return 'never';
  return 'public';
}

const isZero = (bytes: readonly number[]) => bytes.every((byte) => byte === 0);

/** IPv4 addresses carried inside an IPv6 one: mapped, compatible, NAT64, 6to4, Teredo, ISATAP. */
function embeddedAddresses(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const last = bytes.slice(12);
  const at = (part: number[]) => new ipaddr.IPv4(part);
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6145' || range === 'rfc6052') return [at(last)];
  if (range === '6to4') return [at(bytes.slice(2, 6))];
  if (range === 'teredo') return [at(bytes.slice(4, 8)), at(last.map((byte) => byte ^ 0xff))];
  const isIsatap = bytes[10] === 0x5e && bytes[11] === 0xfe && bytes[9] === 0;
  const isCompatible = isZero(bytes.slice(0, 12)) && !isZero(bytes.slice(12, 15));
  // 64:ff9b:1::/48 is the NAT64 prefix for private use; the address is in the last four bytes.
  const isLocalNat64 = bytes[0] === 0 && bytes[1] === 0x64 && bytes[2] === 0xff && bytes[3] === 0x9b;
  return isIsatap || isCompatible || isLocalNat64 ? [at(last)] : [];
}

/** The class of an address in text form; anything that is not a plain address, also one with a zone, is `never`. */
export function classifyAddress(text: string): AddressClass {
  if (text.includes('%') || !ipaddr.isValid(text)) return 'never';
  const address = ipaddr.parse(text);
  const all = address instanceof ipaddr.IPv6 ? [address, ...embeddedAddresses(address)] : [address];
  return all.map(plainClass).reduce((worst, one) => (RANK[one] > RANK[worst] ? one : worst), 'public');
}

/** The shortest spelling of an address, IPv4 taken out of its mapped form; null for what is not an address. */
export function canonicalAddress(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

/** The directed broadcast address of an IPv4 network in CIDR form; null for others. */
export function broadcastOf(cidr: string): string | null {
  if (cidr.includes(':')) return null;
  const [, bits] = cidr.split('/');
  // Networks of one or two addresses have no broadcast address.
  return Number(bits) > 30 ? null : ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString();
}
