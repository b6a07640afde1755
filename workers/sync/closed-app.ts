/**
 * What the service worker knows and does while no page is open: who is signed in on this device, and commands that are
 * written into the same outbox as those of the pages. They are shown and sent like all others (drain.ts).
 */
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import { sessionUserSchema, type SessionUser } from '../../src/contract/session-user.ts';
import { openKeyValue } from '../store/key-value.ts';
import { DEVICE_DB } from '../store/store-names.ts';
import { createServerClock } from './network/server-clock.ts';
import { StoredServerClock } from './network/stored-server-clock.ts';
import { Outbox } from './outbox/outbox.ts';
import { openOutboxStore } from './outbox/outbox-store.ts';
import type { SyncPlatform } from './platform.ts';
import { IS_SIGNED_IN, USER } from './session/session.ts';
import { createAnnouncer } from './tabs/announcer.ts';

/** Null while nobody is signed in. */
export async function whoIsHere(idb: IDBFactory): Promise<SessionUser | null> {
  const device = openKeyValue(DEVICE_DB, idb);
  try {
    if ((await device.get(IS_SIGNED_IN)) !== true) return null;
    const parsed = sessionUserSchema.safeParse(await device.get(USER));
    return parsed.success ? parsed.data : null;
  } finally {
    device.close();
  }
}

/** The server's time as this device knew it last, ms. */
async function lastKnownNow(platform: SyncPlatform): Promise<number> {
  const device = openKeyValue(DEVICE_DB, platform.idb);
  try {
    const clock = createServerClock(platform);
    await new StoredServerClock(clock, device).restore();
    return clock.now();
  } finally {
    device.close();
  }
}

export interface ClosedAppCommand {
  /** Whose notification it was: another person of this device does not act by it. */
  personId: string;
  /** What it is about, by name. */
  name: string;
  /** `nowMs`: the server's time as far as it is known here. */
  request: (nowMs: number) => CommandRequest;
}

/** Resolves when it is durable on this device; false where somebody else, or nobody, is signed in. */
export async function keepCommand(
  platform: SyncPlatform,
  { personId, name, request }: ClosedAppCommand,
): Promise<boolean> {
  const user = await whoIsHere(platform.idb);
  if (user === null || user.id !== personId) return false;
  const { storeName } = user;
  const nowMs = await lastKnownNow(platform);
  const store = openOutboxStore({
    idb: platform.idb,
    storeName,
    newId: () => platform.newId(),
    serverNow: () => nowMs,
  });
  const announce = createAnnouncer(platform, storeName, () => {});
  const outbox = new Outbox({ platform, store, storeName, announce });
  try {
    const readRow = (_collection: string, id: string) => Promise.resolve({ id, name });
    await outbox.append(request(nowMs), { userId: user.id, nowMs, readRow });
    return true;
  } finally {
    outbox.close();
  }
}
