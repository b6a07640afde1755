/** The guard of this server's own outgoing calls: the operator's rules, this machine's networks, its database. */
import { createEgressGuard } from './egress-guard.ts';
import type { EgressGuard } from './egress-guard.ts';
import { ownNetworks, resolveBySystem } from './platform-network.ts';

interface GuardSettings {
  egressAllow: string[];
  egressDeny: string[];
  databaseUrl: string | null;
}

/** Where the server's own PostgreSQL listens; PGlite has no port. */
function databaseAddress(databaseUrl: string | null): { host: string; port: number } | null {
  if (databaseUrl === null || !URL.canParse(databaseUrl)) return null;
  const url = new URL(databaseUrl);
  return { host: url.hostname, port: Number(url.port || 5432) };
}

/** Reads the machine's networks at each call, since they change while the server runs. */
export function createServerGuard(settings: GuardSettings): EgressGuard {
  return createEgressGuard({
    allow: settings.egressAllow,
    deny: settings.egressDeny,
    resolve: resolveBySystem,
    ownNetworks,
    ownDatabase: databaseAddress(settings.databaseUrl),
  });
}
