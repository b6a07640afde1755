/** The machine's resolver and networks, as the egress guard asks for them. */
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { EgressAddress } from './egress-guard.ts';

/** Every address of a name, by the system's resolver. */
export async function resolveBySystem(host: string): Promise<EgressAddress[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** This machine's addresses with their network size, `address/bits`. */
export function ownNetworks(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).flatMap((entry) => (entry.cidr === null ? [] : [entry.cidr])),
  );
}

/** Whether the machine has an address besides its loopback. */
export function hasOuterNetwork(): boolean {
  return Object.values(networkInterfaces()).some((entries) =>
    (entries ?? []).some((entry) => !entry.internal),
  );
}
