import { formatCount } from '../../domain/format-count.ts';
import { errorText } from '../../contract/errors.ts';
import type { HealthState } from '../../domain/check/health.ts';
import type { CardSize } from './card-size.ts';
import type { StandardSort } from './sort-preferences.ts';

const number = (count: number) => formatCount(count);
const components = (count: number) => (count === 1 ? '1 component' : `${number(count)} components`);

const HEALTH_WORDS = {
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  warning: 'Warning',
  unknown: 'Unknown',
} satisfies Record<HealthState, string>;

/** Everything that the pages of the topology say. */
export const messages = {
  title: 'Topology',
  kind: 'Component',
  loading: 'Loading the topology …',
  failed: 'This component could not be loaded',
  errorText,
  total: (shown: number, all: number) =>
    shown === all ? components(all) : `${number(shown)} of ${components(all)}`,
  full: (cap: number) =>
    `This device keeps ${number(cap)} components, those that changed last. There may be more, and what is summed up over parts may lack some.`,
  grid: 'Components',
  search: 'Search components',
  clearSearch: 'Clear search',
  empty: {
    title: 'No components yet',
    hint: 'Components come from topologies. Once one has run, its top level is here.',
    toHealth: 'See the health checks',
    toTopologies: 'See the topologies',
  },
  noMatch: 'There are no components matching this criteria',
  noMatchHint: 'Try fewer or other words, or fewer filters.',
  clearFilters: 'Clear filters',
  filters: {
    all: 'Filters',
    active: (count: number) => (count === 1 ? 'Filters: 1 active' : `Filters: ${count} active`),
    status: 'Status',
    type: 'Type',
    team: 'Team',
    agent: 'Agent',
    labels: 'Labels',
    local: 'This server',
  },
  /** Of components: a warning is none of mixed checks here. */
  health: HEALTH_WORDS,
  checkHealth: {
    healthy: 'passing checks',
    unhealthy: 'failing checks',
    warning: 'checks with a warning',
    unknown: 'checks of unknown health',
  } satisfies Record<HealthState, string>,
  standalone: { notFound: 'Component not found' },
  outline: {
    label:
      'Components as a tree. Arrow keys go along the lines, right opens, left closes, Enter opens the page.',
  },
  graph: {
    label: (name: string) =>
      `Graph of ${name}. Arrow keys move along the lines, Enter opens a component, Space opens or closes its groups. The outline has the same content.`,
    drawing: 'Drawing …',
    alone: {
      title: 'It has no parts and is part of nothing',
      hint: 'What its topology or a selector puts under it appears here.',
    },
    shown: (shown: number, total: number) =>
      shown === total
        ? components(total + 1)
        : `${number(shown)} of ${number(total)} related components shown`,
    closed: 'Open a group to see more.',
    cut: 'One picture has room for no more: use the outline.',
    members: (type: string, count: number) => `${number(count)} × ${type === '' ? 'component' : type}`,
    sides: {
      self: 'this component',
      outgoing: 'part of it',
      related: 'belongs to it, or it depends on it',
      incoming: 'above it',
    },
    direction: { label: 'Direction', LR: 'Left to right', TB: 'Top to bottom' },
    edges: { label: 'Lines', bezier: 'Curved lines', smoothstep: 'Stepped lines' },
  },
  shownAs: { label: 'Show as', cards: 'Cards', graph: 'Graph', outline: 'Outline' },
  view: 'View',
  showHidden: 'Show hidden components',
  sort: 'Sort by',
  sorts: {
    status: 'Health',
    name: 'Name',
    type: 'Type',
    updated_at: 'Last updated',
  } satisfies Record<StandardSort, string>,
  properties: 'Properties',
  ascending: 'Ascending',
  descending: 'Descending',
  direction: (isDescending: boolean) => (isDescending ? 'Order: descending' : 'Order: ascending'),
  size: 'Card size',
  sizes: {
    small: 'Small',
    medium: 'Medium',
    large: 'Large',
    extra_large: 'Extra large',
  } satisfies Record<CardSize, string>,
  width: 'Card width',
  widthText: (px: number) => `${px} pixels`,
  card: {
    hidden: 'Hidden',
    ago: ' ago',
    parts: (count: number) => (count === 1 ? '1 part' : `${number(count)} parts`),
    more: (count: number) => `+${number(count)} more`,
    moreOf: (count: number, name: string) => `+${number(count)} more parts of ${name}`,
    moreFindings: (count: number) => (count === 1 ? '1 more finding' : `${number(count)} more findings`),
    moreProperties: (count: number) => `+${number(count)} more ${count === 1 ? 'property' : 'properties'}`,
    of: ' of ',
    share: (percent: number) => `${percent}%`,
    checks: 'Checks',
    toHealth: 'Go to the health checks',
    logs: (name: string) => `View Logs of ${name}`,
    logsShort: 'Logs',
    incidentOf: (type: string, count: number) => `${type} ${count === 1 ? 'incident' : 'incidents'}`,
    insightOf: (type: string, count: number) => `${type} ${count === 1 ? 'insight' : 'insights'}`,
  },
} as const;
