/**
 * All live queries of this worker: which collections are held in memory for them, and when each is answered anew.
 * A collection that nobody asks about is let go after a while. Changes from the server are told at the pace of
 * `soon`; what the user did on this device is told at once.
 */
import type { CollectionName } from '../../../src/contract/collections.ts';
import type { LivePatch, LiveQuestion } from '../../../src/contract/live-query.ts';
import type { ComputePlatform } from '../platform.ts';
import type { OpenQuery } from '../subscriptions/live-handler.ts';
import type { EntryChange } from '../../../src/contract/row-index/collection-index.ts';
import { LiveCollection } from './live-collection.ts';
import { LoadTurns } from './load-turns.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import { createLiveQuery, type LiveQuery } from './live-query.ts';
import type { Touched } from './overlay.ts';
import { createPendingCommands, type PendingCommands } from './pending-commands.ts';

/** Going back and forth between pages reads nothing again. */
const KEEP_MS = 60_000;

/** Who hears of the changes of a collection. */
type Listener = Pick<LiveQuery, 'hear' | 'refresh'>;

interface Held {
  collection: LiveCollection;
  queries: Set<Listener>;
  /** Rises whenever somebody asks; only a wait that saw the last of them ends it. */
  uses: number;
}

/** One for the worker. */
export class LiveQueries {
  private readonly platform: ComputePlatform;
  private readonly soon: () => void;
  private readonly pending: PendingCommands;
  private readonly held = new Map<CollectionName, Held>();
  private readonly turns = new LoadTurns();
  private storeName: string | null = null;
  private isPendingFollowed = false;

  /** `soon` is to call `refresh` before long. */
  constructor(platform: ComputePlatform, soon: () => void) {
    this.platform = platform;
    this.soon = soon;
    this.pending = createPendingCommands(platform, (touched) => this.recompute(touched));
  }

  /** Reads another store, or none. */
  attach(storeName: string | null): void {
    if (storeName === this.storeName) return;
    this.storeName = storeName;
    this.isPendingFollowed = false;
    if (this.held.size > 0) this.followPending();
    for (const { collection } of this.held.values()) collection.follow(storeName);
    // Another user's rows go at once.
    this.refresh();
  }

  /** Answers what may differ. */
  refresh(): void {
    for (const { queries } of this.held.values()) {
      for (const query of queries) query.refresh();
    }
  }

  open(first: LiveQuestion, listener: (patch: LivePatch) => void): OpenQuery<LiveQuestion> {
    let question = first;
    let held = this.hold(question.collection);
    const query = createLiveQuery({ question, source: this.sourceOf(held) }, listener);
    held.queries.add(query);
    let isOpen = true;
    return {
      update: (next) => {
        if (!isOpen) return;
        const before = held;
        if (next.collection !== question.collection) {
          held = this.hold(next.collection);
          held.queries.add(query);
        }
        query.setQuestion(next, this.sourceOf(held));
        if (before !== held) this.release(question.collection, before, query);
        question = next;
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.release(question.collection, held, query);
      },
    };
  }

  /**
   * Holds a collection for somebody who reads it in a way of its own: the same rows in memory, for as long as it
   * stays. `onChange` is called for every change, at the pace of the changes.
   */
  join(name: CollectionName, onChange: () => void): { source: LiveSource; leave: () => void } {
    const held = this.hold(name);
    const listener: Listener = { hear: onChange, refresh: () => {} };
    held.queries.add(listener);
    return { source: this.sourceOf(held), leave: () => this.release(name, held, listener) };
  }

  /** The same for a question over several collections, which sends what differs when it is told to. */
  attend(name: CollectionName, listener: Listener): { source: LiveSource; leave: () => void } {
    const held = this.hold(name);
    held.queries.add(listener);
    return { source: this.sourceOf(held), leave: () => this.release(name, held, listener) };
  }

  private sourceOf({ collection }: Held): LiveSource {
    return { index: collection.index, isLoaded: () => collection.isLoaded() && this.pending.isReady() };
  }

  private hold(name: CollectionName): Held {
    const found = this.held.get(name) ?? this.startHolding(name);
    found.uses += 1;
    return found;
  }

  private startHolding(name: CollectionName): Held {
    const queries = new Set<Listener>();
    const collection = new LiveCollection({
      platform: this.platform,
      collection: name,
      overlay: this.pending,
      turns: this.turns,
      onChange: (changes) => this.hear(queries, changes),
    });
    const held: Held = { collection, queries, uses: 0 };
    this.held.set(name, held);
    this.followPending();
    collection.follow(this.storeName);
    return held;
  }

  private release(name: CollectionName, held: Held, query: Listener): void {
    held.queries.delete(query);
    const { uses } = held;
    this.platform.later(KEEP_MS, () => {
      if (held.uses !== uses || held.queries.size > 0) return;
      held.collection.close();
      if (this.held.get(name) === held) this.held.delete(name);
    });
  }

  private followPending(): void {
    if (this.isPendingFollowed) return;
    this.isPendingFollowed = true;
    this.pending.follow(this.storeName);
  }

  private hear(queries: ReadonlySet<Listener>, changes: readonly EntryChange[] | null): void {
    for (const query of queries) query.hear(changes);
    if (queries.size > 0) this.soon();
  }

  private recompute(touched: Touched | null): void {
    for (const [name, { collection, queries }] of this.held) {
      if (touched === null) for (const query of queries) query.hear(null);
      else collection.recompute(touched.get(name) ?? []);
    }
    this.refresh();
  }
}
