/** Takes numbered commands to our own server (design §4 law 4) and brings back what became of each. */
import { AppError, ERROR_TEXTS } from '../../../../src/contract/errors.ts';
import type { OutboxItem } from '../../../../src/contract/outbox/outbox.ts';
import {
  commandAnswerSchema,
  MAX_COMMANDS_PER_BATCH,
  type CommandAnswer,
  type CommandBatch,
  type CommandOutcome,
} from '../../../../src/contract/sync.ts';
import type { HttpClient } from '../../network/http-client.ts';
import type { NumberedBatch, Settlement } from '../outbox-port.ts';

export interface Delivery {
  settlements: Settlement[];
  /** The server counts otherwise: start anew. */
  isOutOfStep: boolean;
  /** Why the rest was not done; handled after the settlements are noted. */
  failure?: AppError;
}

/** One way to the server. Throws what is worth a retry or concerns all of the batch. */
export interface CommandTransport {
  /** Commands at once. */
  limit: number;
  deliver(batch: NumberedBatch, signal: AbortSignal): Promise<Delivery>;
}

function seqOf(item: OutboxItem): number {
  // The store numbers every item of a batch.
  return item.state.kind === 'sent' ? item.state.seq : 0;
}

function envelopes({ deviceId, items }: NumberedBatch): CommandBatch {
  const commands = items.map((item) => {
    const { commandId, name, version, args, basedOn, expiresAt } = item;
    const writtenAt = new Date(item.atMs).toISOString();
    return { seq: seqOf(item), commandId, name, version, args, basedOn, expiresAt, writtenAt };
  });
  // An outbox is one person's.
  return { deviceId, userId: items[0]?.userId, commands };
}

function settlementOf(order: number, outcome: CommandOutcome, atMs: number): Settlement {
  switch (outcome.kind) {
    case 'applied':
      return { order, state: { kind: 'accepted', position: outcome.position } };
    case 'refused': {
      const { code, message, current } = outcome;
      return { order, state: { kind: 'refused', code, message, current, atMs } };
    }
    case 'failed':
      return { order, state: { kind: 'kept' }, failed: true };
  }
}

function deliveryOf(batch: NumberedBatch, answer: CommandAnswer, atMs: number): Delivery {
  const outcomes = new Map(answer.results.map((result) => [result.commandId, result]));
  const settlements: Settlement[] = [];
  const open: number[] = [];
  for (const item of batch.items) {
    const result = outcomes.get(item.commandId);
    if (result?.seq === seqOf(item)) settlements.push(settlementOf(item.order, result.outcome, atMs));
    else open.push(seqOf(item));
  }
  const isOutOfStep = answer.isOutOfOrder && open[0] !== undefined && open[0] !== answer.expectedSeq;
  // Neither an outcome nor a reason: asking again at once would go on for ever.
  if (settlements.length === 0 && !isOutOfStep)
    throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { retryable: true });
  return { settlements, isOutOfStep };
}

/** The carrier for a server that has `POST /api/sync/commands`. */
export function createCommandTransport(http: HttpClient, serverNow: () => number): CommandTransport {
  return {
    limit: MAX_COMMANDS_PER_BATCH,
    async deliver(batch, signal) {
      const body = await http.json({
        path: '/api/sync/commands',
        method: 'POST',
        body: envelopes(batch),
        signal,
      });
      const answer = commandAnswerSchema.safeParse(body);
      if (!answer.success)
        throw new AppError('bad_payload', ERROR_TEXTS.bad_payload, { cause: answer.error, retryable: true });
      return deliveryOf(batch, answer.data, serverNow());
    },
  };
}
