/**
 * Commands of several devices in one transaction: each in a savepoint of its own and with a result of its own, as
 * run-command.ts does it one by one (design §4 law 4). Invariants: all of the group becomes visible together or not
 * at all; whatever is the server's own fault (a lost connection, a row that somebody else holds, a command that
 * another server has) undoes the whole group, which is then carried out one by one: so no command here ends as
 * failed because of another. The log is held last, once for all.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { CommandEnvelope, CommandOutcome } from '../../../src/contract/sync.ts';
import { actAndDateAs } from '../../platform/db/act-as-query.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { readHead } from '../change-log/state-query.ts';
import type { TableWriter } from '../data-api/answer/table-writer.ts';
import { admitCommand, writtenAtOf } from './admit-command.ts';
import type { CommandHandler } from './command-handler.ts';
import { CommandRefused, refusalOf } from './command-refused.ts';
import type { RefusedOutcome } from './command-refused.ts';
import {
  findResults,
  insertResult,
  limitLockWaits,
  lockDevices,
  placeApplied,
  raiseSequences,
} from './ledger-query.ts';
import type { StoredResult } from './ledger-query.ts';
import { MESSAGES } from './messages.ts';
import type { Sender } from './run-command.ts';

/** Shorter than the database takes to look for a deadlock: alone, a command may wait as long as it needs. */
const LOCK_WAIT_MS = 300;

/** A command with what is known of it before it is looked at. */
export interface NamedCommand {
  envelope: CommandEnvelope;
  handler: CommandHandler | undefined;
  touches: readonly string[];
}

/** A device's batch. */
export interface GroupMember {
  sender: Sender;
  writerFor: (tx: Queryable) => TableWriter;
  commands: readonly NamedCommand[];
}

/** What became of a batch. */
export interface BatchResult {
  results: { seq: number; commandId: string; outcome: CommandOutcome }[];
  expectedSeq: number;
  isOutOfOrder: boolean;
  /** Tables in which rows were written. */
  tables: string[];
  /** Done in this call: what follows a commit is still to be done for them. */
  applied: CommandHandler[];
}

interface GroupDeps {
  db: Pick<Database, 'transaction'>;
  nowMs: () => number;
}

/** One that was applied gets the place of the whole group. */
type Settled = CommandOutcome | 'applied';

interface Batch extends GroupDeps {
  tx: Queryable;
  member: GroupMember;
  lastSeq: number;
  stored: ReadonlyMap<string, StoredResult>;
  settled: { command: NamedCommand; outcome: Settled }[];
  tables: Set<string>;
}

const failed = (message: string): CommandOutcome => ({ kind: 'failed', message });

async function applyInSavepoint(
  { tx, member, nowMs, tables }: Batch,
  { envelope, handler }: NamedCommand,
): Promise<{ refused: RefusedOutcome | null; subject: string | null }> {
  const { principal } = member.sender;
  const now = nowMs();
  await tx.run('savepoint command');
  try {
    const command = admitCommand({ envelope, handler, roles: principal.roles, nowMs: now });
    const writer = member.writerFor(tx);
    await actAndDateAs(tx, principal.personId, writtenAtOf(envelope, now));
    await command.apply({
      tx,
      writer,
      sender: principal,
      commandId: envelope.commandId,
      basedOn: envelope.basedOn ?? {},
      expiresAt: command.expiresAt,
      now: new Date(now),
    });
    await tx.run('release savepoint command');
    for (const table of writer.written()) tables.add(table);
    // Of the entities that a command touches, its own comes last.
    return { refused: null, subject: command.touches.at(-1) ?? null };
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    await tx.run('rollback to savepoint command');
    return { refused, subject: null };
  }
}

async function attempt(batch: Batch, command: NamedCommand): Promise<Settled> {
  const { envelope, handler } = command;
  const { commandId, seq } = envelope;
  const { refused, subject } = await applyInSavepoint(batch, command);
  // Unknown names are the client's own words; the ledger keeps ours only.
  const name = handler?.definition.name ?? 'unknown';
  const claim = { commandId, deviceId: batch.member.sender.deviceId, seq, name };
  // At once: what comes after it in the group may ask who changed something.
  const isOurs = await insertResult(batch.tx, claim, { outcome: refused, subject });
  if (!isOurs) throw new AppError('conflict', 'Another sender has a command of the group');
  return refused ?? 'applied';
}

/** The answer that was given before, also within this batch. */
function storedAnswer({ stored, settled, member }: Batch, { commandId }: CommandEnvelope): Settled | null {
  const earlier = settled.find(
    ({ command, outcome }) =>
      command.envelope.commandId === commandId && (outcome === 'applied' || outcome.kind !== 'failed'),
  );
  if (earlier !== undefined) return earlier.outcome;
  const known = stored.get(commandId);
  if (known === undefined) return null;
  if (known.personId === member.sender.principal.personId) return known.outcome;
  return new CommandRefused('forbidden', MESSAGES.foreignCommand).outcome;
}

function settle(batch: Batch, command: NamedCommand, waitedFor: ReadonlySet<string>): Settled | 'attempt' {
  const known = storedAnswer(batch, command.envelope);
  if (known !== null) return known;
  // A number that was used for nothing that is remembered: the command failed, or the device counts anew.
  if (command.envelope.seq <= batch.lastSeq) return failed(MESSAGES.unknownRepeat);
  return command.touches.some((id) => waitedFor.has(id)) ? failed(MESSAGES.waits) : 'attempt';
}

/** Answers whether a gap stopped it. */
async function carryOut(batch: Batch): Promise<boolean> {
  const waitedFor = new Set<string>();
  for (const command of batch.member.commands) {
    const { seq } = command.envelope;
    if (seq > batch.lastSeq + 1) return true;
    const found = settle(batch, command, waitedFor);
    const outcome = found === 'attempt' ? await attempt(batch, command) : found;
    batch.settled.push({ command, outcome });
    batch.lastSeq = Math.max(batch.lastSeq, seq);
    if (outcome !== 'applied' && outcome.kind === 'failed')
      for (const id of command.touches) waitedFor.add(id);
  }
  return false;
}

function answerOf({ settled, lastSeq, tables }: Batch, isOutOfOrder: boolean, position: string): BatchResult {
  const results = settled.map(({ command: { envelope }, outcome }) => ({
    seq: envelope.seq,
    commandId: envelope.commandId,
    outcome: outcome === 'applied' ? { kind: 'applied' as const, position } : outcome,
  }));
  const applied = settled.flatMap(({ command: { handler }, outcome }) =>
    outcome === 'applied' && handler !== undefined ? [handler] : [],
  );
  return { results, expectedSeq: lastSeq + 1, isOutOfOrder, tables: [...tables], applied };
}

async function runInTransaction(
  deps: GroupDeps,
  members: readonly GroupMember[],
  tx: Queryable,
): Promise<PromiseSettledResult<BatchResult>[]> {
  await limitLockWaits(tx, LOCK_WAIT_MS);
  const devices = await lockDevices(
    tx,
    members.map(({ sender: { deviceId, principal } }) => ({ deviceId, personId: principal.personId })),
  );
  const commandIds = members.flatMap(({ commands }) => commands.map(({ envelope }) => envelope.commandId));
  const stored = await findResults(tx, commandIds);
  const batches: { batch: Batch; isOutOfOrder: boolean }[] = [];
  for (const member of members) {
    const { deviceId, principal } = member.sender;
    const device = devices.get(deviceId);
    if (device?.person_id !== principal.personId) continue;
    const batch = {
      ...deps,
      tx,
      member,
      lastSeq: device.last_seq,
      stored,
      settled: [],
      tables: new Set<string>(),
    };
    batches.push({ batch, isOutOfOrder: await carryOut(batch) });
  }
  await raiseSequences(
    tx,
    new Map(batches.map(({ batch }) => [batch.member.sender.deviceId, batch.lastSeq])),
  );
  const position = await placeAll(
    tx,
    batches.map(({ batch }) => batch),
  );
  return members.map((member) => {
    const found = batches.find(({ batch }) => batch.member === member);
    if (found === undefined)
      return { status: 'rejected', reason: new AppError('forbidden', MESSAGES.foreignDevice) };
    return { status: 'fulfilled', value: answerOf(found.batch, found.isOutOfOrder, position) };
  });
}

/** Where everything that was applied stands in the log. */
async function placeAll(tx: Queryable, batches: readonly Batch[]): Promise<string> {
  const applied = batches.flatMap(({ settled }) =>
    settled.flatMap(({ command, outcome }) => (outcome === 'applied' ? [command.envelope.commandId] : [])),
  );
  if (applied.length === 0) return '';
  await limitLockWaits(tx, null);
  // Last: from here on this transaction holds the log.
  const position = await readHead(tx);
  await placeApplied(tx, applied, position);
  return position;
}

/**
 * Carries the group out; throws when it has to be done one by one. No two members share a device, a command or an
 * entity (command-groups.ts).
 */
export function runGroup(
  deps: GroupDeps,
  members: readonly GroupMember[],
): Promise<PromiseSettledResult<BatchResult>[]> {
  return deps.db.transaction((tx) => runInTransaction(deps, members, tx));
}
