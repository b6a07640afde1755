/**
 * The sync worker's second entry, for the service worker: when the last tab is closed and the browser says that
 * there is a network again, it sends what the outbox still holds (design §4 law 12). It is the same outbox and the
 * same sender; the lock keeps it from sending beside a tab, and the claim makes a tab that wakes later know.
 * What was done stays in the outbox until a tab has seen it in the feed.
 */
import { AppError, ERROR_TEXTS } from '../../src/contract/errors.ts';
import type { PushReceipt, PushSubscriptionFacts } from '../../src/contract/push.ts';
import type { SessionUser } from '../../src/contract/session-user.ts';
import { whoIsHere } from './closed-app.ts';
import { createAnnouncer } from './tabs/announcer.ts';
import { discoverCapabilities } from './network/discover.ts';
import { createHttpClient } from './network/http-client.ts';
import { createChosenTransport } from './outbox/transport/chosen-transport.ts';
import { Outbox } from './outbox/outbox.ts';
import { openOutboxStore } from './outbox/outbox-store.ts';
import { Sender } from './outbox/sender.ts';
import { hasUnsentCommands } from './outbox/unsent.ts';
import { leaderLockOf } from './tabs/leader.ts';
import { createOrganizationClient } from './network/organization-client.ts';
import type { SyncPlatform } from './platform.ts';
import { callPush } from './actions/push-calls.ts';
import { createServerClock } from './network/server-clock.ts';

export { keepCommand } from './closed-app.ts';

/** A tab that leads answers for itself; nobody waits for it here. */
const LOCK_WAIT_MS = 1000;
/** Browsers end a service worker's event after about half a minute. */
const LONGEST_MS = 25_000;

async function isEmpty(outbox: Outbox): Promise<boolean> {
  const items = await outbox.items();
  return items.every(({ state }) => state.kind === 'refused' || state.kind === 'accepted');
}

/** Sends until nothing is left to send or the signal aborts. */
async function send(platform: SyncPlatform, user: SessionUser, signal: AbortSignal): Promise<void> {
  const clock = createServerClock(platform);
  const http = createOrganizationClient({
    front: createHttpClient(platform, clock),
    organization: () => user.organization ?? null,
    serverNow: () => clock.now(),
  });
  const { commands } = await discoverCapabilities({ http, clock, platform }, signal);
  const { storeName } = user;
  const store = openOutboxStore({
    idb: platform.idb,
    storeName,
    newId: () => platform.newId(),
    serverNow: () => clock.now(),
  });
  const announce = createAnnouncer(platform, storeName, () => {});
  const outbox = new Outbox({ platform, store, storeName, announce });
  const done = new AbortController();
  const sender = new Sender({
    platform,
    outbox,
    transport: createChosenTransport({ http, serverNow: () => clock.now(), canCommand: () => commands }),
    serverNow: () => clock.now(),
    isDeviceOnline: () => true,
    // Only a person can sign in; the next tab asks for it.
    onUnauthorized: () => done.abort(),
    // Nothing is pulled without a tab.
    onAwaitingPull: () => {},
    onAccepted: () => {},
  });
  const look = () => {
    isEmpty(outbox).then(
      (isSent) => {
        if (isSent) done.abort();
      },
      (error: unknown) => platform.report(error),
    );
  };
  outbox.onChange(look);
  try {
    const epoch = await outbox.claim();
    look();
    await sender.run(AbortSignal.any([signal, done.signal]), epoch);
    // The browser tries again later when this fails.
    if (!done.signal.aborted) throw new AppError('network', ERROR_TEXTS.network, { retryable: true });
  } finally {
    outbox.close();
  }
}

/** Sends what is left, unless a tab is there to do it. Rejects when something is left: to be called again. */
export async function drainOutbox(platform: SyncPlatform): Promise<void> {
  const user = await whoIsHere(platform.idb);
  if (user === null || !(await hasUnsentCommands(platform.idb, user.storeName))) return;
  const waited = new AbortController();
  const over = new AbortController();
  platform.later(LOCK_WAIT_MS, () => waited.abort());
  platform.later(LONGEST_MS, () => over.abort());
  const name = leaderLockOf(user.storeName);
  try {
    await platform.holdLock({ name, signal: waited.signal, steal: false }, (lost) =>
      send(platform, user, AbortSignal.any([over.signal, lost])),
    );
  } catch (error) {
    // A tab leads.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

/** The browser moved its push subscription while no page was open; a page tells it again when it is not told here. */
export async function tellNewAddress(
  platform: SyncPlatform,
  subscription: PushSubscriptionFacts,
  oldEndpoint: string,
): Promise<void> {
  const http = createHttpClient(platform, createServerClock(platform));
  await callPush(http, { do: 'subscribe', subscription });
  await callPush(http, { do: 'unsubscribe', endpoint: oldEndpoint });
}

/**
 * Says what became of a message here. One that can't be said is not kept: the person is then told by another way, which
 * is what a silent device is for.
 */
export async function tellReceipt(platform: SyncPlatform, receipt: PushReceipt): Promise<void> {
  const http = createHttpClient(platform, createServerClock(platform));
  try {
    await callPush(http, { do: 'receipt', receipt });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
