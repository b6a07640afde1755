/**
 * The lists of this page that are looked at through windows: opened, cached for the next start, closed when the page
 * is left.
 */
import type { FirstWindow } from '../../../contract/first-window.ts';
import type { LiveQueryName } from '../../../contract/queries/queries.ts';
import type { RowWindow } from '../../../contract/worker.ts';
import type { FirstWindows } from './first-windows.ts';
import type { DataPlatform } from '../platform.ts';
import {
  firstWindowOf,
  WindowViewClient,
  type AnyFrame,
  type CachedAnswer,
  type ViewCache,
  type ViewKind,
  type ViewPatch,
} from '../window-view-client.ts';

/** Checks become overdue by the passing of time alone. */
const RETIME_MS = 5000;

/** How a kind of view is asked of the worker, and shown from the cache. */
export interface WindowKind<Query, Frame extends AnyFrame, Row> extends Omit<
  ViewKind<Query, Frame, Row>,
  'report' | 'cache'
> {
  name: LiveQueryName;
  /** Nothing of it is cached for the next start. */
  isInMemory?: true;
  /** What was cached, as it is at `nowMs`; null where that can't be told. */
  at: (found: FirstWindow<ViewPatch<Frame, Row>>, nowMs: number) => CachedAnswer<Frame, Row> | null;
}

/** What doesn't change by the passing of time, as it was cached. */
export function asCached<Frame extends AnyFrame, Row>({
  patch: { frame, rows },
}: FirstWindow<ViewPatch<Frame, Row>>): CachedAnswer<Frame, Row> | null {
  return frame?.isLoaded === true && rows !== undefined ? { frame, rows: rows.rows } : null;
}

/** What counts checks, as it was cached; as it is with all of them overdue once one that it calls healthy may be. */
export function asOfChecks<Frame extends AnyFrame, Row>(
  found: FirstWindow<ViewPatch<Frame, Row>>,
  nowMs: number,
): CachedAnswer<Frame, Row> | null {
  const { overdue } = found;
  if (overdue === undefined) return null;
  return asCached(nowMs > overdue.healthyUntilMs ? { ...found, patch: overdue.patch } : found);
}

const NO_CACHE = { read: () => null, note: () => {}, drop: () => {}, whenOld: () => {} };

interface OpenView {
  close(): void;
}

/** One for the page. */
export class WindowViews {
  private readonly platform: Pick<DataPlatform, 'report' | 'later'>;
  private readonly firstWindows: FirstWindows;
  private readonly nowOnServer: () => number;
  private readonly open = new Map<OpenView, () => void>();

  constructor(parts: {
    platform: Pick<DataPlatform, 'report' | 'later'>;
    firstWindows: FirstWindows;
    nowOnServer: () => number;
  }) {
    this.platform = parts.platform;
    this.firstWindows = parts.firstWindows;
    this.nowOnServer = parts.nowOnServer;
  }

  /** Opens a query that is looked at through a window; release it when done. */
  acquire<Query, Frame extends AnyFrame, Row>(
    query: Query,
    kind: WindowKind<Query, Frame, Row>,
  ): WindowViewClient<Query, Frame, Row> {
    const report = (error: unknown) => this.platform.report(error);
    const view = new WindowViewClient<Query, Frame, Row>(query, {
      ...kind,
      report,
      cache: kind.isInMemory === true ? NO_CACHE : this.cacheOf(kind),
    });
    const stops = [
      this.firstWindows.onForget(() => view.forgetCached()),
      this.firstWindows.onNews(() => view.lookAgain()),
    ];
    this.open.set(view, () => stops.forEach((stop) => stop()));
    return view;
  }

  release(view: OpenView): void {
    this.open.get(view)?.();
    this.open.delete(view);
    view.close();
  }

  closeAll(): void {
    for (const view of this.open.keys()) view.close();
  }

  private cacheOf<Query, Frame extends AnyFrame, Row>(
    kind: WindowKind<Query, Frame, Row>,
  ): ViewCache<Query, Frame, Row> {
    const { name, at } = kind;
    const cache = this.firstWindows.of<{ query: Query; window: RowWindow }, ViewPatch<Frame, Row>>(name);
    const asked = (query: Query) => ({ query, window: firstWindowOf(kind) });
    return {
      read: (query) => {
        const found = cache.read(asked(query));
        return found === null ? null : at(found, this.nowOnServer());
      },
      note: (query) => cache.note(asked(query)),
      drop: cache.drop,
      whenOld: (run) => this.platform.later(RETIME_MS, run),
    };
  }
}
