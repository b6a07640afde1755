/** The demo's rows that people would add in Settings: teams, rules, connections, playbooks, the topology. Pure data. */
import { DEMO_SOURCE } from '../../../src/domain/demo.ts';
import { DEMO_PEOPLE, DEMO_TEAMS, demoId } from './demo-company.ts';
import type { DemoPerson } from './demo-company.ts';
import { lookupTable } from '../../../src/lib/lookup-table.ts';

/** Rows for one table; a row that is there already is left as it is. */
export interface DemoRows {
  table: string;
  /** The columns by which a row is known. */
  key: string;
  rows: readonly Record<string, unknown>[];
}

export type PeopleIds = ReadonlyMap<DemoPerson['key'], string>;

const TOPOLOGY_ID = demoId('topology');
const TEAM_NAMES = [...new Set(DEMO_TEAMS.map(({ team }) => team))];

/** The same at every start, so that a second start adds nothing. */
export const demoTeamId = (name: string) => demoId(`team/${name}`);
/** The same at every start, so that a second start adds nothing. */
export const demoComponentId = (name: string) => demoId(`component/${name}`);
export const DEMO_TOPOLOGY_ID = TOPOLOGY_ID;

const ICONS = lookupTable<string>({
  storefront: 'shop',
  payments: 'bank',
  identity: 'key',
  fulfilment: 'package',
  search: 'search',
  data: 'database',
  messaging: 'mail',
  edge: 'globe',
  observability: 'chart',
});

function teams(author: string, people: PeopleIds): DemoRows[] {
  return [
    {
      table: 'teams',
      key: 'id',
      rows: TEAM_NAMES.map((name) => ({
        id: demoTeamId(name),
        name,
        icon: 'users',
        source: DEMO_SOURCE,
        created_by: author,
      })),
    },
    {
      table: 'team_members',
      key: 'team_id,person_id',
      rows: DEMO_PEOPLE.flatMap(({ key, teams: names }) =>
        names.map((name) => ({ team_id: demoTeamId(name), person_id: people.get(key) })),
      ),
    },
  ];
}

/** Systems with their services below them. Their state follows their checks (component-states.ts). */
function components(author: string): DemoRows[] {
  const base = { topology_id: TOPOLOGY_ID, status: 'unknown', health: 'unknown', created_by: author };
  return [
    {
      table: 'topologies',
      key: 'id',
      rows: [
        {
          id: TOPOLOGY_ID,
          name: 'company',
          namespace: 'demo',
          source: 'UI',
          spec: {},
          created_by: author,
        },
      ],
    },
    {
      table: 'components',
      key: 'id',
      rows: DEMO_TEAMS.map(({ namespace, team }) => ({
        ...base,
        id: demoComponentId(namespace),
        external_id: namespace,
        name: namespace,
        type: 'System',
        icon: ICONS[namespace],
        owner: team,
        labels: { team },
        is_leaf: false,
      })),
    },
    {
      table: 'components',
      key: 'id',
      rows: DEMO_TEAMS.flatMap(({ namespace, team, tier, services }) =>
        services.map((service) => ({
          ...base,
          id: demoComponentId(`${namespace}/${service}`),
          parent_id: demoComponentId(namespace),
          external_id: `${namespace}/${service}`,
          name: service,
          type: 'Service',
          icon: 'server',
          owner: team,
          labels: { team, tier },
          is_leaf: true,
        })),
      ),
    },
  ];
}

function rules(author: string): DemoRows {
  return {
    table: 'incident_rules',
    key: 'id',
    rows: [
      {
        id: demoId('rule/payments'),
        name: 'Payments down for five minutes',
        source: DEMO_SOURCE,
        created_by: author,
        spec: {
          checks: [{ labelSelector: 'team=payments' }],
          filter: { status: ['unhealthy'], age: '5m' },
          template: { title: '{{ .subject.name }} is {{ .subject.status }}', severity: 'high' },
          autoResolve: { timeout: '10m' },
          autoClose: { timeout: '24h' },
        },
      },
    ],
  };
}

/** What it sends is kept beside the other mails of the demo. */
function notifications(author: string): DemoRows {
  return {
    table: 'notifications',
    key: 'id',
    rows: [
      {
        id: demoId('notification/incidents'),
        name: 'New incidents',
        namespace: 'demo',
        source: 'UI',
        events: ['incident.created'],
        person_id: author,
        created_by: author,
      },
    ],
  };
}

function connections(author: string): DemoRows {
  const connection = (name: string, type: string, url: string) => ({
    id: demoId(`connection/${name}`),
    name,
    namespace: 'demo',
    type,
    url,
    source: 'UI',
    created_by: author,
  });
  return {
    table: 'connections',
    key: 'id',
    rows: [
      connection(
        'ledger-db',
        'postgres',
        'postgres://$(username):$(password)@ledger-db.demo.example:5432/ledger',
      ),
      connection('metrics', 'prometheus', 'https://metrics.demo.example'),
    ],
  };
}

const playbook = (
  author: string,
  name: string,
  text: { title: string; category: string; description: string },
) => ({
  id: demoId(`playbook/${name}`),
  name,
  namespace: 'demo',
  ...text,
  icon: 'playbook',
  source: 'UI',
  created_by: author,
  spec: {
    ...text,
    parameters: [{ name: 'reason', label: 'Reason', type: 'text' }],
    configs: [{ types: ['Kubernetes::Deployment'] }],
    actions: [{ name, exec: { script: `echo "${text.title}: {{.config.name}}"` } }],
  },
});

function playbooks(author: string): DemoRows {
  return {
    table: 'playbooks',
    key: 'id',
    rows: [
      playbook(author, 'restart-deployment', {
        title: 'Restart a deployment',
        category: 'Kubernetes',
        description: 'Starts all pods of a deployment again, one after the other.',
      }),
      playbook(author, 'scale-deployment', {
        title: 'Scale a deployment',
        category: 'Kubernetes',
        description: 'Sets the number of pods of a deployment.',
      }),
      playbook(author, 'roll-back-release', {
        title: 'Roll back a release',
        category: 'Releases',
        description: 'Puts the release before the current one back.',
      }),
    ],
  };
}

/** All of them, in the order in which they need each other. */
export function demoRows(people: PeopleIds): DemoRows[] {
  const author = people.get('ada') ?? '';
  return [
    ...teams(author, people),
    ...components(author),
    rules(author),
    notifications(author),
    connections(author),
    playbooks(author),
  ];
}
