/**
 * How a store is kept in step with one kind of server (design §4 law 16): ours with a change log, or the plain
 * contract. The engine knows only this. Whatever a call wrote is durable and announced when it resolves.
 */
import type { Change, ChangesEvent } from '../../../src/contract/sync.ts';

/** Changes that came by the stream; `changes` null: there are some, ask. */
export type PushedChanges = Pick<ChangesEvent, 'previous' | 'cursor'> & { changes: readonly Change[] | null };

export interface Dialect {
  /** True once a first load is in: there is something whole to show. */
  isWhole(): Promise<boolean>;
  /** Loads everything, urgent things first; goes on where an earlier attempt was cut. */
  firstLoad(signal: AbortSignal, onProgress: (done: number | null) => void): Promise<void>;
  /** Brings everything up to date; returns the ids of checks that differ now. */
  pull(signal: AbortSignal): Promise<string[]>;
  /** The same with what the stream said, where that fits to what is here. */
  push(pushed: readonly PushedChanges[], signal: AbortSignal): Promise<string[]>;
  /** Where this store stands; null where the server has no log. */
  cursor(): Promise<string | null>;
}
