/**
 * All queries about relations: the model is read with the first and let go a while after the last, so
 * that a device pays for it only while somebody looks.
 */
import type { RelationsPatch, RelationsQuestion } from '../../../src/contract/relations.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { OpenQuery } from '../subscriptions/live-handler.ts';
import { createThrottle } from '../throttle.ts';
import type { ComputePlatform } from '../platform.ts';
import { RelationsModel } from './relations-model.ts';
import { RelationsQuery } from './relations-query.ts';

/** Going from item to item reads nothing again. */
const KEEP_MS = 60_000;
/** Relations of an estate change all the time somewhere; a picture that moves more often isn't read. */
const REFRESH_GAP_MS = 250;

/** One for the worker. */
export class RelationsQueries {
  private readonly platform: ComputePlatform;
  private readonly live: LiveQueries;
  private readonly queries = new Set<RelationsQuery>();
  private readonly soon: () => void;
  private model: RelationsModel | null = null;
  private storeName: string | null = null;
  /** Rises whenever somebody asks; only a wait that saw the last of them ends it. */
  private uses = 0;

  constructor(platform: ComputePlatform, live: LiveQueries) {
    this.platform = platform;
    this.live = live;
    this.soon = createThrottle(platform, REFRESH_GAP_MS, () => {
      for (const query of this.queries) query.refresh();
    });
  }

  /** Reads another store, or none. */
  attach(storeName: string | null): void {
    if (storeName === this.storeName) return;
    this.storeName = storeName;
    this.model?.follow(storeName);
    // Another user's items go at once.
    for (const query of this.queries) query.refresh();
  }

  open(question: RelationsQuestion, listener: (patch: RelationsPatch) => void): OpenQuery<RelationsQuestion> {
    const { platform } = this;
    this.uses += 1;
    const pause = () =>
      new Promise<void>((resolve) => {
        platform.later(0, resolve);
      });
    const query = new RelationsQuery({
      question,
      model: this.hold(),
      listener,
      pause,
      report: (error) => platform.report(error),
    });
    this.queries.add(query);
    return {
      update: (next) => query.setQuestion(next),
      close: () => this.release(query),
    };
  }

  private hold(): RelationsModel {
    if (this.model !== null) return this.model;
    const model = new RelationsModel(this.platform, this.live, () => this.soon());
    this.model = model;
    model.follow(this.storeName);
    return model;
  }

  private release(query: RelationsQuery): void {
    query.close();
    this.queries.delete(query);
    const { uses } = this;
    this.platform.later(KEEP_MS, () => {
      if (this.uses !== uses || this.queries.size > 0) return;
      this.model?.close();
      this.model = null;
    });
  }
}
