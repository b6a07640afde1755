/** What carries a command out: its definition from the contract, joined with what the server does. */
import type { z } from 'zod';
import type { CommandDefinition } from '../../../src/contract/commands/define-command.ts';
import type { CommandEnvelope } from '../../../src/contract/sync.ts';
import type { TableWriter } from '../data-api/answer/table-writer.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Principal } from '../../access/identity/sessions/principal.ts';
import { CommandRefused } from './command-refused.ts';

export interface CommandContext {
  tx: Queryable;
  writer: TableWriter;
  sender: Principal;
  commandId: string;
  /** Values that the sender saw, by field. */
  basedOn: NonNullable<CommandEnvelope['basedOn']>;
  /** Until when an effect outside the database may happen; null for commands that have none. */
  expiresAt: Date | null;
  now: Date;
}

/** A command whose arguments were parsed. */
export interface AcceptedCommand {
  /** Entities that it concerns: those that share one keep their order. */
  touches: readonly string[];
  apply(context: CommandContext): Promise<void>;
}

export interface CommandHandler {
  definition: Pick<CommandDefinition, 'name' | 'version' | 'area' | 'isForReaders' | 'expiresAfterMs'>;
  /** Throws `invalid`, naming the field. */
  accept(args: unknown): AcceptedCommand;
}

/** The handler of that name; undefined when this version doesn't know it. */
export type HandlerNamed = (name: string) => CommandHandler | undefined;

function parseArgs<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const what = issue?.message ?? '';
  throw new CommandRefused('invalid', field === '' ? what : `${field}: ${what}`);
}

/** Keeps the argument type of a definition together with the function that does it. */
export function handleCommand<Name extends string, Args, Input>(
  definition: CommandDefinition<Name, Args, Input>,
  apply: (args: Args, context: CommandContext) => Promise<void>,
): CommandHandler {
  return {
    definition,
    accept(raw) {
      const args = parseArgs(definition.args, raw);
      return { touches: definition.touches(args), apply: (context) => apply(args, context) };
    },
  };
}
