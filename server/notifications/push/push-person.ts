/** One message to the browsers of a person, with the rights of this moment. */
import { may } from '../../../src/domain/access/matrix.ts';
import type { PushMessage } from '../../../src/contract/push.ts';
import type { Sessions } from '../../access/identity/sessions/sessions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SendOutcome } from '../senders/sender.ts';
import { MESSAGES } from './messages.ts';
import { deleteSubscription, type Subscription } from './push-query.ts';
import {
  browsersFor,
  noteAccepted,
  openReceipt,
  type PersonsBrowser,
  type PushedThing,
} from './receipt-query.ts';
import type { PushResult } from './send-push.ts';

export interface PersonPush {
  personId: string;
  /** A browser is given it once. */
  thing: PushedThing;
  message: Omit<PushMessage, 'receipt'>;
  /** Whether a browser whose session has these roles may have it. */
  isFor: (roles: readonly string[]) => boolean;
  signal: AbortSignal;
  /** Only the first that takes it, the browser that was seen last before the others; else all of the rest. */
  isFirst: boolean;
}

export interface PersonPushed {
  outcome: SendOutcome;
  /** Browsers of the person that were not tried. */
  hasOthers: boolean;
}

interface PersonPushDeps {
  db: Queryable;
  now: () => number;
  sessions: Pick<Sessions, 'rolesOf'>;
  send: (parts: {
    subscription: Subscription;
    message: PushMessage;
    signal: AbortSignal;
  }) => Promise<PushResult>;
}

/** The message as this browser gets it: without what its session may not do. */
async function sendTo(
  deps: PersonPushDeps,
  browser: PersonsBrowser,
  asked: PersonPush & { roles: readonly string[] | null },
): Promise<PushResult> {
  const { roles, personId, thing, signal } = asked;
  if (roles === null) return { kind: 'gone' };
  if (!asked.isFor(roles)) return { kind: 'refused', status: 403 };
  const { about, ...rest } = asked.message;
  const { id: subscriptionId, device } = browser;
  const id = await openReceipt(deps.db, { thing, personId, subscriptionId, device });
  const message: PushMessage = { ...rest, receipt: { id, personId } };
  if (about !== undefined && may(roles, 'responder', 'write')) message.about = about;
  const result = await deps.send({ subscription: browser, message, signal });
  if (result.kind === 'sent') await noteAccepted(deps.db, id, new Date(deps.now()));
  return result;
}

/** Taken by one browser at least is sent; where none took it and one can't be reached now, it is tried again. */
export async function pushToPerson(deps: PersonPushDeps, asked: PersonPush): Promise<PersonPushed> {
  const { db, sessions } = deps;
  const browsers = await browsersFor(db, asked);
  const roles = await sessions.rolesOf(browsers.map((browser) => browser.session_id));
  let sent = 0;
  let failure: SendOutcome = { kind: 'failed', reason: MESSAGES.noBrowser };
  for (const [at, browser] of browsers.entries()) {
    const result = await sendTo(deps, browser, { ...asked, roles: roles.get(browser.session_id) ?? null });
    if (result.kind === 'gone') await deleteSubscription(db, browser.id);
    if (result.kind === 'refused') failure = { kind: 'failed', reason: MESSAGES.pushRefused(result.status) };
    if (result.kind === 'later')
      failure = { kind: 'later', reason: MESSAGES.pushAway, retryAfterMs: result.waitMs };
    if (result.kind !== 'sent') continue;
    sent += 1;
    if (asked.isFirst) return { outcome: { kind: 'sent' }, hasOthers: at + 1 < browsers.length };
  }
  return { outcome: sent > 0 ? { kind: 'sent' } : failure, hasOthers: false };
}
