/**
 * Everything that runs for one signed-in user: their store, its pulls, and the standing answers. Closing it
 * stops all of it before the store is let go.
 */
import type { FailedCanary, HistoryQuery, Kept } from '../../src/contract/worker.ts';
import type { TimeRange } from '../../src/domain/time/ranges.ts';
import { createAnnouncer } from './announcer.ts';
import {
  answer,
  createDocumentShelf,
  type AnswerSource,
  type StandingAnswer,
} from './answers/kept-answers.ts';
import {
  canarySource,
  checkDetailSource,
  graphSource,
  historySource,
  relatedSource,
  type AnswerParts,
} from './answers/check-answers.ts';
import type { Answer, Stop } from './api.ts';
import { createDataApi } from './data-api.ts';
import type { HttpClient } from './http-client.ts';
import type { SyncPlatform } from './platform.ts';
import { createCanariesPull, failedCanariesOf } from './pull/canaries-pull.ts';
import { ChecksPull } from './pull/checks-pull.ts';
import { CollectionsPull } from './pull/collections-pull.ts';
import { createKeptRows } from './pull/kept-rows.ts';
import { StatusesKeeper } from './pull/statuses-keeper.ts';
import type { PullQueue } from './pull-queue.ts';
import type { ServerClock } from './server-clock.ts';
import type { StatusBoard } from './status-board.ts';
import { AS_OF, SyncEngine } from './sync-engine.ts';
import { openUserStore, type UserStore } from './user-store.ts';

export interface UserSyncParts {
  platform: SyncPlatform;
  http: HttpClient;
  clock: ServerClock;
  board: StatusBoard;
  queue: PullQueue;
  storeName: string;
  isDeviceOnline: () => boolean;
  onUnauthorized: () => void;
  /** Rows of that collection were made durable by this thread. */
  onStored: (collection: string) => void;
}

type Listener<T> = (found: Answer<Kept<T>>) => void;

export class UserSync {
  readonly engine: SyncEngine;
  readonly collections: CollectionsPull;
  private readonly parts: UserSyncParts;
  private readonly store: UserStore;
  private readonly answerParts: AnswerParts;
  private readonly standing = new Map<StandingAnswer, string | null>();
  private readonly stopped = new AbortController();
  private running: Promise<void> | null = null;

  constructor(parts: UserSyncParts) {
    const { platform, http, clock, board, queue, storeName } = parts;
    this.parts = parts;
    this.store = openUserStore(storeName, platform.idb);
    const announce = createAnnouncer(platform, storeName, parts.onStored);
    const api = createDataApi(http, platform.origin);
    const report = (error: unknown) => platform.report(error);
    const serverNow = () => clock.now();
    const { meta } = this.store;
    const statuses = new StatusesKeeper({ api, store: this.store.statuses, meta, serverNow, report });
    const keptChecks = createKeptRows({
      collection: 'checks',
      store: this.store.checks,
      copy: this.store.bootChecks,
      announce,
    });
    const keptCanaries = createKeptRows({ collection: 'canaries', store: this.store.canaries, announce });
    this.collections = new CollectionsPull({
      store: this.store,
      http,
      checks: new ChecksPull({ api, kept: keptChecks, meta, announce, report }),
      canaries: createCanariesPull({ api, kept: keptCanaries, report }),
      statuses,
      announce,
      serverNow,
    });
    this.answerParts = {
      api,
      http,
      shelf: createDocumentShelf(this.store.documents),
      statuses,
      serverNow,
      asOfMs: () => board.get().asOfMs,
      report,
    };
    this.engine = new SyncEngine({
      platform,
      http,
      clock,
      board,
      queue,
      collections: this.collections,
      meta,
      isDeviceOnline: parts.isDeviceOnline,
      onUnauthorized: parts.onUnauthorized,
      onChanged: (checkIds) => this.renew(checkIds),
    });
  }

  get storeName(): string {
    return this.parts.storeName;
  }

  /** How old what is kept was when it was last complete. */
  async showKeptAge(): Promise<void> {
    const { board } = this.parts;
    const asOf = await this.store.meta.get(AS_OF);
    if (typeof asOf === 'number' && board.get().asOfMs === null) board.patch({ asOfMs: asOf });
  }

  /** Pulls for as long as this worker holds the lock of the store; one worker of the origin does. */
  lead(): void {
    const { platform, storeName } = this.parts;
    this.running ??= platform
      .holdLock({ name: `${storeName}-leader`, signal: this.stopped.signal, steal: false }, () =>
        this.engine.run(this.stopped.signal),
      )
      .catch((error: unknown) => {
        if (!this.stopped.signal.aborted) platform.report(error);
      });
  }

  async close(): Promise<void> {
    this.stopped.abort();
    for (const one of this.standing.keys()) one.stop();
    await this.running;
    await this.store.close();
  }

  history(query: HistoryQuery, listener: Listener<ReturnTypeOf<typeof historySource>>): Stop {
    return this.stand(query.checkId, historySource(this.answerParts, query), listener);
  }

  graph(
    question: { checkId: string; range: TimeRange },
    listener: Listener<ReturnTypeOf<typeof graphSource>>,
  ): Stop {
    const { checkId, range } = question;
    return this.stand(checkId, graphSource(this.answerParts, checkId, range), listener);
  }

  checkDetail(checkId: string, listener: Listener<ReturnTypeOf<typeof checkDetailSource>>): Stop {
    return this.stand(checkId, checkDetailSource(this.answerParts, checkId), listener);
  }

  canary(canaryId: string, listener: Listener<ReturnTypeOf<typeof canarySource>>): Stop {
    return this.stand(null, canarySource(this.answerParts, canaryId), listener);
  }

  related(
    thing: { kind: 'config' | 'component'; id: string },
    listener: Listener<ReturnTypeOf<typeof relatedSource>>,
  ): Stop {
    return this.stand(null, relatedSource(this.answerParts, thing.kind, thing.id), listener);
  }

  async failedCanaries(): Promise<FailedCanary[]> {
    return failedCanariesOf(await this.store.canaries.loadAll());
  }

  private stand<T>(checkId: string | null, source: AnswerSource<T>, listener: Listener<T>): Stop {
    const unwatch = checkId === null ? () => {} : this.collections.watch(checkId);
    const one = answer(this.parts.platform, source, listener);
    this.standing.set(one, checkId);
    return () => {
      one.stop();
      this.standing.delete(one);
      unwatch();
    };
  }

  /** Asks again for what may have changed; for everything after an outage (no ids). */
  private renew(checkIds: readonly string[]): void {
    const changed = new Set(checkIds);
    for (const [one, checkId] of this.standing) {
      if (changed.size === 0 || (checkId !== null && changed.has(checkId))) one.renew();
    }
  }
}

/** What an answer source answers with. */
type ReturnTypeOf<F extends (...args: never[]) => AnswerSource<unknown>> =
  ReturnType<F> extends AnswerSource<infer T> ? T : never;
