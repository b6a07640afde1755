/** For tests only: the original client's calls about topologies and their items (contract §5, §6.1, §19.10), all of them. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Call } from './call.ts';
import {
  A,
  COMPONENT,
  CONFIG,
  DB_COMPONENT,
  INCIDENT,
  NODE_CONFIG,
  NOBODY,
  TOPOLOGY,
  TOPOLOGY_ROOT,
  UI_COMPONENT,
} from './ids.ts';

const PAGE = '/api/canary/api/topology';
const ROWS = '/api/db/components';
const LINKS = '/api/db/config_component_relationships';
const oneLink = `${LINKS}?component_id=eq.${COMPONENT}&config_id=eq.${NODE_CONFIG}&selector_id=eq.manual`;
const LOCAL_AGENT = '00000000-0000-0000-0000-000000000000';

const counts = z.record(z.string(), z.int().positive());
const countsByType = z.record(z.string(), counts);
interface Component {
  id: string;
  name: string;
  summary: object;
  components?: Component[] | undefined;
  properties?: unknown;
}
const anything = z.unknown().optional();
/** Every field that the contract names, and no other; those that are never left out are required. */
const component: z.ZodType<Component> = z.strictObject({
  id: z.guid(),
  agent_id: z.guid(),
  name: z.string(),
  namespace: z.string(),
  status: z.string(),
  description: z.string(),
  status_reason: z.string(),
  type: z.string(),
  is_leaf: z.boolean(),
  created_at: z.iso.datetime({ offset: true }),
  summary: z.strictObject({
    healthy: z.int().optional(),
    unhealthy: z.int().optional(),
    warning: z.int().optional(),
    info: z.int().optional(),
    incidents: countsByType.optional(),
    insights: countsByType.optional(),
    checks: counts.optional(),
  }),
  topology_id: anything,
  external_id: anything,
  parent_id: anything,
  config_id: anything,
  text: anything,
  topology_type: anything,
  labels: anything,
  hidden: anything,
  silenced: anything,
  health: anything,
  lifecycle: anything,
  logs: anything,
  tooltip: anything,
  schedule: anything,
  icon: anything,
  owner: anything,
  selectors: anything,
  configs: anything,
  componentChecks: anything,
  path: anything,
  cost_per_minute: anything,
  cost_total_1d: anything,
  cost_total_7d: anything,
  cost_total_30d: anything,
  created_by: anything,
  updated_at: anything,
  deleted_at: anything,
  status_expr: anything,
  health_expr: anything,
  checks: anything,
  incidents: anything,
  analysis: anything,
  children: anything,
  parents: anything,
  order: anything,
  relationship_id: anything,
  properties: z.array(z.looseObject({ name: z.string() })).optional(),
  get components() {
    return z.array(component).min(1).optional();
  },
});
const answer = z.strictObject({
  components: z.array(component),
  healthStatuses: z.array(z.string()),
  teams: z.array(z.string()),
  tags: z.record(z.string(), z.array(z.string())),
  types: z.array(z.string()),
});
type Answer = z.infer<typeof answer>;

const namesOf = (components: readonly Component[] | undefined) => (components ?? []).map(({ name }) => name);

/** The page's call with that query, to the letter; what it answers has the contract's form and these components. */
function page(
  name: string,
  query: string,
  expected: readonly string[] | ((found: Answer) => void),
  path = PAGE,
): Call {
  return {
    section: '5',
    name: `the topology page: ${name}`,
    path: query === '' ? path : `${path}?${query}`,
    check: (json: unknown) => {
      const found = answer.parse(json);
      if (typeof expected === 'function') expected(found);
      else expect(namesOf(found.components)).toEqual(expected);
    },
  };
}

const PODS = [
  'logistics-worker-79cb67d8f5-lr66n',
  'logistics-ui-6c8f9b4d5e-m7n8p',
  'logistics-api-7df4c7f6b7-x9k2m',
];

const PAGES: Call[] = [
  page('as it opens', 'sortBy=status&sortOrder=desc', (found) => {
    expect(namesOf(found.components)).toEqual(['logistics', 'cluster']);
    expect(found.healthStatuses).toEqual(['healthy', 'unhealthy']);
    expect(found.tags).toEqual({ telemetry: ['enabled'] });
    expect(found.types).toContain('KubernetesPod');
    const [logistics] = found.components;
    expect(logistics).toMatchObject({
      id: TOPOLOGY_ROOT,
      health: 'unhealthy',
      owner: 'logistics-team',
      external_id: 'dummy/logistics',
      is_leaf: false,
    });
    expect(logistics?.summary).toMatchObject({
      healthy: 1,
      warning: 1,
      checks: { healthy: 1, unhealthy: 1 },
    });
    expect(namesOf(logistics?.components).toSorted()).toEqual(['logistics-api', 'logistics-ui']);
  }),
  page('without hidden ones', 'sortBy=status&sortOrder=desc&hidden=false', ['logistics', 'cluster']),
  page('through the double slash', '', ['cluster', 'logistics'], '/api//canary/api/topology'),
  page('where the proxy takes /api away', '', ['cluster', 'logistics'], '//canary/api/topology'),
  page('best first', 'sortBy=status&sortOrder=asc', ['cluster', 'logistics']),
  page('by name', 'sortBy=name&sortOrder=desc', ['logistics', 'cluster']),
  page('by type', 'sortBy=type&sortOrder=desc', ['cluster', 'logistics']),
  page('by time', 'sortBy=updated_at&sortOrder=desc', (found) =>
    expect(namesOf(found.components).toSorted()).toEqual(['cluster', 'logistics']),
  ),
  page(
    'a type, flat, by a headline property',
    'type=KubernetesPod&sortBy=field%3Amemory&sortOrder=desc&flatten=true',
    PODS,
  ),
  page('a type, flat, without a status', 'type=KubernetesPod&flatten=true&status=!unhealthy', (found) => {
    expect(namesOf(found.components).toSorted()).toEqual(PODS.toSorted());
    for (const one of found.components) expect(one).not.toHaveProperty('components');
  }),
  page('types that are listed', 'type=Entity%2CKubernetesCluster', ['cluster', 'logistics']),
  page('not of a type', 'type=!KubernetesCluster', ['logistics']),
  page('a status', 'status=warning', ['logistics']),
  page('not of a status', 'status=!warning', ['cluster']),
  page('a label', 'labels=telemetry%3Denabled', (found) => {
    expect(namesOf(found.components)).toEqual(['logistics']);
    expect(namesOf(found.components[0]?.components)).toEqual(['logistics-api']);
  }),
  page('a label that nothing has', 'labels=telemetry%3Ddisabled', []),
  page('a team', 'team=nobody', []),
  page('not of a team', 'team=!nobody', ['cluster', 'logistics']),
  page('an agent', `agent_id=${NOBODY}`, []),
  page('this server', `agent_id=${LOCAL_AGENT}`, ['cluster', 'logistics']),
  page('All, which is no filter', 'type=All&team=All&labels=All&status=All&agent_id=All', [
    'cluster',
    'logistics',
  ]),
  page('an owner, deep', 'owner=logistics-team&depth=5', ['logistics']),
  page('one level', 'depth=1', (found) => {
    expect(namesOf(found.components)).toEqual(['cluster', 'logistics']);
    for (const one of found.components) expect(one).not.toHaveProperty('components');
  }),
  page('fresh', 'noCache=true', ['cluster', 'logistics']),
  page('one component', `id=${COMPONENT}&sortBy=status&sortOrder=desc`, (found) => {
    expect(found.components.map(({ id }) => id)).toEqual([COMPONENT]);
    const [shown] = found.components;
    expect(shown).toMatchObject({ status: 'healthy', health: 'unhealthy', path: TOPOLOGY_ROOT });
    expect(namesOf(shown?.components)).toEqual(['logistics-db', 'logistics-worker']);
  }),
  page('a component without parts', `id=${UI_COMPONENT}`, (found) => {
    expect(namesOf(found.components)).toEqual(['logistics-ui']);
    expect(found.components[0]).not.toHaveProperty('components');
    expect(found.components[0]?.summary).toEqual({ healthy: 1 });
  }),
  page('a component that is not there', `id=${NOBODY}`, []),
];

/** One property for each rule of contract §19.10, as lookups write them. */
const PROPERTIES = [
  { name: 'created_at', text: '2024-01-01T00:00:00Z' },
  { name: 'home', type: 'url', text: 'https://shop.example.com' },
  { name: 'cost', type: 'currency', value: 1834.5, headline: true },
  { name: 'cpu', unit: 'millicores', value: 1500, max: 2000, headline: true },
  { name: 'memory', unit: 'bytes', value: 1_073_741_824, max: 4_294_967_296 },
  { name: 'errors', unit: 'percent', value: 0.42 },
  { name: 'docs', links: [{ label: 'Runbook', url: 'https://wiki.example.com', type: 'doc' }] },
  { name: 'aws:vpc', text: 'vpc-1', namespace: 'prod', color: 'red', icon: 'aws', min: 0 },
  { name: 'secret', type: 'hidden', text: 'x' },
];

const PROPERTY_CALLS: Call[] = [
  {
    section: '5',
    name: 'properties of every kind are written',
    method: 'PATCH',
    path: `${ROWS}?id=eq.${UI_COMPONENT}`,
    body: { properties: PROPERTIES },
    check: (json: { id: string; properties: unknown }[]) =>
      expect(json.map(({ id, properties }) => [id, properties])).toEqual([[UI_COMPONENT, PROPERTIES]]),
  },
  page('its properties as they were written', `id=${UI_COMPONENT}`, (found) =>
    expect(found.components[0]?.properties).toEqual(PROPERTIES),
  ),
  page(
    'what has a property first, by it',
    `id=${TOPOLOGY_ROOT}&sortBy=field%3Acost&sortOrder=desc`,
    (found) => expect(namesOf(found.components[0]?.components)).toEqual(['logistics-ui', 'logistics-api']),
  ),
  {
    section: '5',
    name: 'and taken away',
    method: 'PATCH',
    path: `${ROWS}?id=eq.${UI_COMPONENT}`,
    body: { properties: null },
  },
];

/** Its blob clients send this header by accident. */
const BLOB = { responsetype: 'blob' };
const ALWAYS_IN = ['components.json', 'components.csv', 'config_items.csv', 'incidents.csv', 'evidences.csv'];

function snapshot(path: string, status = 200, prefix = '/api'): Call {
  const isComponent = path.startsWith('topology/');
  return {
    section: '5',
    name: `snapshot ${prefix}/${path}`,
    path: `${prefix}/snapshot/${path}`,
    headers: BLOB,
    status,
    check: (json: unknown, { headers }: Response) => {
      const type = status === 200 ? 'application/zip' : 'application/json';
      expect(headers.get('content-type')).toContain(type);
      if (status !== 200) {
        expect(typeof (json as { error: unknown }).error).toBe('string');
        return;
      }
      const bytes = String(json);
      expect(bytes.startsWith('PK')).toBe(true);
      for (const file of isComponent ? ALWAYS_IN : []) expect(bytes).toContain(file);
    },
  };
}

const SNAPSHOTS: Call[] = [
  snapshot(`topology/${COMPONENT}?start=15m&related=false`),
  snapshot(`topology/${COMPONENT}?start=1h&related=true`),
  snapshot(`topology/${COMPONENT}?related=false`),
  snapshot(`topology/${COMPONENT}?start=5y&related=false`, 200, ''),
  snapshot(`config/${CONFIG}`),
  snapshot(`incident/${INCIDENT}`),
  snapshot(`topology/${NOBODY}`, 404),
  snapshot(`topology/${COMPONENT}?start=soon`, 400),
];

const LISTS: Call[] = [
  {
    section: '5',
    name: 'names of components of two types, in order',
    path: '/api/db/component_names?order=name.asc&type=in.(Entity,Application)',
    columns: 'id path external_id type name created_at updated_at icon parent_id',
    check: (rows: { name: string }[]) =>
      expect(rows.map(({ name }) => name)).toEqual([
        'logistics',
        'logistics-api',
        'logistics-ui',
        'logistics-worker',
      ]),
  },
  {
    section: '5',
    name: 'names of all components',
    path: '/api/db/component_names?order=name.asc',
    columns: 'id path external_id type name created_at updated_at icon parent_id',
    atLeast: 13,
  },
  {
    section: '5',
    name: 'the breadcrumb of a component',
    path: `/api/db/component_names?id=eq.${COMPONENT}`,
    check: (rows: unknown[]) =>
      expect(rows).toMatchObject([
        { id: COMPONENT, name: 'logistics-api', path: TOPOLOGY_ROOT, parent_id: TOPOLOGY_ROOT, icon: null },
      ]),
  },
  {
    section: '5',
    name: 'a link to a component',
    path: `${ROWS}?id=eq.${COMPONENT}`,
    columns: 'id name status health type icon properties summary labels',
    check: (rows: unknown[]) => expect(rows).toMatchObject([{ id: COMPONENT, name: 'logistics-api' }]),
  },
  {
    section: '5',
    name: 'components with logs',
    path: '/api/db/components_with_logs?order=name.asc',
    columns: 'id name agent_id icon type',
    check: (rows: unknown[]) => expect(rows).toMatchObject([{ id: DB_COMPONENT, name: 'logistics-db' }]),
  },
  {
    section: '5',
    name: 'labels of components',
    path: '/api/db/component_labels',
    check: (rows: unknown[]) => expect(rows).toEqual([{ key: 'telemetry', value: 'enabled' }]),
  },
  {
    section: '5',
    name: 'the template of a topology',
    path: `/api/db/topologies?id=eq.${TOPOLOGY}`,
    columns: 'id name namespace spec labels source schedule agent_id created_at updated_at deleted_at',
    check: (rows: unknown[]) => expect(rows).toMatchObject([{ id: TOPOLOGY }]),
  },
  {
    section: '5',
    name: 'names of agents',
    path: '/api/db/agents?select=id,name,description',
    columns: 'id name description',
    check: (rows: { name: string }[]) =>
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['local', 'GCP'])),
  },
  {
    section: '5',
    name: 'teams of a component, with a space in the select',
    path: `/api/db/team_components?component_id=eq.${COMPONENT}&select=*,team:teams(*, created_by(${A}))`,
    columns: 'team_id component_id team',
  },
];

/** In the order in which they are sent: what is written is read back. */
export const TOPOLOGY_CALLS: Call[] = [
  ...PAGES,
  ...LISTS,
  ...PROPERTY_CALLS,
  ...SNAPSHOTS,
  {
    section: '5',
    name: 'a component is hidden',
    method: 'PATCH',
    path: `${ROWS}?id=eq.${COMPONENT}`,
    body: { hidden: true },
    check: (json: { hidden: boolean }[]) => expect(json.map(({ hidden }) => hidden)).toEqual([true]),
  },
  page('it leaves it out', 'hidden=false&flatten=true', (found) =>
    expect(found.components.map(({ id }) => id)).not.toContain(COMPONENT),
  ),
  page('and shows it where hidden ones are wanted', 'flatten=true', (found) =>
    expect(found.components.find(({ id }) => id === COMPONENT)).toMatchObject({ hidden: true }),
  ),
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
