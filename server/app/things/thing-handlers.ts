/**
 * Changes of what is set up, one thing a command: pause, resume, end, labels, namespace, delete, run. Rights are those of
 * the table, asked by the writer; what comes from a file or an agent is changed where it comes from.
 */
import { changeThing, runThing, type ThingChange } from '../../../src/contract/commands/thing-commands.ts';
import { may, type Area } from '../../../src/domain/access/matrix.ts';
import { SUSPENDED } from '../../../src/domain/bulk/suspended.ts';
import { THINGS, type ThingTable } from '../../../src/domain/bulk/things.ts';
import { isEditable, isRemoteAgent } from '../../../src/domain/settings/resource-source.ts';
import { handleCommand } from '../../replication/commands/command-handler.ts';
import type { CommandContext, CommandHandler } from '../../replication/commands/command-handler.ts';
import { CommandRefused } from '../../replication/commands/command-refused.ts';
import { insertEffect } from '../../replication/commands/effects-query.ts';
import { MESSAGES } from '../../replication/commands/messages.ts';
import { lockThing, type ThingRow } from './thing-query.ts';

const REFUSALS = {
  elsewhere: (noun: string, source: string) =>
    `This ${noun} comes from ${source} and is changed there, not here`,
  anAgent: 'an agent',
  bySpec: 'Its specification has "replicas: 0": it is paused there',
  thisServer: 'This is the server itself',
} as const;

function refuseForeign(table: ThingTable, row: ThingRow): void {
  const { noun, hasSource } = THINGS[table];
  if (table === 'agents' && !isRemoteAgent(row.id)) throw new CommandRefused('invalid', REFUSALS.thisServer);
  if (!hasSource || isEditable(row)) return;
  const source = isRemoteAgent(row.agent_id) ? REFUSALS.anAgent : (row.source ?? '');
  throw new CommandRefused('invalid', REFUSALS.elsewhere(noun[0], source));
}

function pauseFields(table: ThingTable, row: ThingRow, isPaused: boolean): Record<string, unknown> {
  if (THINGS[table].pause === 'column') return { is_paused: isPaused };
  const { [SUSPENDED.annotation]: _suspended, ...others } = row.annotations ?? {};
  if (!isPaused && row.replicas === '0') throw new CommandRefused('invalid', REFUSALS.bySpec);
  return { annotations: isPaused ? { ...others, [SUSPENDED.annotation]: SUSPENDED.value } : others };
}

/** One that has not begun begins and ends now; one that is over stays as it is. */
function endFields({ from_at: from, until_at: until }: ThingRow, now: Date): Record<string, unknown> | null {
  if (until !== null && new Date(until) <= now) return null;
  const end = { until: now.toISOString() };
  return from !== null && new Date(from) > now ? { ...end, from: end.until } : end;
}

/** The columns that a change writes; null where it is so already. */
function fieldsOf(
  table: ThingTable,
  row: ThingRow,
  { change, now }: { change: ThingChange; now: Date },
): Record<string, unknown> | null {
  switch (change.do) {
    case 'pause':
    case 'resume':
      return pauseFields(table, row, change.do === 'pause');
    case 'end':
      return endFields(row, now);
    case 'delete':
      return { deleted_at: now.toISOString() };
    case 'move':
      return { namespace: change.namespace };
    case 'label': {
      const { set, remove } = change.labels;
      const gone = new Set(remove);
      const rest = Object.entries(row.labels ?? {}).filter(([name]) => !gone.has(name));
      return { labels: { ...Object.fromEntries(rest), ...set } };
    }
  }
}

/** Before anything is said of the row: whether there is one is not for everybody. */
function refuseUnlessMay({ sender }: CommandContext, area: Area): void {
  if (!may(sender.roles, area, 'write')) throw new CommandRefused('forbidden', MESSAGES.forbidden);
}

const change = handleCommand(changeThing, async ({ table, id, change: wanted }, context) => {
  const { noun, area } = THINGS[table];
  refuseUnlessMay(context, area);
  const row = await lockThing(context.tx, table, id);
  // Deleting what is gone is done already.
  if (row === null && wanted.do === 'delete') return;
  if (row === null) throw new CommandRefused('gone', MESSAGES.gone(noun[0]));
  refuseForeign(table, row);
  const fields = fieldsOf(table, row, { change: wanted, now: context.now });
  if (fields !== null) await context.writer.patch(table, { id }, fields);
});

const run = handleCommand(runThing, async (args, context) => {
  const { tx, sender, commandId, expiresAt } = context;
  const { noun, area } = THINGS[args.table];
  refuseUnlessMay(context, area);
  if ((await lockThing(tx, args.table, args.id)) === null)
    throw new CommandRefused('gone', MESSAGES.gone(noun[0]));
  if (expiresAt === null) throw new CommandRefused('invalid', MESSAGES.noExpiry);
  await insertEffect(tx, { commandId, name: runThing.name, args, personId: sender.personId, expiresAt });
});

export const THING_HANDLERS: readonly CommandHandler[] = [change, run];
