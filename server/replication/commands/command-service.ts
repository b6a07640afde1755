/**
 * The command endpoint behind HTTP: batches in order, in groups or one transaction a command, then what follows a
 * commit. Knows nothing of HTTP or sessions. Invariant: a command that may need one that failed in the same batch
 * isn't done before it; both come again under new numbers.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { CommandAnswer, CommandBatch, CommandEnvelope } from '../../../src/contract/sync.ts';
import { runLoop } from '../../platform/jobs/background-loop.ts';
import type { ChangeNotifier } from '../../platform/jobs/change-notifier.ts';
import type { DataApi } from '../data-api/data-api.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import type { Platform } from '../../platform/platform.ts';
import { CommandGroups } from './command-groups.ts';
import type { Grouped } from './command-groups.ts';
import type { CommandHandler, HandlerNamed } from './command-handler.ts';
import { CommandRefused } from './command-refused.ts';
import { createEffectQueue } from './effect-queue.ts';
import type { EffectDeps } from './effect-queue.ts';
import { deleteOldEffects } from './effects-query.ts';
import { deleteOldResults, findApplied, findDevice } from './ledger-query.ts';
import { MESSAGES } from './messages.ts';
import { runCommand } from './run-command.ts';
import type { Sender } from './run-command.ts';
import { runGroup } from './run-group.ts';
import type { BatchResult, GroupMember } from './run-group.ts';

const PRUNE_EVERY_MS = 6 * 3_600_000;

export interface CommandService {
  /** Carries the batch out; throws `forbidden` when the device, `unauthorized` when the commands are another person's. */
  handle(principal: Principal, batch: CommandBatch): Promise<CommandAnswer>;
  /** Those of the commands that this person sent and that were done: a device that lost its outbox asks. */
  applied(principal: Principal, commandIds: readonly string[]): Promise<string[]>;
  /** Takes up effects that were left undone, and forgets what is old, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface CommandServiceDeps extends EffectDeps {
  platform: Platform;
  notifier: Pick<ChangeNotifier, 'notify'>;
  dataApi: Pick<DataApi, 'openWriter'>;
  /** What this server can do, area by area. */
  handlerNamed: HandlerNamed;
}

/** Where the device counts on; throws for another person's device. */
async function nextSequence(db: Database, { principal, deviceId }: Sender): Promise<number> {
  const device = await findDevice(db, deviceId);
  if (device === null) return 1;
  if (device.person_id !== principal.personId) throw new AppError('forbidden', MESSAGES.foreignDevice);
  return device.last_seq + 1;
}

/** Only what expires does something outside the database (design §4 law 9). */
function hasEffect(handler: CommandHandler): boolean {
  return handler.definition.expiresAfterMs !== null;
}

/** Entities that a command concerns; none of one that can't be read, which is refused anyway. */
function touchedBy(handler: CommandHandler | undefined, { args }: CommandEnvelope): readonly string[] {
  try {
    return handler?.accept(args).touches ?? [];
  } catch (error) {
    if (error instanceof CommandRefused) return [];
    throw error;
  }
}

/** Batches that fill a group to here are done together: on PGlite nobody else is served meanwhile. */
const GROUP_SIZE = 64;
/** Groups on connections of their own; their commits wait for each other at the log. */
const GROUPS = { pglite: 1, postgres: 3 } as const;

interface Member extends GroupMember, Grouped {}

function memberOf(
  { handlerNamed }: Pick<CommandServiceDeps, 'handlerNamed'>,
  { sender, writerFor }: Pick<GroupMember, 'sender' | 'writerFor'>,
  envelopes: readonly CommandEnvelope[],
): Member {
  const commands = envelopes.map((envelope) => {
    const handler = handlerNamed(envelope.name);
    return { envelope, handler, touches: touchedBy(handler, envelope) };
  });
  const ids = commands.flatMap(({ envelope, touches }) => [envelope.commandId, ...touches]);
  return { sender, writerFor, commands, keys: [sender.deviceId, ...ids], size: commands.length };
}

interface RunDeps extends CommandServiceDeps {
  /** After each commit. */
  follow: (done: Pick<BatchResult, 'tables' | 'applied'>) => void;
}

/** A transaction a command. */
async function runSingly(deps: RunDeps, member: GroupMember): Promise<BatchResult> {
  const { sender, writerFor, commands } = member;
  const { db, platform, logger, handlerNamed, follow } = deps;
  const runDeps = { db, writerFor, nowMs: () => platform.now(), logger, handlerNamed };
  const done: BatchResult = {
    results: [],
    expectedSeq: await nextSequence(db, sender),
    isOutOfOrder: false,
    tables: [],
    applied: [],
  };
  const waitedFor = new Set<string>();
  for (const { envelope, handler, touches } of commands) {
    const { seq, commandId } = envelope;
    const skipBecause = touches.some((id) => waitedFor.has(id)) ? MESSAGES.waits : null;
    const result = await runCommand(runDeps, { sender, envelope, skipBecause });
    done.expectedSeq = result.expectedSeq;
    if (result.kind === 'gap') return { ...done, isOutOfOrder: true };
    const { outcome } = result;
    done.results.push({ seq, commandId, outcome });
    if (outcome.kind === 'failed') for (const id of touches) waitedFor.add(id);
    const applied = result.isNew && handler !== undefined ? [handler] : [];
    follow({ tables: result.tables, applied });
  }
  return done;
}

/** All together; one by one what is alone, or when that didn't work: then each has a result of its own. */
async function runTogether(
  deps: RunDeps,
  members: readonly GroupMember[],
): Promise<PromiseSettledResult<BatchResult>[]> {
  const { db, platform, logger, follow } = deps;
  const commands = members.reduce((sum, member) => sum + member.commands.length, 0);
  if (commands > 1) {
    const done = await runGroup({ db, nowMs: () => platform.now() }, members).catch((error: unknown) => {
      logger.warn({ err: error, commands }, 'a group of commands is done one by one');
      return null;
    });
    for (const one of done ?? []) if (one.status === 'fulfilled') follow(one.value);
    if (done !== null) return done;
  }
  return Promise.allSettled(members.map((member) => runSingly(deps, member)));
}

/** Throws `unauthorized` for a batch of another user than the one who is signed in. */
export function createCommandService(deps: CommandServiceDeps): CommandService {
  const { db, notifier, platform, dataApi } = deps;
  const effects = createEffectQueue(deps);

  const follow: RunDeps['follow'] = ({ tables, applied }) => {
    if (tables.length > 0) notifier.notify(...tables);
    if (applied.some(hasEffect)) effects.wake();
  };
  const groups = new CommandGroups<Member, BatchResult>(
    (members) => runTogether({ ...deps, follow }, members),
    { size: GROUP_SIZE, groups: GROUPS[db.kind] },
  );

  async function handle(principal: Principal, batch: CommandBatch): Promise<CommandAnswer> {
    const { deviceId, userId, commands } = batch;
    // A tab that doesn't know yet that somebody else signed in must not act in their name (design §4 law 6).
    if (userId !== undefined && userId !== principal.personId)
      throw new AppError('unauthorized', MESSAGES.foreignCommands);
    const sender = { principal, deviceId };
    // Outside of any transaction: it may have to read the catalogue.
    const writerFor = await dataApi.openWriter({ roles: principal.roles, subject: principal.personId });
    const { results, expectedSeq, isOutOfOrder } =
      commands.length === 0
        ? { results: [], expectedSeq: await nextSequence(db, sender), isOutOfOrder: false }
        : await groups.add(memberOf(deps, { sender, writerFor }, commands));
    return { results, expectedSeq, isOutOfOrder, server_time: new Date(platform.now()).toISOString() };
  }

  return {
    handle,
    applied: ({ personId }, commandIds) => findApplied(db, personId, commandIds),
    async run(signal) {
      const prune = async () => {
        await deleteOldResults(db);
        await deleteOldEffects(db);
      };
      const pruning = runLoop(deps, { name: 'old commands', everyMs: PRUNE_EVERY_MS, run: prune }, signal);
      await Promise.all([effects.run(signal), pruning]);
    },
  };
}
