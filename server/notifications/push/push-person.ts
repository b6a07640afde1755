/** One message to all browsers of a person, with the rights of this moment. */
import { may } from '../../../src/domain/access/matrix.ts';
import type { PushMessage } from '../../../src/contract/push.ts';
import type { Sessions } from '../../access/identity/sessions/sessions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SendOutcome } from '../senders/sender.ts';
import { MESSAGES } from './messages.ts';
import { browsersOf, deleteSubscription, type Subscription } from './push-query.ts';
import type { PushResult } from './send-push.ts';

export interface PersonPush {
  personId: string;
  message: PushMessage;
  signal: AbortSignal;
  /** Browsers that an earlier attempt reached, of those in order. */
  done: number;
}

interface PersonPushDeps {
  db: Queryable;
  sessions: Pick<Sessions, 'rolesOf'>;
  send: (parts: {
    subscription: Subscription;
    message: PushMessage;
    signal: AbortSignal;
  }) => Promise<PushResult>;
}

/** Taken by one browser at least is sent; one that can't be reached now is tried again. */
export async function pushToPerson(
  { db, sessions, send }: PersonPushDeps,
  { personId, message, signal, done }: PersonPush,
): Promise<SendOutcome> {
  const browsers = await browsersOf(db, personId);
  const roles = await sessions.rolesOf(browsers.map((browser) => browser.session_id));
  let reached = done;
  let refusal: string | null = null;
  for (const browser of browsers.slice(done)) {
    const own = roles.get(browser.session_id) ?? null;
    const result: PushResult =
      own === null
        ? { kind: 'gone' }
        : may(own, 'notifications', 'read')
          ? await send({ subscription: browser, message, signal })
          : { kind: 'refused', status: 403 };
    if (result.kind === 'gone') await deleteSubscription(db, browser.id);
    if (result.kind === 'sent') reached += 1;
    if (result.kind === 'refused') refusal = MESSAGES.pushRefused(result.status);
    if (result.kind === 'later')
      return { kind: 'later', reason: MESSAGES.pushAway, retryAfterMs: result.waitMs, doneCalls: reached };
  }
  return reached > 0 ? { kind: 'sent' } : { kind: 'failed', reason: refusal ?? MESSAGES.noBrowser };
}
