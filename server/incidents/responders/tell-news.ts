/**
 * Tells outside systems what happened after the call: comments, the incident's status, the responder's removal; in
 * order for each. Whether something whose answer was lost has arrived is looked up before it is sent again: here where
 * the system's comments can be read, by the adapter where it has other ways.
 */
import type { Queryable } from '../../platform/db/database.ts';
import type { WakeSource } from '../../platform/jobs/background-loop.ts';
import { createLeaseQueue } from '../../platform/jobs/lease-queue.ts';
import type { AttemptEnd, LeaseQueue, LeaseQueueDeps } from '../../platform/jobs/lease-queue.ts';
import { findCall } from './adapters/call-query.ts';
import {
  MESSAGE_TABLE,
  failMessage,
  finishMessage,
  isWaiting,
  noteCopy,
  noteRemoteComment,
} from './message-query.ts';
import type { MessageRow } from './message-query.ts';
import { MESSAGES } from './adapters/messages.ts';
import { openCall } from './open-call.ts';
import type { OpenCall } from './open-call.ts';
import { CONCURRENCY, LOOK_EVERY_MS } from './responder-deps.ts';
import type { ResponderDeps } from './responder-deps.ts';
import { verdictOn } from './retry-plan.ts';
import { takeIn } from './take-in.ts';

const isRepeated = ({ attempts, was_tried: wasTried }: MessageRow) => attempts > 1 || wasTried;

async function tell(message: MessageRow, key: string, { call, adapter }: OpenCall): Promise<string | null> {
  const news = { id: `${message.kind}-${message.id}`, isRepeated: isRepeated(message) };
  switch (message.kind) {
    case 'comment': {
      const { comment_id: id, author, comment: text } = message;
      return adapter.addComment(call, key, { id: id ?? '', author: author ?? '', text: text ?? '' });
    }
    case 'status':
      return adapter.setStatus(call, key, { ...news, status: message.status ?? '' });
    case 'removed':
      return adapter.remove(call, key, news);
  }
}

async function send(
  message: MessageRow,
  signal: AbortSignal,
  deps: ResponderDeps,
): Promise<AttemptEnd['write']> {
  const { db } = deps;
  const { id, comment_id: commentId, responder_id: responderId } = message;
  const row = await findCall(db, responderId);
  if (row === null) return (tx) => finishMessage(tx, id);
  const opened = await openCall(row, signal, deps);
  const key = row.remote_key ?? '';
  if (isRepeated(message) && opened.adapter.read !== null) {
    await takeIn(row.id, await opened.adapter.read(opened.call, key), deps);
    if (!(await isWaiting(db, id))) return () => Promise.resolve();
  }
  const externalId = await tell(message, key, opened);
  return async (tx) => {
    if (commentId !== null) await noteCopy(tx, { commentId, responderId, externalId });
    // What we said ourselves is no news when it is read there.
    else if (externalId !== null) await noteRemoteComment(tx, responderId, externalId);
    await finishMessage(tx, id);
  };
}

/** What outside systems are to be told. */
export function createMessageQueue(
  deps: ResponderDeps & LeaseQueueDeps,
  wakes: readonly WakeSource[],
): LeaseQueue {
  const { now, logger, notify } = deps;
  return createLeaseQueue<MessageRow>(deps, {
    name: 'messages',
    table: MESSAGE_TABLE,
    concurrency: CONCURRENCY,
    everyMs: LOOK_EVERY_MS,
    wakes,
    handle: async (message, signal) => ({ kind: 'done', write: await send(message, signal, deps) }),
    failed(message, error, signal) {
      if (signal.aborted) return null;
      const { attempts, responder_id: responderId, kind } = message;
      const { failure, nextAttemptAt } = verdictOn(error, { attempts, nowMs: now() });
      logger.warn({ responderId, kind, code: failure.code, attempts }, 'an outside system was not told');
      const text = MESSAGES.notTold(MESSAGES.kinds[kind], failure.message);
      const write = (tx: Queryable) => failMessage(tx, message, { error: text, nextAttemptAt });
      return { kind: nextAttemptAt === null ? 'dead' : 'retried', write };
    },
    ended: () => notify('responder_deliveries'),
  });
}
