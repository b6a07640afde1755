/**
 * The compute worker's door: the in-memory index over the local store, and everything heavy that is asked of
 * it. It reads the store and hears of changes; it never writes and never talks to the network.
 */
import type {
  LiveQueryName,
  LiveSubscription,
  QueryArgs,
  QueryMessage,
} from '../../src/contract/queries/queries.ts';
import type { WrittenDocument } from '../../src/contract/written-document.ts';

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
  /** Reads the store of that name; called again after sign-in as someone else. */
  attach(storeName: string): Promise<void>;
  /** Drops everything that was read (sign-out). */
  detach(): Promise<void>;
  /** The server's clock relative to this device's, for ages and overdue checks. */
  setClockOffset(offsetMs: number): Promise<void>;
  /** Writes JSON as people read it; a large one takes its time here and not on the page. */
  writeDocument(json: string, form: 'yaml' | 'json'): Promise<WrittenDocument>;
}
