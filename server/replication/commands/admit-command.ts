/** The checks that need no database, in the order in which a sender learns of them (design §4 laws 6, 9, 13, 15). */
import { may, mayRunCheck } from '../../../src/domain/access/matrix.ts';
import type { CommandEnvelope } from '../../../src/contract/sync.ts';
import type { AcceptedCommand, CommandHandler } from './command-handler.ts';
import { CommandRefused } from './command-refused.ts';
import { MESSAGES } from './messages.ts';

export interface Admission {
  envelope: CommandEnvelope;
  handler: CommandHandler | undefined;
  roles: readonly string[];
  nowMs: number;
}

export interface AdmittedCommand extends AcceptedCommand {
  /** Null for what may arrive at any time. */
  expiresAt: Date | null;
}

function checkVersion(sent: number, known: number): void {
  // The last two: a device may be one update behind.
  if (sent < known - 1) throw new CommandRefused('client_too_old', MESSAGES.clientTooOld);
  if (sent > known) throw new CommandRefused('invalid', MESSAGES.newerCommand);
}

/** When it expires; a device whose clock is ahead gains nothing. */
function checkExpiry(envelope: CommandEnvelope, expiresAfterMs: number | null, nowMs: number): Date | null {
  const { expiresAt } = envelope;
  if (expiresAt === null) {
    if (expiresAfterMs === null) return null;
    throw new CommandRefused('invalid', MESSAGES.noExpiry);
  }
  const atMs = Date.parse(expiresAt);
  if (Number.isNaN(atMs)) throw new CommandRefused('invalid', MESSAGES.badExpiry);
  if (atMs <= nowMs) throw new CommandRefused('expired', MESSAGES.expired);
  return new Date(expiresAfterMs === null ? atMs : Math.min(atMs, nowMs + expiresAfterMs));
}

/** When the device says that it was written; null without a word, or with one that can't be true. */
export function writtenAtOf({ writtenAt }: CommandEnvelope, nowMs: number): Date | null {
  const atMs = writtenAt === undefined ? Number.NaN : Date.parse(writtenAt);
  // A device only knows the server's clock more or less: what it sent in this instant may seem to come from the next.
  return atMs >= 0 && atMs <= nowMs ? new Date(atMs) : null;
}

/** The command, ready to be done; throws CommandRefused. */
export function admitCommand({ envelope, handler, roles, nowMs }: Admission): AdmittedCommand {
  if (handler === undefined) throw new CommandRefused('invalid', MESSAGES.unknownCommand(envelope.name));
  const { version, area, isForReaders, expiresAfterMs } = handler.definition;
  checkVersion(envelope.version, version);
  const accepted = handler.accept(envelope.args);
  const expiresAt = checkExpiry(envelope, expiresAfterMs, nowMs);
  const isAllowed =
    area === null ? mayRunCheck(roles) : may(roles, area, isForReaders === true ? 'read' : 'write');
  if (!isAllowed) throw new CommandRefused('forbidden', MESSAGES.forbidden);
  return { ...accepted, expiresAt };
}
