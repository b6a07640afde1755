/**
 * All queries about the topology. The model is made with the first and let go with the last; changes of the data are
 * told a few times a second, a question is answered at once.
 */
import type {
  ComponentPicturePatch,
  ComponentPictureQuery,
  ComponentReach,
  ComponentView,
  OutlineFrame,
  OutlinePatch,
  OutlineQuery,
  OutlineRow,
  TopologyCard,
  TopologyFrame,
  TopologyPatch,
  TopologyQuery,
} from '../../../src/contract/topology-view.ts';
import type { RowWindow } from '../../../src/contract/worker.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { ComputePlatform } from '../platform.ts';
import { updatesOf, type OpenQuery } from '../subscriptions/live-handler.ts';
import { watchValue } from '../subscriptions/watch-value.ts';
import { createThrottle } from '../throttle.ts';
import { createWindowView } from '../window-view.ts';
import { componentView } from './component-facts.ts';
import type { CheckStateOf } from './component-nodes.ts';
import { componentReach } from './component-reach.ts';
import { PictureQuery } from './picture-query.ts';
import { createFacets, createTopologyBoard } from './topology-board.ts';
import { createOutline } from './topology-outline.ts';
import { TopologyModel, type ChecksOfDevice } from './topology-model.ts';

const REFRESH_GAP_MS = 100;

/** The checks as they are, and as they are once nothing was heard of any for long. */
export interface TimedChecks extends ChecksOfDevice {
  overdueStateOf: CheckStateOf;
}

interface Asked<Query> {
  query: Query;
  window: RowWindow;
}

interface Held {
  model: TopologyModel;
  facets: ReturnType<typeof createFacets>;
}

/** One for the worker. */
export class TopologyViews {
  private readonly platform: Pick<ComputePlatform, 'now' | 'later' | 'report'>;
  private readonly live: Pick<LiveQueries, 'attend'>;
  private readonly checks: TimedChecks;
  private readonly soon: () => void;
  private readonly refreshers = new Set<() => void>();
  private held: Held | null = null;

  constructor(
    platform: Pick<ComputePlatform, 'now' | 'later' | 'report'>,
    live: Pick<LiveQueries, 'attend'>,
    checks: TimedChecks,
  ) {
    this.platform = platform;
    this.live = live;
    this.checks = checks;
    this.soon = createThrottle(platform, REFRESH_GAP_MS, () => {
      for (const refresh of this.refreshers) refresh();
    });
  }

  openCards(
    asked: Asked<TopologyQuery>,
    listener: (patch: TopologyPatch) => void,
  ): OpenQuery<Asked<TopologyQuery>> {
    const { model, facets } = this.hold();
    const view = createWindowView<TopologyQuery, TopologyFrame, TopologyCard>({
      ...asked,
      answer: createTopologyBoard(model, facets),
      isSameFrame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      listener,
    });
    return { update: updatesOf(view), close: this.follow(() => view.refresh()) };
  }

  openOutline(
    asked: Asked<OutlineQuery>,
    listener: (patch: OutlinePatch) => void,
  ): OpenQuery<Asked<OutlineQuery>> {
    const { model } = this.hold();
    const view = createWindowView<OutlineQuery, OutlineFrame, OutlineRow>({
      ...asked,
      answer: createOutline(model),
      isSameFrame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      listener,
    });
    return { update: updatesOf(view), close: this.follow(() => view.refresh()) };
  }

  openPicture(
    query: ComponentPictureQuery,
    listener: (patch: ComponentPicturePatch) => void,
  ): OpenQuery<ComponentPictureQuery> {
    const { platform } = this;
    const { model } = this.hold();
    const pause = () => new Promise<void>((resolve) => platform.later(0, resolve));
    const report = (error: unknown) => platform.report(error);
    const picture = new PictureQuery({ query, model, listener, pause, report });
    const leave = this.follow(() => picture.refresh());
    return {
      update: (next) => picture.setQuery(next),
      close: () => {
        picture.close();
        leave();
      },
    };
  }

  watchComponent(componentId: string, listener: (view: ComponentView) => void): () => void {
    const { model } = this.hold();
    return this.follow(watchValue(() => componentView(model, componentId), listener));
  }

  watchReach(componentId: string, listener: (reach: ComponentReach) => void): () => void {
    const { model } = this.hold();
    return this.follow(watchValue(() => componentReach(model, componentId), listener));
  }

  /** The same components, as they are once every check is overdue. */
  whenOverdue(): TopologyViews {
    const { overdueStateOf: stateOf } = this.checks;
    return new TopologyViews(this.platform, this.live, { ...this.checks, stateOf, follow: () => () => {} });
  }

  /** Answers how to end it. */
  private follow(refresh: () => void): () => void {
    this.refreshers.add(refresh);
    return () => {
      if (!this.refreshers.delete(refresh) || this.refreshers.size > 0) return;
      this.held?.model.leave();
      this.held = null;
    };
  }

  private hold(): Held {
    if (this.held !== null) return this.held;
    const model = new TopologyModel(this.live, this.checks, () => this.soon());
    this.held = { model, facets: createFacets(model) };
    return this.held;
  }
}
