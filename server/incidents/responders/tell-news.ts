/**
 * Tells outside systems what happened after the call: comments, the incident's status, the responder's removal; in
 * order for each. Whether something whose answer was lost has arrived is looked up before it is sent again: here where
 * the system's comments can be read, by the adapter where it has other ways.
 */
import { findCall } from './adapters/call-query.ts';
import {
  failMessage,
  finishMessage,
  isWaiting,
  noteCopy,
  noteRemoteComment,
  takeMessage,
} from './message-query.ts';
import type { MessageRow } from './message-query.ts';
import { MESSAGES } from './adapters/messages.ts';
import { openCall } from './open-call.ts';
import type { OpenCall } from './open-call.ts';
import { LEASE_MS } from './responder-deps.ts';
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

async function send(message: MessageRow, signal: AbortSignal, deps: ResponderDeps): Promise<void> {
  const { db } = deps;
  const row = await findCall(db, message.responder_id);
  if (row === null) return;
  const opened = await openCall(row, signal, deps);
  const key = row.remote_key ?? '';
  if (isRepeated(message) && opened.adapter.read !== null) {
    await takeIn(row.id, await opened.adapter.read(opened.call, key), deps);
    if (!(await isWaiting(db, message.id))) return;
  }
  const externalId = await tell(message, key, opened);
  await db.transaction(async (tx) => {
    const { comment_id: commentId, responder_id: responderId } = message;
    if (commentId !== null) await noteCopy(tx, { commentId, responderId, externalId });
    // What we said ourselves is no news when it is read there.
    else if (externalId !== null) await noteRemoteComment(tx, responderId, externalId);
    await finishMessage(tx, message.id);
  });
}

/** Tells what is due; answers how many attempts that were. */
export async function sendUpdates(signal: AbortSignal, deps: ResponderDeps): Promise<number> {
  const { db, now, logger, notify } = deps;
  for (let count = 0; ; count += 1) {
    const at = { now: new Date(now()), until: new Date(now() + LEASE_MS) };
    const message = signal.aborted ? null : await takeMessage(db, at);
    if (message === null) return count;
    try {
      await send(message, signal, deps);
    } catch (error) {
      if (signal.aborted) return count;
      const { attempts, responder_id: responderId, kind } = message;
      const { failure, nextAttemptAt } = verdictOn(error, { attempts, nowMs: now() });
      logger.warn({ responderId, kind, code: failure.code, attempts }, 'an outside system was not told');
      const text = MESSAGES.notTold(MESSAGES.kinds[kind], failure.message);
      await db.transaction((tx) => failMessage(tx, message, { error: text, nextAttemptAt }));
      notify('responder_deliveries');
    }
  }
}
