/**
 * Takes commands one by one to a backend that has none (design §4 law 16). What that backend can't promise: two
 * people who edit at the same moment may overwrite each other, and a lost answer to something that acts outside
 * (run check) can't be asked for, so it is never sent twice but given back to its author.
 */
import { AppError } from '../../../../src/contract/errors.ts';
import type { OutboxItem, OutboxState } from '../../../../src/contract/outbox/outbox.ts';
import type { HttpClient } from '../../network/http-client.ts';
import type { CommandTransport, Delivery } from './command-transport.ts';
import { MESSAGES } from '../messages.ts';
import { refusedHere } from '../outbox-rules.ts';
import { plainCallOf, type PlainOutcome } from './plain-calls.ts';

export interface PlainTransportParts {
  http: HttpClient;
  serverNow: () => number;
}

const REFUSED_STATUS: Readonly<Record<number, 'invalid' | 'forbidden' | 'gone'>> = {
  400: 'invalid',
  403: 'forbidden',
  404: 'gone',
  406: 'invalid',
  409: 'invalid',
  413: 'invalid',
  422: 'invalid',
};
/** Answers that say that nothing was done: these may be tried again whatever the command does. */
const NOT_BEGUN = new Set([401, 429]);

function stateOf(outcome: PlainOutcome, atMs: number): OutboxState {
  if (outcome.kind === 'done') return { kind: 'accepted', position: null };
  const { code, message, current } = outcome;
  return { kind: 'refused', code, message, current, atMs };
}

function settled(item: OutboxItem, state: OutboxState): Delivery {
  return { settlements: [{ order: item.order, state }], isOutOfStep: false };
}

/** What a failed call means for its command; throws what is to be tried again under the same number. */
function failed(item: OutboxItem, error: unknown, atMs: number): Delivery {
  if (!(error instanceof AppError) || error.status === null) throw error;
  const code = REFUSED_STATUS[error.status];
  if (code !== undefined) return settled(item, refusedHere(code, error.message, atMs));
  if (item.expiresAt === null || !NOT_BEGUN.has(error.status)) throw error;
  return { ...settled(item, { kind: 'kept' }), failure: error };
}

/** The carrier for the plain contract. */
export function createPlainTransport({ http, serverNow }: PlainTransportParts): CommandTransport {
  const deliverOne = async (item: OutboxItem, signal: AbortSignal): Promise<Delivery> => {
    const known = plainCallOf(item.name);
    const args = known?.definition.args.safeParse(item.args);
    if (known === undefined || args?.success !== true)
      return settled(item, refusedHere('client_too_old', MESSAGES.unknownHere, serverNow()));
    try {
      const { userId, basedOn } = item;
      const outcome = await known.call(args.data, { http, signal, userId, basedOn: basedOn ?? {} });
      return settled(item, stateOf(outcome, serverNow()));
    } catch (error) {
      return failed(item, error, serverNow());
    }
  };

  return {
    limit: 1,
    async deliver({ items, repeats }, signal) {
      const [item] = items;
      if (item === undefined) return { settlements: [], isOutOfStep: false };
      const mayHaveRun = item.expiresAt !== null && repeats.includes(item.order);
      if (mayHaveRun) return settled(item, refusedHere('expired', MESSAGES.perhapsRun, serverNow()));
      return await deliverOne(item, signal);
    },
  };
}
