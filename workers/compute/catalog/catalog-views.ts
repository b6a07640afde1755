/**
 * All queries about the catalog's front. Items, changes and insights are the collections that live
 * queries hold: joined for as long as somebody looks, let go with them. Changes of the data are told a few times a
 * second (what they add up to costs a pass over everything); a question is answered at once.
 */
import type { CatalogPatch, CatalogQuery } from '../../../src/contract/catalog-view.ts';
import type { InsightPatch, InsightQuery } from '../../../src/contract/insight-view.ts';
import type { RowWindow } from '../../../src/contract/worker.ts';
import type { LiveQueries } from '../live/live-queries.ts';
import type { LiveSource } from '../../../src/contract/row-index/live-answer.ts';
import type { ComputePlatform } from '../platform.ts';
import { updatesOf, type OpenQuery } from '../subscriptions/live-handler.ts';
import { createThrottle } from '../throttle.ts';
import { createWindowView, type WindowView } from '../window-view.ts';
import { createCatalogBoard } from './catalog-board.ts';
import { CatalogItems } from './catalog-items.ts';
import { createInsightBoard } from './insight-board.ts';
import { createTallies } from './tallies.ts';

const REFRESH_GAP_MS = 250;

interface Asked<Query> {
  query: Query;
  window: RowWindow;
}

interface Joined {
  items: CatalogItems;
  configs: LiveSource;
  insights: LiveSource;
  changes: LiveSource;
  leave: () => void;
}

/** One for the worker. */
export class CatalogViews {
  private readonly live: LiveQueries;
  private readonly nowMs: () => number;
  private readonly views = new Set<Pick<WindowView<unknown>, 'refresh'>>();
  private readonly soon: () => void;
  private joined: Joined | null = null;

  constructor(parts: { platform: ComputePlatform; live: LiveQueries; nowMs: () => number }) {
    this.live = parts.live;
    this.nowMs = parts.nowMs;
    this.soon = createThrottle(parts.platform, REFRESH_GAP_MS, () => {
      for (const view of this.views) view.refresh();
    });
  }

  openCatalog(
    asked: Asked<CatalogQuery>,
    listener: (patch: CatalogPatch) => void,
  ): OpenQuery<Asked<CatalogQuery>> {
    const { items, changes, insights } = this.join();
    const view = createWindowView({
      ...asked,
      answer: createCatalogBoard({
        items,
        hasChanges: changes.isLoaded,
        hasAnalysis: insights.isLoaded,
        nowMs: this.nowMs,
      }),
      isSameFrame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      listener,
    });
    return this.hold(view);
  }

  openInsights(
    asked: Asked<InsightQuery>,
    listener: (patch: InsightPatch) => void,
  ): OpenQuery<Asked<InsightQuery>> {
    const { configs, insights } = this.join();
    const view = createWindowView({
      ...asked,
      answer: createInsightBoard({ configs, insights }),
      isSameFrame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      listener,
    });
    return this.hold(view);
  }

  private hold<Query>(view: WindowView<Query>): OpenQuery<Asked<Query>> {
    this.views.add(view);
    return {
      update: updatesOf(view),
      close: () => {
        if (!this.views.delete(view) || this.views.size > 0) return;
        this.joined?.leave();
        this.joined = null;
      },
    };
  }

  private join(): Joined {
    if (this.joined !== null) return this.joined;
    const heard = (tell: () => void) => () => {
      tell();
      this.soon();
    };
    const hearBeside = heard(() => {
      tallies?.forget();
      items?.recount();
    });
    let items: CatalogItems | null = null;
    let tallies: ReturnType<typeof createTallies> | null = null;
    const [configs, changes, insights] = [
      this.live.join(
        'configs',
        heard(() => items?.forget()),
      ),
      this.live.join('config_changes', hearBeside),
      this.live.join('config_insights', hearBeside),
    ];
    tallies = createTallies({ changes: changes.source, insights: insights.source });
    items = new CatalogItems(configs.source, tallies);
    this.joined = {
      items,
      configs: configs.source,
      changes: changes.source,
      insights: insights.source,
      leave: () => {
        for (const one of [configs, changes, insights]) one.leave();
      },
    };
    return this.joined;
  }
}
