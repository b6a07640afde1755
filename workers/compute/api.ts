/**
 * The compute worker's interface: the in-memory index over the local store, and everything heavy that is asked of
 * it. It reads the store and hears of changes; it never writes and never talks to the network.
 */
import type { Act } from '../../src/contract/actions/action-definition.ts';
import type { ComputeActions } from '../../src/contract/actions/compute-actions.ts';
import type {
  LiveQueryName,
  LiveSubscription,
  QueryArgs,
  QueryMessage,
} from '../../src/contract/queries/queries.ts';

export interface ComputeApi {
  /**
   * Asks one of the registry's live queries: the listener is called at once with the whole answer, and afterwards
   * with what differs. Arguments that don't parse are refused by the field's name.
   */
  ask<Name extends LiveQueryName>(
    name: Name,
    args: QueryArgs<Name>,
    listener: (message: QueryMessage<Name>) => void,
  ): Promise<LiveSubscription<QueryArgs<Name>>>;
  /** Does one of the registry's actions (src/contract/actions). */
  act: Act<ComputeActions>;
}
