/**
 * What a command is (design §4 laws 4 to 9). Defined once, used by the app (which names it), the workers (which
 * show its effect before the server does) and the server (which parses its arguments and does it).
 */
import type { z } from 'zod';
import type { Area } from '../../domain/access/matrix.ts';
import type { CollectionName, ReplicatedRow } from '../collections.ts';

/** What a pending command changes in the rows that are shown: fields set over a row, or the row gone. */
export type RowEdit =
  | { kind: 'put'; collection: CollectionName; row: ReplicatedRow }
  | { kind: 'set'; collection: CollectionName; id: string; fields: Readonly<Record<string, unknown>> }
  | { kind: 'remove'; collection: CollectionName; id: string };

export interface EffectContext {
  /** The person who sent it. */
  userId: string;
  /** When, ISO, server clock. */
  at: string;
}

export interface CommandDefinition<Name extends string = string, Args = unknown, Input = unknown> {
  name: Name;
  /** Rises when the meaning of the arguments changes; the server takes the last two (law 15). */
  version: number;
  args: z.ZodType<Args, Input>;
  /** Write access that it needs; the server decides, the app hides. Null: everyone but viewers (run check). */
  area: Area | null;
  /** Read access to the area is enough: it is about the sender alone. */
  isForReaders?: true;
  /**
   * Only for what isn't the user's own writing: what it is about. It is shown nowhere, a newer one takes its place
   * while it waits, and a refusal ends it.
   */
  dedupeKey?: (args: Args) => string;
  /** How long after sending it may still be done, ms; null for any time (law 9). */
  expiresAfterMs: number | null;
  /** Ids of the entities it concerns: commands that share one keep their order (law 8). */
  touches: (args: Args) => string[];
  /** Ids of entities that it makes; a refusal blocks the commands that touch them. */
  creates: (args: Args) => string[];
  /** Fields whose shown values go along as `basedOn`, with the row they are read from (law 7). */
  precondition: (args: Args) => { collection: CollectionName; id: string; fields: string[] } | null;
  /** What shows at once, derived anew whenever server rows or the outbox change. */
  effect: (args: Args, context: EffectContext) => RowEdit[];
}

/** Keeps the argument type together with its functions. */
export function defineCommand<const Name extends string, Args, Input>(
  definition: CommandDefinition<Name, Args, Input>,
): CommandDefinition<Name, Args, Input> {
  return definition;
}
