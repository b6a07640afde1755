/**
 * From where somebody asks, as limits count it: an IPv4 address, or the /64 of an IPv6 address, because whoever has
 * one address there has all 2^64 of them.
 */
import ipaddr from 'ipaddr.js';

const IPV6_PREFIX_PARTS = 4;

/** The key under which an address is counted; a text that is no address is its own key. */
export function networkKey(ip: string): string {
  const [plain = ''] = ip.split('%');
  if (!ipaddr.isValid(plain)) return ip;
  // Takes IPv4 out of its mapped form.
  const address = ipaddr.process(plain);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const prefix = address.parts.slice(0, IPV6_PREFIX_PARTS).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}
