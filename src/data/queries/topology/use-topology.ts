import type {
  ComponentPicture,
  ComponentPicturePatch,
  ComponentPictureQuery,
  OutlineFrame,
  OutlineQuery,
  OutlineRow,
  TopologyCard,
  TopologyFrame,
  TopologyQuery,
} from '../../../contract/topology-view.ts';
import { dataClient } from '../../client/data-client.ts';
import type { WindowViewClient, WindowViewState } from '../../client/window-view-client.ts';
import { asOfChecks } from '../../client/windows/window-views.ts';
import type { Differences } from '../../client/live-query-client.ts';
import { useDifferences } from '../use-differences.ts';
import { useWindowLease, type ViewPool } from '../use-window-lease.ts';

export type TopologyViewState = WindowViewState<TopologyQuery, TopologyFrame, TopologyCard>;

/** A card is a lot to send at each key, and few have room on a screen. */
const CARD_ROWS = 50;

const NO_CARDS: TopologyFrame = {
  isLoaded: false,
  rowCount: 0,
  totalCount: 0,
  health: { healthy: 0, unhealthy: 0, warning: 0, unknown: 0 },
  facets: { types: [], statuses: [], teams: [], agents: [], labels: [], headlines: [] },
};

const CARDS: ViewPool<
  TopologyQuery,
  TopologyViewState,
  WindowViewClient<TopologyQuery, TopologyFrame, TopologyCard>
> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-topology',
      at: asOfChecks,
      open: (asked, listener) => dataClient().askLive('live-topology', asked, listener),
      emptyFrame: NO_CARDS,
      windowRows: CARD_ROWS,
      parts: ['facets', 'health'],
    }),
  release: (view) => dataClient().windows.release(view),
};

/** Components of this device as cards, live. */
export function useTopologyView(query: TopologyQuery): TopologyViewState {
  return useWindowLease(query, CARDS);
}

export type OutlineViewState = WindowViewState<OutlineQuery, OutlineFrame, OutlineRow>;

const NO_LINES: OutlineFrame = { isLoaded: false, rowCount: 0, totalCount: 0 };
const OUTLINE: ViewPool<
  OutlineQuery,
  OutlineViewState,
  WindowViewClient<OutlineQuery, OutlineFrame, OutlineRow>
> = {
  acquire: (query) =>
    dataClient().windows.acquire(query, {
      name: 'live-topology-outline',
      at: asOfChecks,
      open: (asked, listener) => dataClient().askLive('live-topology-outline', asked, listener),
      emptyFrame: NO_LINES,
      parts: [],
    }),
  release: (view) => dataClient().windows.release(view),
};

/** The topology as a tree of lines, live. */
export function useOutlineView(query: OutlineQuery): OutlineViewState {
  return useWindowLease(query, OUTLINE);
}

interface PictureAnswer {
  /** False until there is an answer. */
  isKnown: boolean;
  picture: ComponentPicture | null;
}

const PICTURE: Differences<ComponentPictureQuery, PictureAnswer, ComponentPicturePatch> = {
  open: (question, listener) => dataClient().askLive('live-component-picture', question, listener),
  empty: { isKnown: false, picture: null },
  patched: (_known, { picture }) => ({ isKnown: true, picture }),
  isOther: (before, next) => before.componentId !== next.componentId,
};

/** A component with what it consists of and stands under, laid out, live. */
export function useComponentPicture(question: ComponentPictureQuery): PictureAnswer {
  return useDifferences(question, PICTURE);
}
