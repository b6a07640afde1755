/** Asks a server what it can do besides the contract; a plain one answers 404 (design §3). */
import { AppError } from '../../../src/contract/errors.ts';
import { capabilitiesSchema, type Capabilities } from '../../../src/contract/sync.ts';
import type { HttpClient } from './http-client.ts';
import type { SyncPlatform } from '../platform.ts';
import type { ServerClock } from './server-clock.ts';

export interface DiscoverParts {
  http: HttpClient;
  clock: ServerClock;
  platform: Pick<SyncPlatform, 'now'>;
}

/** What the server can; the device's offset is learnt on the way. */
export async function discoverCapabilities(
  { http, clock, platform }: DiscoverParts,
  signal: AbortSignal,
): Promise<Capabilities> {
  const sentMs = platform.now();
  try {
    const found = capabilitiesSchema.parse(await http.json({ path: '/api/capabilities', signal }));
    const serverMs = Date.parse(found.server_time);
    clock.observe({ sentMs, receivedMs: platform.now(), serverMs, resolutionMs: 1 });
    return found;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return capabilitiesSchema.parse({ version: '', server_time: '' });
  }
}
