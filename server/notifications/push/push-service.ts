/** Web Push as one: browsers are registered and tested, people's browsers are sent to, and say what became of it. */
import { AppError } from '../../../src/contract/errors.ts';
import type { PushMessage, PushReceipt, PushSubscriptionFacts } from '../../../src/contract/push.ts';
import { links } from '../../../src/domain/links.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Platform } from '../../platform/platform.ts';
import type { EgressGuard } from '../../platform/egress/egress-guard.ts';
import type { EgressTls } from '../../platform/egress/egress-http.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Sealer } from '../../platform/crypto/sealing.ts';
import type { Sessions } from '../../access/identity/sessions/sessions.ts';
import { MESSAGES } from './messages.ts';
import { loadPushKeys, type PushKeys } from './push-keys.ts';
import { pushToPerson, type PersonPush, type PersonPushed } from './push-person.ts';
import {
  deleteOwnSubscription,
  deleteSubscription,
  findSubscription,
  saveSubscription,
} from './push-query.ts';
import { isShown, noteAccepted, noteReceipt, openReceipt } from './receipt-query.ts';
import { isKeyOfBrowser, sendPush, type PushResult } from './send-push.ts';

const HTTPS_PORT = 443;
/** So long a test waits for the device to say that it showed it. */
const TEST_WAIT_MS = 8000;
const TEST_LOOK_MS = 200;

/** By its address, or as the server knows it. */
export type TestedBrowser = { endpoint: string } | { subscriptionId: string };

export interface PushService {
  /** What browsers subscribe with. */
  publicKey(): Promise<string>;
  subscribe(principal: Principal, asked: PushSubscriptionFacts): Promise<void>;
  unsubscribe(principal: Principal, endpoint: string): Promise<void>;
  /** Sends a message now and waits until the device says that it showed it; throws when it wasn't taken. */
  test(principal: Principal, to: TestedBrowser): Promise<{ isShown: boolean }>;
  /** What a device says of a message; what nobody sent to the person is no message of theirs. */
  note(principal: Principal, receipt: PushReceipt): Promise<void>;
  /** To all browsers of a person, now. */
  sendToPerson(asked: PersonPush): Promise<PersonPushed>;
}

export interface PushDeps {
  db: Database;
  platform: Platform;
  logger: Logger;
  sessions: Pick<Sessions, 'rolesOf'>;
  notifier: Pick<ChangeNotifier, 'notify'>;
  guard: EgressGuard;
  sealer: Sealer;
  /** Whom a push service may write to: an https address or `mailto:`. */
  subject: () => string;
  /** For push services whose certificate the machine doesn't know. */
  tls?: EgressTls;
}

/**
 * Where a subscription was found at the time; the guard judges it again with every message. All refusals are one
 * sentence: what names lead to which places inside is nobody's business.
 */
async function checkEndpoint(guard: EgressGuard, endpoint: string): Promise<void> {
  const { hostname, port, username, password } = new URL(endpoint);
  if (username !== '' || password !== '')
    throw new AppError('invalid', 'endpoint: must not carry a name or password');
  try {
    await guard.check(hostname, port === '' ? HTTPS_PORT : Number(port), 'reader');
  } catch (error) {
    if (error instanceof AppError) throw new AppError('invalid', MESSAGES.badEndpoint, { cause: error });
    throw error;
  }
}

function createSend(deps: PushDeps) {
  let keys: Promise<PushKeys> | null = null;
  const loadKeys = () => {
    keys ??= loadPushKeys(deps.db, deps.sealer).catch((error: unknown) => {
      // The next call tries again.
      keys = null;
      throw error;
    });
    return keys;
  };
  const send = async (parts: {
    subscription: { id: string; endpoint: string; p256dh: string; auth: string };
    message: PushMessage;
    signal: AbortSignal;
  }): Promise<PushResult> =>
    sendPush(
      { guard: deps.guard, keys: await loadKeys(), subject: deps.subject(), tls: deps.tls ?? {} },
      parts,
    );
  return { loadKeys, send };
}

type Send = ReturnType<typeof createSend>['send'];

function testMessage(nowMs: number, receipt: PushMessage['receipt']): PushMessage {
  return {
    receipt,
    v: 1,
    title: MESSAGES.testTitle,
    body: MESSAGES.testBody,
    url: links.inbox(),
    tag: 'test',
    at: new Date(nowMs).toISOString(),
  };
}

async function wasShown({ db, platform }: PushDeps, receiptId: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < TEST_WAIT_MS; waitedMs += TEST_LOOK_MS) {
    if (await isShown(db, receiptId)) return true;
    await platform.sleep(TEST_LOOK_MS);
  }
  return isShown(db, receiptId);
}

async function testBrowser(
  deps: PushDeps,
  send: Send,
  { personId, to }: { personId: string; to: TestedBrowser },
): Promise<{ isShown: boolean }> {
  const { db, platform } = deps;
  const subscription = await findSubscription(db, { personId, ...to });
  if (subscription === null) throw new AppError('not_found', MESSAGES.unknownEndpoint);
  const { device, ...browser } = subscription;
  const id = await openReceipt(db, { thing: null, personId, subscriptionId: browser.id, device });
  const message = testMessage(platform.now(), { id, personId });
  const result = await send({ subscription: browser, message, signal: new AbortController().signal });
  if (result.kind === 'sent') {
    await noteAccepted(db, id, new Date(platform.now()));
    return { isShown: await wasShown(deps, id) };
  }
  if (result.kind === 'gone') await deleteSubscription(db, browser.id);
  deps.logger.info({ subscriptionId: browser.id, result }, 'a test message could not be pushed');
  // One sentence whatever went wrong: it must not tell what answers where.
  throw new AppError('network', MESSAGES.testFailed);
}

/** Throws `invalid` for a key or an endpoint that no browser has, `forbidden` without a session. */
export function createPushService(deps: PushDeps): PushService {
  const { db, platform } = deps;
  const { loadKeys, send } = createSend(deps);
  return {
    publicKey: async () => (await loadKeys()).publicKey,
    async subscribe({ personId, sessionId }, { endpoint, keys }) {
      if (sessionId === null) throw new AppError('forbidden', MESSAGES.needsSession);
      if (!isKeyOfBrowser(keys.p256dh)) throw new AppError('invalid', MESSAGES.badKey);
      await checkEndpoint(deps.guard, endpoint);
      await db.transaction((tx) => saveSubscription(tx, { personId, sessionId, endpoint, ...keys }));
    },
    async unsubscribe({ personId }, endpoint) {
      await deleteOwnSubscription(db, { personId, endpoint });
    },
    test: (principal, to) => testBrowser(deps, send, { personId: principal.personId, to }),
    async note({ personId }, receipt) {
      const noted = await noteReceipt(db, receipt, { personId, now: new Date(platform.now()) });
      if (!noted) throw new AppError('not_found', MESSAGES.unknownMessage);
      deps.notifier.notify('notification_send_history');
    },
    sendToPerson: (asked) =>
      pushToPerson({ db, sessions: deps.sessions, send, now: () => platform.now() }, asked),
  };
}
