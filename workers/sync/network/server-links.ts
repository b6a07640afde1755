/** The sync worker's ways to its servers: the device's own word on the network, the server's clock, and two clients. */
import type { SessionOrganization } from '../../../src/contract/session-user.ts';
import { createDeviceLink, type DeviceLink } from './device-link.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { createOrganizationClient, meantFor } from './organization-client.ts';
import type { SyncPlatform } from '../platform.ts';
import { createServerClock, type ServerClock } from './server-clock.ts';

export interface ServerLinks {
  link: DeviceLink;
  /** The worker's platform, whose network is the link's. */
  platform: SyncPlatform;
  clock: ServerClock;
  /** To the server that the app came from. */
  front: HttpClient;
  /** On behalf of whoever is signed in, where they work. */
  http: HttpClient;
}

/** `organization`: where the user works at this moment; null outside of the hosted mode. */
export function createServerLinks(
  outside: SyncPlatform,
  organization: () => SessionOrganization | null,
): ServerLinks {
  const link = createDeviceLink(outside);
  const platform: SyncPlatform = {
    ...outside,
    fetch: link.fetch,
    openEvents: (url, names, handlers) =>
      link.openEvents(meantFor(url, organization() ?? undefined), names, handlers),
  };
  const clock = createServerClock(platform);
  const front = createHttpClient(platform, clock);
  const http = createOrganizationClient({ front, organization, serverNow: () => clock.now() });
  return { link, platform, clock, front, http };
}
