/**
 * The sync worker's interface: network, session and the durable store. One per origin where the browser has
 * SharedWorker, else one per tab of which one leads. Listeners are Comlink proxies.
 */
import type { Act } from '../../src/contract/actions/action-definition.ts';
import type { SyncActions } from '../../src/contract/actions/sync-actions.ts';
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import type { SendOptions } from '../../src/contract/outbox/outbox.ts';
import type {
  Answer,
  QueryArgs,
  QueryMessage,
  Subscription,
  SyncQueryName,
} from '../../src/contract/queries/queries.ts';
import type { StatusMessage } from '../../src/contract/worker.ts';

/** Ends a subscription. */
export type Stop = () => void;

export interface SyncApi {
  /**
   * Asks one of the registry's queries (src/contract/queries): the listener is called with the present answer and
   * again with each newer one, of whoever is signed in. Arguments that don't parse are refused by the field's name.
   */
  ask<Name extends SyncQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): Promise<Subscription>;
  /**
   * Writes a command into the outbox; resolves when it is durable on this device (law 4). What shows of it at
   * once comes through the compute worker. Refused here: unknown names, invalid arguments, no space left.
   */
  send(command: CommandRequest, options?: SendOptions): Promise<Answer<{ commandId: string }>>;
  /** Does one of the registry's actions (src/contract/actions). */
  act: Act<SyncActions>;
  /** Session, connection, what the shell shows of the deployment: at once and after each change. */
  status(listener: (message: StatusMessage) => void): Promise<Subscription>;
}
