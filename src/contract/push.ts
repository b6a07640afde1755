/**
 * Web Push (RFC 8030, 8291, 8292): what a browser tells the server of its subscription, and what the server sends to
 * it. A message carries no more than a lock screen may show.
 */
import { z } from 'zod';
import { ACKNOWLEDGED_KINDS } from '../domain/notification/acknowledgement.ts';

/** An uncompressed point of P-256, and 16 bytes of shared secret, in base64url. */
const P256DH = /^B[\w-]{86}$/;
const AUTH = /^[\w-]{22}$/;

/** `POST /api/push/subscriptions`: as `PushSubscription.toJSON()` has it. */
export const pushSubscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https$/, error: 'must be an https address' }).max(2000),
  keys: z.object({
    p256dh: z.string().regex(P256DH, 'is not a key of a browser'),
    auth: z.string().regex(AUTH, 'is not a secret of a browser'),
  }),
});
export type PushSubscriptionFacts = z.output<typeof pushSubscriptionSchema>;

/** `DELETE /api/push/subscriptions`, `POST /api/push/test` */
export const pushEndpointSchema = z.object({ endpoint: z.string().max(2000) });

/** `GET /api/push/key` */
export const pushKeySchema = z.object({ key: z.string() });

/** What is sent, encrypted for the one browser that it is for. */
export const pushMessageSchema = z.object({
  v: z.literal(1),
  title: z.string(),
  body: z.string(),
  /** Path of this app. */
  url: z.string().regex(/^\/(?![/\\])/),
  /** A later message with the same tag replaces the one on the screen. */
  tag: z.string(),
  /** ISO; when it happened. */
  at: z.string(),
  /** Path of this app where a run is approved, after a confirmation; only for those who are asked. */
  approveUrl: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional(),
  /** By which the device says what became of it (`POST /api/push/receipts`), and whose device it was sent to. */
  receipt: z.object({ id: z.guid(), personId: z.string() }).optional(),
  /** What can be acknowledged and snoozed from the notification, for those who may. */
  about: z.object({ kind: z.enum(ACKNOWLEDGED_KINDS), id: z.guid() }).optional(),
});
export type PushMessage = z.output<typeof pushMessageSchema>;

/** What a person can do with a notification. */
export const PUSH_ACTIONS = ['open', 'acknowledge', 'snooze', 'dismiss'] as const;

/** `POST /api/push/receipts`: what became of a message on this device. Acting on it means that it was shown. */
export const pushReceiptSchema = z.discriminatedUnion('step', [
  z.object({ step: z.enum(['received', 'shown']), id: z.guid() }),
  z.object({ step: z.literal('acted'), id: z.guid(), action: z.enum(PUSH_ACTIONS) }),
]);
export type PushReceipt = z.output<typeof pushReceiptSchema>;

/** What `POST /api/push/test` answers: whether the device said in time that it showed the message. */
export const pushTestSchema = z.object({ isShown: z.boolean() });

/** What the app asks of the server for this browser; never queued: offline it is refused. */
export const pushCallSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('key') }),
  z.object({ do: z.literal('subscribe'), subscription: pushSubscriptionSchema }),
  z.object({ do: z.literal('unsubscribe'), endpoint: z.string() }),
  z.object({ do: z.literal('test'), endpoint: z.string() }),
  z.object({ do: z.literal('receipt'), receipt: pushReceiptSchema }),
]);
export type PushCall = z.input<typeof pushCallSchema>;
