/**
 * Any system with an address of its own: each event is one POST of JSON. The answer may tell an id, an address and
 * a status. A repeated call carries the same Idempotency-Key, by which the receiver knows it; with a secret, each
 * is signed over its body (docs/incidents-responders.md).
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Adapter, AdapterContext, Call, OutgoingComment, Phase, RemoteState } from './adapter.ts';
import { askOutside, below, notUnderstood } from './outside-call.ts';
import { unusable } from './outside-failure.ts';
import { MESSAGES } from './messages.ts';

const LONGEST_ID = 255;
const shortText = z.union([z.string(), z.number()]).transform((value) => String(value).slice(0, LONGEST_ID));

const told = z.looseObject({
  id: shortText.nullish(),
  url: z.string().nullish(),
  status: z.string().nullish(),
});
const state = z.looseObject({
  status: z.string().nullish(),
  comments: z
    .array(z.looseObject({ id: shortText, text: z.string(), author: z.string().nullish() }))
    .default([]),
});

const PHASES: readonly [RegExp, Phase][] = [
  [/^(?:closed?|cancell?ed)$/i, 'closed'],
  [/^(?:resolved?|done|fixed|solved|completed?)$/i, 'resolved'],
  [/^(?:ack.*|in.?progress|investigating|assigned|active|work.in.progress)$/i, 'acknowledged'],
  [/^(?:new|open|created?|to.?do)$/i, 'created'],
];

interface Sent {
  event: string;
  call: Call;
  key: string | null;
  idempotencyKey: string;
  more?: { comment?: OutgoingComment; status?: string };
}

async function post(sent: Sent, context: AdapterContext): Promise<z.output<typeof told>> {
  const { client, now } = context;
  const { responderId: id, responderType: type, fields, incident } = sent.call;
  const body = {
    event: sent.event,
    sent_at: new Date(now()).toISOString(),
    incident,
    responder: { id, type, external_id: sent.key, fields },
    ...sent.more,
  };
  const signature = createHmac('sha256', client.secret).update(JSON.stringify(body)).digest('hex');
  const headers = {
    'idempotency-key': sent.idempotencyKey,
    ...(client.secret === '' ? {} : { 'x-holdfast-signature': `sha256=${signature}` }),
  };
  const { json } = await askOutside({ method: 'POST', url: below(client, ''), body, headers }, context);
  const read = told.safeParse(json ?? {});
  if (!read.success) throw notUnderstood(client, 'id, url or status of the wrong kind', read.error);
  return read.data;
}

async function readState(key: string, context: AdapterContext): Promise<RemoteState> {
  const { client } = context;
  const filled = client.statusUrl.replaceAll('{id}', encodeURIComponent(key));
  // Only to where the client's secrets belong.
  if (!URL.canParse(filled) || new URL(filled).origin !== below(client, '').origin)
    throw unusable(MESSAGES.otherHost(client.name));
  const { json } = await askOutside({ url: new URL(filled) }, context);
  const found = state.safeParse(json);
  if (!found.success) throw notUnderstood(client, 'no status and comments', found.error);
  const status = found.data.status ?? null;
  const phase = PHASES.find(([pattern]) => pattern.test(status ?? ''))?.[1] ?? null;
  const comments = found.data.comments.map((one) => ({ ...one, author: one.author ?? client.name }));
  return { status, phase, comments };
}

/** Finds nothing; reads a state only where the client has a status address. */
export function createWebhookAdapter(context: AdapterContext): Adapter {
  return {
    find: () => Promise.resolve(null),
    async create(call) {
      const idempotencyKey = call.responderId;
      const { id, url, status } = await post(
        { event: 'responder.added', call, key: null, idempotencyKey },
        context,
      );
      return {
        key: id ?? call.responderId,
        externalId: id ?? null,
        url: url ?? null,
        status: status ?? null,
      };
    },
    async addComment(call, key, comment) {
      const idempotencyKey = `${call.responderId}-${comment.id}`;
      const { id } = await post(
        { event: 'comment.added', call, key, idempotencyKey, more: { comment } },
        context,
      );
      return id ?? null;
    },
    async setStatus(call, key, { id, status }) {
      const idempotencyKey = `${call.responderId}-${id}`;
      await post({ event: 'incident.status', call, key, idempotencyKey, more: { status } }, context);
      return null;
    },
    async remove(call, key) {
      const idempotencyKey = `${call.responderId}-removed`;
      await post({ event: 'responder.removed', call, key, idempotencyKey }, context);
      return null;
    },
    read: context.client.statusUrl === '' ? null : (_call, key) => readState(key, context),
    options: null,
  };
}
