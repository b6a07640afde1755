/** For tests only: the rest of the original client's calls about topologies and their items (contract §5, §6.1). */
import { expect } from 'vitest';
import type { Call } from './call.ts';
import { COMPONENT, CONFIG, DB_COMPONENT, NODE_CONFIG, NOBODY, TOPOLOGY } from './ids.ts';

interface Shown {
  components: { id: string; name: string; hidden?: boolean; components?: unknown[] }[];
}

const ROWS = '/api/db/components';
const LINKS = '/api/db/config_component_relationships';
const oneLink = `${LINKS}?component_id=eq.${COMPONENT}&config_id=eq.${NODE_CONFIG}&selector_id=eq.manual`;

const FILTERS: Call[] = [
  ['a label', 'labels=telemetry%3Denabled'],
  ['a team', 'team=nobody'],
  ['an agent', `agent_id=${NOBODY}`],
  ['by name', 'sortBy=name&sortOrder=asc'],
  ['by type', 'sortBy=type&sortOrder=desc'],
  ['by time', 'sortBy=updated_at&sortOrder=desc'],
  ['by a headline property', 'sortBy=field%3Acpu&sortOrder=desc'],
  ['an owner, deep', 'owner=nobody&depth=5'],
  ['fresh', 'noCache=true'],
].map(([name, query]) => ({
  section: '5',
  name: `the topology page: ${name}`,
  path: `/api/canary/api/topology?${query}`,
  check: (json: Shown) => expect(Array.isArray(json.components)).toBe(true),
}));

/** In the order in which they are sent: what is written is read back. */
export const TOPOLOGY_CALLS: Call[] = [
  ...FILTERS,
  {
    section: '5',
    name: 'a component that is not there',
    path: `/api/canary/api/topology?id=${NOBODY}`,
    check: (json: Shown) => expect(json.components).toEqual([]),
  },
  {
    section: '5',
    name: 'the breadcrumb of a component',
    path: `/api/db/component_names?id=eq.${COMPONENT}`,
    columns: 'id path external_id type name created_at updated_at icon parent_id',
    atLeast: 1,
  },
  {
    section: '5',
    name: 'a link to a component',
    path: `${ROWS}?id=eq.${COMPONENT}`,
    columns: 'id name status health type icon properties summary labels',
    atLeast: 1,
  },
  {
    section: '5',
    name: 'the template of a topology',
    path: `/api/db/topologies?id=eq.${TOPOLOGY}`,
    columns: 'id name namespace spec',
    atLeast: 1,
  },
  {
    section: '5',
    name: 'a component is hidden',
    method: 'PATCH',
    path: `${ROWS}?id=eq.${COMPONENT}`,
    body: { hidden: true },
    check: (json: { hidden: boolean }[]) => expect(json.map(({ hidden }) => hidden)).toEqual([true]),
  },
  {
    section: '5',
    name: 'the topology page leaves it out',
    path: '/api/canary/api/topology?hidden=false&flatten=true',
    check: (json: Shown) => expect(json.components.map(({ id }) => id)).not.toContain(COMPONENT),
  },
  {
    section: '5',
    name: 'and shows it where hidden ones are wanted',
    path: '/api/canary/api/topology?flatten=true',
    check: (json: Shown) =>
      expect(json.components.find(({ id }) => id === COMPONENT)).toMatchObject({ hidden: true }),
  },
  {
    section: '5',
    name: 'it is shown again',
    method: 'PATCH',
    path: `${ROWS}?id=eq.${COMPONENT}`,
    body: { hidden: false },
  },
  {
    section: '5',
    name: 'a topology is built now, one that is not there',
    method: 'POST',
    path: `/api/canary/run/topology/${NOBODY}`,
    status: 404,
  },
  {
    section: '6.1',
    name: 'items to link to a component',
    path: '/api/db/configs?select=id,name,config_class,type',
    columns: 'id name config_class type',
    atLeast: 1,
  },
  {
    section: '6.1',
    name: 'items that are linked',
    path: `/api/db/configs?id=in.(${CONFIG},${NODE_CONFIG})&select=id,name,config_class,type`,
    columns: 'id name config_class type',
    atLeast: 2,
  },
  {
    section: '6.1',
    name: 'a component is linked to an item',
    method: 'POST',
    path: LINKS,
    body: { component_id: COMPONENT, config_id: NODE_CONFIG, selector_id: 'manual' },
    status: 201,
  },
  { section: '6.1', name: 'the link is there', path: oneLink, columns: 'component_id config_id', atLeast: 1 },
  { section: '6.1', name: 'and is taken away', method: 'DELETE', path: oneLink },
  {
    section: '6.1',
    name: 'the link is gone',
    path: oneLink,
    check: (json: unknown[]) => expect(json).toEqual([]),
  },
  {
    section: '4',
    name: 'checks of a component, after all that',
    path: `/api/db/checks_by_component?component_id=eq.${DB_COMPONENT}`,
    columns: 'component_id id type name severity status',
    atLeast: 1,
  },
];
