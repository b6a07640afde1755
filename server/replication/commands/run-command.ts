/**
 * One command, one transaction (design §4 law 4). Owns the order of its steps. Invariants: a command's rows, its
 * result and its number become visible together or not at all; a command with a stored result is never done
 * again; locks are taken in the order device, command, rows, head of the change log, so that no two commands
 * wait for each other over anything but rows.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { CommandEnvelope, CommandOutcome } from '../../../src/contract/sync.ts';
import { readHead } from '../change-log/state-query.ts';
import type { TableWriter } from '../data-api/answer/table-writer.ts';
import { actAs, dateAs } from '../../platform/db/act-as-query.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Logger } from '../../platform/logger.ts';
import { admitCommand, writtenAtOf } from './admit-command.ts';
import type { HandlerNamed } from './command-handler.ts';
import { CommandRefused, refusalOf } from './command-refused.ts';
import {
  claimCommand,
  dropClaim,
  findResult,
  lockDevice,
  raiseSequence,
  storeOutcome,
} from './ledger-query.ts';
import { MESSAGES } from './messages.ts';

export interface Sender {
  principal: Principal;
  deviceId: string;
}

export interface CommandRun {
  sender: Sender;
  envelope: CommandEnvelope;
  /** Not to be done now, for this reason: only its number is used up, unless a result is known. */
  skipBecause: string | null;
}

export interface RunDeps {
  db: Database;
  writerFor: (tx: Queryable) => TableWriter;
  nowMs: () => number;
  logger: Logger;
  handlerNamed: HandlerNamed;
}

export type RunResult =
  | { kind: 'gap'; expectedSeq: number }
  /** `isNew`: it was done in this call, so what follows a commit is still to be done. */
  | { kind: 'answered'; outcome: CommandOutcome; expectedSeq: number; isNew: boolean; tables: string[] };

interface Step extends RunDeps, CommandRun {
  tx: Queryable;
  lastSeq: number;
}

const failed = (message: string): CommandOutcome => ({ kind: 'failed', message });

function answered(step: Step, outcome: CommandOutcome, tables: string[] | null = null): RunResult {
  const expectedSeq = Math.max(step.lastSeq, step.envelope.seq) + 1;
  return { kind: 'answered', outcome, expectedSeq, isNew: tables !== null, tables: tables ?? [] };
}

/** The answer that was given before, whatever number the command came under then. */
async function storedAnswer(step: Step): Promise<RunResult | null> {
  const { tx, envelope, sender } = step;
  const stored = await findResult(tx, envelope.commandId);
  if (stored === null) return null;
  await raiseSequence(tx, sender.deviceId, envelope.seq);
  if (stored.personId === sender.principal.personId) return answered(step, stored.outcome);
  return answered(step, new CommandRefused('forbidden', MESSAGES.foreignCommand).outcome);
}

interface Applied {
  outcome: CommandOutcome;
  subject: string | null;
  tables: string[];
}

async function apply(step: Step): Promise<Applied> {
  const { tx, envelope, sender, nowMs, handlerNamed } = step;
  const now = nowMs();
  const { roles } = sender.principal;
  const command = admitCommand({ envelope, handler: handlerNamed(envelope.name), roles, nowMs: now });
  const writer = step.writerFor(tx);
  await actAs(tx, sender.principal.personId);
  const writtenAt = writtenAtOf(envelope, now);
  if (writtenAt !== null) await dateAs(tx, writtenAt);
  await command.apply({
    tx,
    writer,
    sender: sender.principal,
    commandId: envelope.commandId,
    basedOn: envelope.basedOn ?? {},
    expiresAt: command.expiresAt,
    now: new Date(now),
  });
  // Last: from here on this transaction holds the log.
  const position = await readHead(tx);
  // Of the entities that a command touches, its own comes last.
  const subject = command.touches.at(-1) ?? null;
  return { outcome: { kind: 'applied', position }, subject, tables: writer.written() };
}

/** Applies it in a savepoint, so that a refusal undoes its rows and not its number. */
async function applyOrRefuse(step: Step): Promise<Applied> {
  const { tx, envelope, logger } = step;
  await tx.run('savepoint command');
  try {
    const applied = await apply(step);
    await tx.run('release savepoint command');
    return applied;
  } catch (error) {
    await tx.run('rollback to savepoint command');
    const refused = refusalOf(error);
    if (refused !== null) return { outcome: refused, subject: null, tables: [] };
    const { commandId, name } = envelope;
    logger.error({ err: error, commandId, command: name }, 'a command failed');
    return { outcome: failed(MESSAGES.failed), subject: null, tables: [] };
  }
}

async function carryOut(step: Step): Promise<RunResult> {
  const { tx, envelope, sender } = step;
  const { commandId, seq } = envelope;
  const { deviceId } = sender;
  if (step.skipBecause !== null) {
    await raiseSequence(tx, deviceId, seq);
    return answered(step, failed(step.skipBecause));
  }
  // Unknown names are the client's own words; the ledger keeps ours only.
  const name = step.handlerNamed(envelope.name)?.definition.name ?? 'unknown';
  if (!(await claimCommand(tx, { commandId, deviceId, seq, name }))) {
    const stored = await storedAnswer(step);
    if (stored === null) throw new AppError('server', 'A command was taken and left without a result');
    return stored;
  }
  const { outcome, subject, tables } = await applyOrRefuse(step);
  await raiseSequence(tx, deviceId, seq);
  if (outcome.kind === 'failed') await dropClaim(tx, commandId);
  else await storeOutcome(tx, commandId, { outcome, subject });
  return answered(step, outcome, outcome.kind === 'applied' ? tables : null);
}

async function runInTransaction(deps: RunDeps & CommandRun, tx: Queryable): Promise<RunResult> {
  const { deviceId, principal } = deps.sender;
  const { seq } = deps.envelope;
  const device = await lockDevice(tx, deviceId, principal.personId);
  if (device.person_id !== principal.personId) throw new AppError('forbidden', MESSAGES.foreignDevice);
  const step: Step = { ...deps, tx, lastSeq: device.last_seq };
  if (seq > device.last_seq + 1) return { kind: 'gap', expectedSeq: device.last_seq + 1 };
  const stored = await storedAnswer(step);
  if (stored !== null) return stored;
  // A number that was used for nothing that is remembered: the command failed, or the device counts anew.
  if (seq <= device.last_seq) return answered(step, failed(MESSAGES.unknownRepeat));
  return carryOut(step);
}

/**
 * Runs the command. When the transaction itself breaks (a lost connection), another one looks what became of it
 * and else uses up the number; when that breaks, too, the whole request fails and nothing is known to the sender.
 */
export async function runCommand(deps: RunDeps, run: CommandRun): Promise<RunResult> {
  try {
    return await deps.db.transaction((tx) => runInTransaction({ ...deps, ...run }, tx));
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') throw error;
    deps.logger.error(
      { err: error, commandId: run.envelope.commandId },
      'the transaction of a command broke',
    );
    return deps.db.transaction((tx) =>
      runInTransaction({ ...deps, ...run, skipBecause: MESSAGES.failed }, tx),
    );
  }
}
