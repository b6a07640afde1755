/** For tests: arguments of every query of the compute worker, as the app gives them. */
import type { LiveQueryName, QueryArgs } from '../../src/contract/queries/queries.ts';
import { NO_QUESTION } from '../../src/domain/catalog/changes-search.ts';

export const WINDOW = { start: 0, end: 100 };
export const ROWS: QueryArgs<'live-rows'> = {
  collection: 'configs',
  where: [],
  search: '',
  sort: [],
  groupBy: null,
  window: WINDOW,
};
const { collection: _, ...LISTED } = ROWS;
export const HEALTH: QueryArgs<'live-health'>['query'] = {
  hidePassing: false,
  query: '',
  labels: {},
  groupBy: 'none',
  tabBy: 'namespace',
  tab: 'All',
  pivotBy: null,
  sortBy: 'name',
  sortDesc: false,
  timeRange: '1h',
  expanded: [],
};
const CATALOG = {
  search: '',
  types: {},
  status: {},
  health: {},
  labels: { 'team:core': 1 },
  hideDeleted: true,
  sortBy: 'type',
  isDescending: false,
  groupBy: ['type'],
  hasItems: true,
  closed: [],
  favorites: [],
  wantsFacets: false,
} as const;
const INSIGHTS = {
  search: '',
  severity: null,
  type: null,
  analyzer: null,
  configId: null,
  configType: null,
  configIds: null,
  sortBy: 'severity',
  isDescending: true,
} as const;
const RELATIONS: QueryArgs<'live-relations'> = {
  configId: 'a',
  isIncoming: true,
  isOutgoing: true,
  isSoft: false,
  maxDepth: 3,
  hidesDeleted: true,
  types: {},
  labels: {},
  statuses: {},
  healths: {},
  tag: null,
  face: { kind: 'graph', direction: 'LR', toggled: [] },
};

const TOPOLOGY: QueryArgs<'live-topology'>['query'] = {
  rootId: null,
  isFlat: false,
  search: 'a',
  status: { unhealthy: 1 },
  types: {},
  teams: {},
  agents: {},
  labels: { 'team=a': -1 },
  hidesHidden: true,
  sortBy: 'field:cost',
  isDescending: true,
};

const { isFlat: _isFlat, ...LOOKED_FOR } = TOPOLOGY;
const OUTLINE: QueryArgs<'live-topology-outline'>['query'] = { ...LOOKED_FOR, toggled: ['a/b'] };

type Samples = {
  [Name in LiveQueryName]: { args: QueryArgs<Name>; bad: Record<string, unknown>; field: string };
};

/** Arguments as the app gives them, a part that they must not have, and the field that it is about. */
export const LIVE_SAMPLES: Samples = {
  'live-health': {
    args: { query: { ...HEALTH, expanded: [] }, window: WINDOW },
    bad: { query: { ...HEALTH, sortBy: 'colour' } },
    field: 'query.sortBy',
  },
  'live-check': { args: { checkId: 'a' }, bad: { checkId: 1 }, field: 'checkId' },
  'live-unread': { args: { userId: 'a' }, bad: { userId: null }, field: 'userId' },
  'live-rows': { args: ROWS, bad: { collection: 'secrets' }, field: 'collection' },
  'live-incidents': { args: LISTED, bad: { search: 7 }, field: 'search' },
  'live-changes': { args: NO_QUESTION, bad: { page: 0 }, field: 'page' },
  'live-catalog': {
    args: { query: CATALOG, window: WINDOW },
    bad: { query: { ...CATALOG, labels: { a: 2 } } },
    field: 'query.labels.a',
  },
  'live-insights': {
    args: { query: INSIGHTS, window: WINDOW },
    bad: { window: { start: -1, end: 2 } },
    field: 'window.start',
  },
  'live-logs': {
    args: {
      query: {
        book: 'a',
        search: '',
        levels: ['error'],
        untilSeq: null,
        between: null,
        groupBy: 'app',
        group: null,
      },
      window: WINDOW,
    },
    bad: {
      query: {
        book: 'a',
        search: '',
        levels: ['loud'],
        untilSeq: null,
        between: null,
        groupBy: 'app',
        group: null,
      },
    },
    field: 'query.levels.0',
  },
  'live-relations': {
    args: RELATIONS,
    bad: { face: { kind: 'graph', direction: 'UP', toggled: [] } },
    field: 'face.direction',
  },
  'live-topology': {
    args: { query: TOPOLOGY, window: WINDOW },
    bad: { query: { ...TOPOLOGY, status: { healthy: 2 } } },
    field: 'query.status.healthy',
  },
  'live-component': { args: { componentId: 'a' }, bad: { componentId: null }, field: 'componentId' },
  'live-component-reach': { args: { componentId: 'a' }, bad: { componentId: 1 }, field: 'componentId' },
  'live-topology-outline': {
    args: {
      query: OUTLINE,
      window: WINDOW,
    },
    bad: { window: { start: 'x', end: 2 } },
    field: 'window.start',
  },
  'live-silenced': { args: { kind: 'check' }, bad: { kind: 'team' }, field: 'kind' },
  'live-silence-preview': {
    args: {
      configId: null,
      componentId: null,
      checkId: 'a',
      canaryId: null,
      isRecursive: false,
      selector: null,
      filter: null,
      recurrence: [{ start: '22:00', end: '06:00', days: ['sat'] }],
    },
    bad: { selector: 5 },
    field: 'selector',
  },
  'live-component-picture': {
    args: { componentId: 'a', direction: 'LR', isNarrow: false, toggled: [] },
    bad: { direction: 'UP' },
    field: 'direction',
  },
};
