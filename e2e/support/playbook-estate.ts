/** Playbooks, a thing that they run on, and what they did. */
import { readFileSync } from 'node:fs';
import { ADMIN } from './holdfast-server.ts';
import { AGENT, GIVEN, idOf, IDS, troubledRows } from './troubled-estate.ts';

const onAll = { components: [{ types: ['Service'] }] };
const echo = (name: string) => ({ name, exec: { script: `echo "${name}"` } });

/** One parameter of each type, with its properties. */
export const PARAMETERS = [
  { name: 'reason', label: 'Reason', type: 'text', required: true, properties: { minLength: '3' } },
  { name: 'notes', label: 'Notes', type: 'text', properties: { multiline: true } },
  { name: 'secret', label: 'Secret', type: 'text', properties: { format: 'password' } },
  { name: 'mail', label: 'Mail', type: 'text', properties: { format: 'email' } },
  { name: 'page', label: 'Page', type: 'text', properties: { format: 'url' } },
  {
    name: 'replicas',
    label: 'Replicas',
    type: 'text',
    default: '3',
    properties: { format: 'number', min: 1, max: 9 },
  },
  { name: 'host', label: 'Host', type: 'text', properties: { format: 'dns1123' } },
  { name: 'memory', label: 'Memory', type: 'bytes', default: '512Mi' },
  { name: 'cpu', label: 'CPU', type: 'millicores', default: '250m' },
  { name: 'force', label: 'Force', type: 'checkbox', default: 'true' },
  {
    name: 'strategy',
    label: 'Strategy',
    type: 'list',
    properties: {
      options: [
        { label: 'Rolling', value: 'rolling' },
        { label: 'Recreate', value: 'recreate' },
      ],
    },
  },
  {
    name: 'values',
    label: 'Values',
    type: 'code',
    default: 'a: 1',
    // Of a host that this server does not call.
    properties: { language: 'yaml', size: 'medium', jsonSchemaUrl: 'http://127.0.0.1:9/values.json' },
  },
  { name: 'owner', label: 'Owner', type: 'people' },
  { name: 'team', label: 'Team', type: 'team' },
  { name: 'target', label: 'Target', type: 'component', properties: { filter: [{ types: ['Service'] }] } },
  { name: 'item', label: 'Item', type: 'config' },
  { name: 'probe', label: 'Probe', type: 'check' },
];

const playbook = (id: string, title: string, spec: Record<string, unknown>) => ({
  id,
  name: title,
  title,
  category: spec['category'] ?? '',
  description: spec['description'] ?? null,
  icon: spec['icon'] ?? null,
  source: 'UI',
  spec: { title, ...spec },
});

/** As the requirements have them. */
const fixture = (name: string) =>
  JSON.parse(readFileSync(`../shared/fixtures/playbooks/schema/${name}.json`, 'utf8')) as Record<
    string,
    unknown
  >;

const PLAYBOOKS = () => [
  playbook(IDS.approved, 'Wipe cache', {
    category: 'Redis',
    icon: 'redis',
    approval: { type: 'any', approvers: { people: [ADMIN.email] } },
    parameters: [{ name: 'scope', label: 'Scope', required: true }],
    actions: [{ name: 'Wipe', exec: { script: 'echo "wiped $PARAM_SCOPE"' } }],
  }),
  playbook(IDS.slow, 'Wait long', { actions: [{ name: 'Wait', exec: { script: 'echo begun; sleep 300' } }] }),
  playbook(IDS.later, 'Begin later', { actions: [{ ...echo('Later'), delay: '1h' }] }),
  playbook(IDS.ticking, 'Tick', {
    actions: [{ name: 'Tick', exec: { script: 'for i in $(seq 40); do date +%s%3N; sleep 0.15; done' } }],
  }),
  playbook(IDS.valid, 'Fixture that is valid', fixture('playbook-valid')),
  playbook(IDS.invalid, 'Fixture that is not', fixture('playbook-invalid')),
  playbook(IDS.restart, 'Restart service', {
    category: 'Kubernetes',
    description: 'Restarts a service one replica at a time',
    ...onAll,
    parameters: [
      { name: 'reason', label: 'Reason', type: 'text', default: 'restart of {{.component.name}}' },
    ],
    actions: [echo('Cordon'), echo('Drain')],
  }),
  playbook(idOf(952), 'Restart pod', {
    configs: [{ types: ['Test::Pod'] }],
    parameters: [{ name: 'why', label: 'Why', required: true }],
    actions: [{ name: 'Restart', exec: { script: 'echo "{{.config.name}}: {{.params.why}}"' } }],
  }),
  playbook(idOf(953), 'Look closer', {
    checks: [{ types: ['http'], agent: 'all' }],
    actions: [{ name: 'Look', exec: { script: 'echo "looked at {{.check.name}}"' } }],
  }),
  playbook(IDS.scale, 'Scale out', { category: 'Kubernetes', actions: [echo('Scale')] }),
  playbook(IDS.dangerous, 'Delete volume', {
    category: 'Storage',
    dangerous: true,
    ...onAll,
    actions: [echo('Delete')],
  }),
  playbook(IDS.everything, 'Everything at once', { parameters: PARAMETERS, actions: [echo('Everything')] }),
];

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const run = (id: string, playbookId: string, over: Record<string, unknown>) => ({
  id,
  playbook_id: playbookId,
  spec: {},
  status: 'completed',
  created_at: ago(30),
  start_time: ago(30),
  scheduled_time: ago(30),
  end_time: ago(29),
  component_id: null,
  parameters: null,
  error: null,
  ...over,
});

const RUNS = [
  run(IDS.given, IDS.everything, { created_at: ago(40), parameters: GIVEN }),
  run(IDS.completed, IDS.restart, { component_id: IDS.component, parameters: { reason: 'it hangs' } }),
  run(IDS.failed, IDS.restart, {
    agent_id: AGENT.id,
    status: 'failed',
    created_at: ago(20),
    component_id: IDS.component,
  }),
  run(IDS.broken, IDS.scale, {
    status: 'failed',
    created_at: ago(10),
    error: 'parameters: reason must be given',
  }),
];

const action = (number: number, runId: string, over: Record<string, unknown>) => ({
  id: idOf(number),
  playbook_run_id: runId,
  name: 'Cordon',
  status: 'completed',
  start_time: ago(30),
  scheduled_time: ago(30),
  end_time: ago(29),
  result: null,
  error: null,
  ...over,
});

/** As many lines as the longest output that is shown. */
export const LONG_LINES = 50_000;
const longOutput = () =>
  Array.from({ length: LONG_LINES }, (_, at) => `line ${at + 1} of the drain: pod-${at % 97} evicted`).join(
    '\n',
  );

const ACTIONS = () => [
  action(941, IDS.completed, { result: { stdout: 'cordoned node-1\n', stderr: '', exitCode: 0 } }),
  action(940, IDS.completed, {
    name: 'Drain',
    start_time: ago(29),
    result: { stdout: longOutput(), exitCode: 0 },
  }),
  action(945, IDS.completed, { name: 'Settle', start_time: ago(31), agent_id: AGENT.id }),
  action(942, IDS.completed, { name: 'Notify', status: 'skipped', start_time: ago(28) }),
  action(943, IDS.failed, {
    result: { stdout: '', stderr: 'no such node', exitCode: 1 },
    status: 'failed',
    error: 'exit code 1',
  }),
  action(944, IDS.failed, {
    name: '',
    status: 'sleeping',
    start_time: null,
    end_time: null,
    scheduled_time: ago(-600),
  }),
];

/** What is written into the tables, in an order in which everything refers to what is there. */
export function playbookRows(): [table: string, rows: readonly object[]][] {
  const component = {
    id: IDS.component,
    name: 'checkout',
    external_id: 'checkout',
    type: 'Service',
    status: 'healthy',
    health: 'healthy',
    is_leaf: true,
  };
  return [
    ['components', [component]],
    ['agents', [AGENT]],
    ...troubledRows(),
    ['playbooks', PLAYBOOKS()],
    ['playbook_runs', RUNS],
    ['playbook_run_actions', ACTIONS()],
  ];
}
