import { formatCount } from '../../../domain/format-count.ts';
import { errorText } from '../../../contract/errors.ts';
import type { HealthState } from '../../../domain/check/health.ts';
import type { PictureGroup, RelationSide } from '../../../contract/relations.ts';

const number = formatCount;

const HEALTH: Readonly<Record<HealthState, string>> = {
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  warning: 'warning',
  unknown: 'health unknown',
};

const SIDES: Readonly<Record<RelationSide, string>> = {
  self: 'this item',
  outgoing: 'outgoing',
  incoming: 'incoming',
  both: 'incoming and outgoing',
};

/** Everything that the relationships of a catalog item say. */
export const messages = {
  title: 'Relationships',
  loading: 'Reading the relationships on this device …',
  drawing: 'Drawing …',
  unknownItem: {
    title: 'This item is not on this device',
    hint: 'Its relationships appear here as soon as it has arrived.',
  },
  alone: {
    title: 'Related to nothing',
    outgoing: 'Nothing hangs on this item. Turn Incoming on to see what it hangs on.',
    hard: 'Nothing is related to it by a hard relation. Choose Soft to see all kinds.',
    any: 'No scraper found anything that is related to it.',
  },
  nothingPasses: { title: 'Nothing passes the filters', hint: 'Try fewer filters, or more depth.' },
  clearFilters: 'Clear filters',
  view: { label: 'Show as', Table: 'Table', Graph: 'Graph' },
  filters: {
    region: 'Filters of the relationships',
    types: 'Types',
    labels: 'Labels',
    statuses: 'Status',
    healths: 'Health',
    relationship: 'Relationship',
    hard: 'Hard',
    soft: 'Soft and hard',
    incoming: 'Incoming',
    outgoing: 'Outgoing',
    outgoingForced: 'Outgoing stays on while Incoming is off',
    depth: 'Depth',
    hideDeleted: 'Hide deleted',
    clearTag: (key: string, value: string) => `Remove the filter ${key}: ${value}`,
  },
  direction: { label: 'Direction', LR: 'Left to right', TB: 'Top to bottom' },
  edges: { label: 'Lines', bezier: 'Curved lines', smoothstep: 'Stepped lines' },
  shown: (shown: number, total: number) =>
    shown === total
      ? total === 1
        ? '1 related item'
        : `${number(total)} related items`
      : `${number(shown)} of ${number(total)} shown`,
  cut: 'One picture has room for no more: filter, lower the depth, or use the table.',
  closed: 'Open a group to see more.',
  capped: 'This device keeps 300,000 relations, and there may be more.',
  cappedOffline: 'What is related beyond them can be asked of the server once there is a connection.',
  cappedAsk: 'Ask the server for all',
  cappedLocal: 'Show what this device has',
  fromServer: (count: number) => `${number(count)} items from the server, nearest first`,
  asking: 'Asking the server …',
  askFailed: 'The server could not answer',
  errorText,
  columns: {
    name: 'Name',
    type: 'Type',
    status: 'Status',
    health: 'Health',
    tags: 'Tags',
    changes: 'Changes (7 d)',
    depth: 'Depth',
  },
  treeOrder: 'As a tree',
  thisItem: 'This item',
  deleted: 'Deleted',
  nothing: '–',
  health: HEALTH,
  sides: SIDES,
  graph: {
    label: (name: string) =>
      `Relationship graph of ${name}. Arrow keys move along the lines, Enter opens an item, Space opens or closes its groups. The table has the same content.`,
    members: ({ type, count }: PictureGroup) => `${number(count)} × ${type.split('::').at(-1) ?? type}`,
  },
} as const;
