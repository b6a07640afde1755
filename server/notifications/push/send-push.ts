/**
 * One message to one browser, through the push service that the browser named. That address comes from a user: it is
 * judged more strictly than any other (egress guard: public places only), https only, no redirects, and its answer is not read but for its status.
 */
// CommonJS: Node finds no named exports in it.
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import { AppError } from '../../../src/contract/errors.ts';
import type { PushMessage } from '../../../src/contract/push.ts';
import { EgressRefused, type EgressGuard } from '../../platform/egress/egress-guard.ts';
import { requestThroughGuard, type EgressTls } from '../../platform/egress/egress-http.ts';
import type { PushKeys } from './push-keys.ts';
import type { Subscription } from './push-query.ts';

const TIMEOUT_MS = 15_000;
/** How long a push service keeps it for a device that is off. */
const KEPT_SECONDS = 4 * 3600;
const MAX_ANSWER_BYTES = 4096;
const MAX_WAIT_MS = 3_600_000;

export interface PushSender {
  guard: EgressGuard;
  keys: PushKeys;
  /** Whom a push service may write to about this server (RFC 8292). */
  subject: string;
  tls: EgressTls;
}

export type PushResult =
  | { kind: 'sent' }
  /** The browser gave the subscription up, or it may not be called. */
  | { kind: 'gone' }
  /** Not this one, and not later. */
  | { kind: 'refused'; status: number }
  /** `waitMs`: the push service asked for it. */
  | { kind: 'later'; waitMs: number | null; error: unknown };

function waitOf(retryAfter: string | undefined): number | null {
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : null;
}

function resultOf(status: number, headers: Readonly<Record<string, string>>): PushResult {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500)
    return { kind: 'later', waitMs: waitOf(headers['retry-after']), error: null };
  return { kind: 'refused', status };
}

/** Whether it is a point of P-256: without one nothing can be encrypted for the browser. */
export function isKeyOfBrowser(p256dh: string): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY')
      return false;
    throw error;
  }
}

/** The text of an incident: 32 letters that push services take as the name of what a later message replaces. */
const topicOf = ({ tag }: PushMessage): string => tag.replaceAll(/[^\w]/g, '').slice(-32);

/**
 * The message as only that browser can read it; null where its keys are none. They have the look of keys (contract),
 * but not every look-alike is a point of the curve, and only sending finds out.
 */
function encrypted(sender: PushSender, subscription: Subscription, message: PushMessage) {
  const { endpoint, p256dh, auth } = subscription;
  try {
    return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
      vapidDetails: { subject: sender.subject, ...sender.keys },
      TTL: KEPT_SECONDS,
      urgency: 'high',
      topic: topicOf(message),
    });
  } catch (error) {
    if (isKeyOfBrowser(p256dh)) throw error;
    return null;
  }
}

/** Sends it; what went wrong outside is an answer, not an error. */
export async function sendPush(
  sender: PushSender,
  {
    subscription,
    message,
    signal,
  }: { subscription: Subscription; message: PushMessage; signal: AbortSignal },
): Promise<PushResult> {
  const details = encrypted(sender, subscription, message);
  if (details === null) return { kind: 'gone' };
  const headers = Object.fromEntries(
    Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
  );
  try {
    const answer = await requestThroughGuard(sender.guard, 'reader', {
      request: {
        method: 'POST',
        url: new URL(subscription.endpoint),
        headers,
        body: details.body,
        timeoutMs: TIMEOUT_MS,
        maxRedirects: 0,
        maxBodyBytes: MAX_ANSWER_BYTES,
        tls: sender.tls,
      },
      signal,
    });
    return resultOf(answer.statusCode, answer.headers);
  } catch (error) {
    if (error instanceof EgressRefused) return { kind: 'gone' };
    if (!(error instanceof AppError)) throw error;
    return { kind: 'later', waitMs: null, error };
  }
}
