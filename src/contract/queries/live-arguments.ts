/**
 * The schemas of what live queries are asked with. In zod/mini: the compute worker starts with the page, and the whole
 * library would be most of its code.
 */
import * as z from 'zod/mini';
import { CHANGE_SORTS, NO_QUESTION, REACHES } from '../../domain/catalog/changes-search.ts';
import { isGroupBy, isTabBy, type GroupBy, type TabBy } from '../../domain/check/grouping.ts';
import { WEEKDAYS } from '../../domain/incident/rule-hours.ts';
import { LOG_LEVELS } from '../../domain/logs/log-level.ts';
import { isTimeRange, type TimeRange } from '../../domain/time/ranges.ts';
import { CATALOG_COLUMNS } from '../catalog-view.ts';
import { COLLECTIONS } from '../collections.ts';
import { INSIGHT_COLUMNS } from '../insight-view.ts';
import { GRAPH_DIRECTIONS, MAX_RELATION_DEPTH, RELATION_SORTS } from '../relations.ts';
import { MAX_WINDOW_ROWS, SORT_COLUMNS } from '../worker.ts';

const index = z.int().check(z.gte(0));
const search = z.string().check(z.maxLength(1000));
const texts = z.readonly(z.array(z.string()));
const textOrNull = z.nullable(z.string());
const triState = z.record(z.string(), z.union([z.literal(1), z.literal(-1)]));

/** A window that is too large is cut at its end. */
export const windowSchema = z.pipe(
  z.object({ start: index, end: index }),
  z.transform(({ start, end }: { start: number; end: number }) => ({
    start,
    end: Math.min(end, start + MAX_WINDOW_ROWS),
  })),
);

export const healthQuerySchema = z.object({
  hidePassing: z.boolean(),
  query: search,
  labels: triState,
  groupBy: z.custom<GroupBy>((value) => typeof value === 'string' && isGroupBy(value)),
  tabBy: z.custom<TabBy>((value) => typeof value === 'string' && isTabBy(value)),
  /** 'All' or one tab's key. */
  tab: z.string(),
  /** Columns made of the values of a label (or 'namespace', 'agent', 'type'); null for none. */
  pivotBy: textOrNull,
  sortBy: z.enum(SORT_COLUMNS),
  sortDesc: z.boolean(),
  timeRange: z.custom<TimeRange>((value) => typeof value === 'string' && isTimeRange(value)),
  expanded: z.array(z.string()),
});

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const conditionSchema = z.discriminatedUnion('op', [
  z.object({ field: z.string(), op: z.enum(['eq', 'not', 'gte', 'lte']), value: scalar }),
  z.object({ field: z.string(), op: z.enum(['in', 'not-in']), values: z.array(scalar) }),
  /** The column is a list with this value in it. */
  z.object({ field: z.string(), op: z.literal('has'), value: z.string() }),
]);

/** More than any page asks; the server answers these as well, for everybody at once. */
const MOST_CONDITIONS = 50;
const MOST_SORTS = 10;

export const liveQuestionSchema = z.object({
  collection: z.enum(COLLECTIONS),
  /** All must hold. */
  where: z.array(conditionSchema).check(z.maxLength(MOST_CONDITIONS)),
  /** Words that all occur in the row's searchable text; empty for no search. */
  search,
  sort: z.array(z.object({ field: z.string(), isDescending: z.boolean() })).check(z.maxLength(MOST_SORTS)),
  /** Counts by the values of this column, over all rows that pass; null for none. */
  groupBy: textOrNull,
  window: windowSchema,
});

/** The list of incidents, with who responds to them. */
export const incidentsQuestionSchema = z.omit(liveQuestionSchema, { collection: true });

const someText = z.string().check(z.maxLength(10_000));
const CHANGE_ORDERS = CHANGE_SORTS.flatMap((column) => [column, `-${column}`]);

/** The search over changes (contract §6.5), asked of the server and of the device alike. */
export const changesQuestionSchema = z.object({
  id: someText,
  recursive: z.enum(REACHES),
  depth: z.literal(NO_QUESTION.depth),
  include_deleted_configs: z.boolean(),
  config_type: someText,
  type: someText,
  severity: someText,
  summary: someText,
  source: someText,
  created_by: someText,
  tags: someText,
  from: someText,
  to: someText,
  page: z.int().check(z.gte(1), z.lte(1_000_000)),
  page_size: z.int().check(z.gte(1), z.lte(1000)),
  sort_by: z.string().check(z.refine((order) => CHANGE_ORDERS.includes(order))),
});

/** A log that is held under a name, narrowed. */
export const logQuerySchema = z.object({
  book: z.string(),
  search,
  /** Empty for all. */
  levels: z.array(z.enum(LOG_LEVELS)),
  /** Lines that came later are held back; null shows all. */
  untilSeq: z.nullable(z.int()),
  /** A stretch of time, both included; null for all that is held. */
  between: z.nullable(z.object({ fromMs: z.number(), toMs: z.number() })),
  /** A label by whose values lines are counted; null for none. */
  groupBy: textOrNull,
  /** Of these values the one that is shown; null for all, empty for lines without the label. */
  group: textOrNull,
});

export const catalogQuerySchema = z.object({
  search,
  /** Types, statuses, health words: wanted ones are alternatives, unwanted ones never match. */
  types: triState,
  status: triState,
  health: triState,
  /** `key:value` of labels or tags: values of one key are alternatives, keys must all hold. */
  labels: triState,
  hideDeleted: z.boolean(),
  sortBy: z.enum(CATALOG_COLUMNS),
  isDescending: z.boolean(),
  /** `config_class`, `type`, `name`, `analysis`, `changed`, or `tag:<key>`; outermost first. More than anybody nests. */
  groupBy: z.readonly(z.array(z.string()).check(z.maxLength(8))),
  /** Whether items are listed (below their groups, if any), or groups alone. */
  hasItems: z.boolean(),
  /** Groups that are closed, by their row's key; all others are open. */
  closed: texts,
  /** Types that come first. */
  favorites: texts,
  /** Tag and label values with counts are worked out only while somebody looks at them. */
  wantsFacets: z.boolean(),
});

/** Null leaves a filter open. */
export const insightQuerySchema = z.object({
  search,
  severity: textOrNull,
  type: textOrNull,
  analyzer: textOrNull,
  configId: textOrNull,
  configType: textOrNull,
  /** Items of a component; null for any. */
  configIds: z.nullable(texts),
  sortBy: z.enum(INSIGHT_COLUMNS),
  isDescending: z.boolean(),
});

export const relationsQuestionSchema = z.object({
  configId: z.string(),
  isIncoming: z.boolean(),
  isOutgoing: z.boolean(),
  /** Follow every kind of relation, not the hard ones alone. */
  isSoft: z.boolean(),
  maxDepth: z.int().check(z.gte(1), z.lte(MAX_RELATION_DEPTH)),
  hidesDeleted: z.boolean(),
  types: triState,
  /** `key:value`. */
  labels: triState,
  statuses: triState,
  healths: triState,
  tag: z.nullable(z.object({ key: z.string(), value: z.string() })),
  face: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('table'),
      window: windowSchema,
      sortBy: z.enum(RELATION_SORTS),
      isDescending: z.boolean(),
    }),
    z.object({
      kind: z.literal('graph'),
      direction: z.enum(GRAPH_DIRECTIONS),
      /** Groups that are not as they start, by id. */
      toggled: texts,
    }),
  ]),
});

/** Filters: wanted values are alternatives, unwanted ones never match. */
const topologyFilters = {
  search,
  status: triState,
  types: triState,
  teams: triState,
  agents: triState,
  /** `key=value`; of one key any, of several all. */
  labels: triState,
  hidesHidden: z.boolean(),
  /** `status`, `name`, `type`, `updated_at`, or `field:` and a headline property. */
  sortBy: z.string().check(z.maxLength(1000)),
  isDescending: z.boolean(),
};

export const topologyQuerySchema = z.object({
  /** The component whose parts are asked for; null for the top of the topology. */
  rootId: textOrNull,
  /** Every component is looked at, however deep it lies (contract §5: flatten). */
  isFlat: z.boolean(),
  ...topologyFilters,
});

export const outlineQuerySchema = z.object({
  /** The component whose tree is asked for; null for all of the topology. */
  rootId: textOrNull,
  /** Lines that are not as they start, by key: all but the tree's own component start closed. */
  toggled: texts,
  ...topologyFilters,
});

/** What a silence would cover, whether it is saved or not. */
export const silenceScopeSchema = z.object({
  configId: textOrNull,
  componentId: textOrNull,
  checkId: textOrNull,
  canaryId: textOrNull,
  isRecursive: z.boolean(),
  selector: textOrNull,
  filter: textOrNull,
  recurrence: z.readonly(
    z.array(
      z.object({
        start: z.string(),
        end: z.string(),
        days: z.optional(z.array(z.enum(WEEKDAYS))),
        tz: z.optional(z.string()),
        negate: z.optional(z.boolean()),
      }),
    ),
  ),
});

export const componentPictureSchema = z.object({
  componentId: z.string(),
  direction: z.enum(GRAPH_DIRECTIONS),
  /** For a hand-held screen. */
  isNarrow: z.boolean(),
  /** Groups that are not as they start, by id. */
  toggled: texts,
});
