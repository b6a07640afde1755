/** A command that was understood and is not done, for one of the contract's reasons (design §4 law 6). */
import type { CommandOutcome, Refusal } from '../../../src/contract/sync.ts';
import { DatabaseError, UNIQUE_VIOLATION } from '../../platform/db/database-error.ts';
import { NOT_IN_TEXT } from '../../platform/db/to-json.ts';
import { AccessRefusal } from '../../access/policies/refuse-unless.ts';
import { MESSAGES } from './messages.ts';

export type RefusedOutcome = Extract<CommandOutcome, { kind: 'refused' }>;

/** `current` has the values of the fields that somebody else changed meanwhile. */
export class CommandRefused extends Error {
  readonly outcome: RefusedOutcome;

  constructor(code: Refusal, message: string, current: Record<string, unknown> | null = null) {
    super(message);
    this.name = 'CommandRefused';
    // What a client sent may be repeated in it.
    this.outcome = { kind: 'refused', code, message: message.replaceAll(NOT_IN_TEXT, ''), current };
  }
}

const FOREIGN_KEY_VIOLATION = '23503';
/** Data exception, broken rule, raised by one of our triggers: trying again would not help. */
const REJECTED = /^(22|23|P0001)/;

function refusedByDatabase(error: DatabaseError): RefusedOutcome | null {
  if (error.sqlState === FOREIGN_KEY_VIOLATION) {
    return new CommandRefused('gone', MESSAGES.referenceGone).outcome;
  }
  if (error.sqlState === UNIQUE_VIOLATION)
    return new CommandRefused('invalid', MESSAGES.existsAlready).outcome;
  if (!REJECTED.test(error.sqlState)) return null;
  return new CommandRefused('invalid', MESSAGES.notAccepted(error.message)).outcome;
}

/** The refusal that a thrown thing stands for; null for what is the server's own fault. */
export function refusalOf(error: unknown): RefusedOutcome | null {
  if (error instanceof CommandRefused) return error.outcome;
  if (error instanceof AccessRefusal) return new CommandRefused('forbidden', MESSAGES.forbidden).outcome;
  return error instanceof DatabaseError ? refusedByDatabase(error) : null;
}
