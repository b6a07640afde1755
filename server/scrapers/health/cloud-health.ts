/**
 * Health of a cloud's resource by the word that its service has for its state. Services share their words across
 * types; the few types that say more (counts, checks of their own) are asked first.
 */
import { humanWords, listOf, numberOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';

const WELL =
  /^(available|active|running|in-use|associated|attached|ok|enabled|succeeded|completed|complete|online|ready|healthy|.*_complete)$/;
const ILL =
  /(fail|error|impaired|incompatible|inaccessible|storage-full|unhealthy|degraded|lost|rollback_complete)/;
const WORKING =
  /(pending|creating|create_in|updating|deleting|modifying|starting|stopping|rebooting|provisioning|backing-up|in_progress|inprogress|shutting-down|configuring|upgrading|accepted|running_init)/;

/** What a word says. A word that nobody knows says nothing. */
export function stateHealth(word: string, message = ''): Health {
  const text = word.toLowerCase();
  const status = humanWords(word);
  if (ILL.test(text)) return { health: 'unhealthy', status, ready: true, message };
  if (WORKING.test(text)) return { health: 'unknown', status, ready: false, message };
  if (WELL.test(text)) return { health: 'healthy', status, ready: true, message };
  return { health: 'unknown', status, ready: true, message };
}

/** Where services write their state, in the spelling of their APIs and of older tools. */
const STATE_FIELDS = [
  'State',
  'state',
  'Status',
  'status',
  'StackStatus',
  'DBInstanceStatus',
  'TableStatus',
  'LastStatus',
  'lastStatus',
];

function stateOf(config: Json): string {
  for (const field of STATE_FIELDS) {
    const word = textOf(config[field]) || textOf(objectAt(config, field)['Name']);
    if (word !== '') return word;
  }
  return '';
}

const countOf = (config: Json, name: string): number =>
  numberOf(config[name]) || numberOf(config[name.slice(0, 1).toLowerCase() + name.slice(1)]);

function ecsServiceHealth(config: Json): Health {
  const state = stateHealth(stateOf(config));
  const desired = countOf(config, 'DesiredCount');
  const running = countOf(config, 'RunningCount');
  if (state.health !== 'healthy' || desired === 0 || running >= desired) return state;
  const message = `${running}/${desired} running`;
  return { health: running === 0 ? 'unhealthy' : 'warning', status: 'Scaling', ready: false, message };
}

function ecsTaskHealth(config: Json): Health {
  const state = stateHealth(textOf(config['LastStatus']) || textOf(config['lastStatus']));
  const own = textOf(config['HealthStatus']) || textOf(config['healthStatus']);
  return own === 'UNHEALTHY' ? { ...state, health: 'unhealthy', message: 'its health check fails' } : state;
}

function eksHealth(config: Json): Health {
  const state = stateHealth(stateOf(config));
  const issues = [
    ...listOf(objectAt(config, 'Health')['Issues']),
    ...listOf(objectAt(config, 'health')['issues']),
  ];
  const [first] = issues;
  if (first === undefined) return state;
  return { ...state, health: 'unhealthy', message: textOf(first['Message']) || textOf(first['message']) };
}

const RULES: Readonly<Record<string, (config: Json) => Health>> = {
  'AWS::ECS::Service': ecsServiceHealth,
  'AWS::ECS::Task': ecsTaskHealth,
  'AWS::EKS::Cluster': eksHealth,
};

/** Health of a resource of AWS; one without a state is unknown. */
export function awsHealth(type: string, config: Json): Health {
  const rule = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
  if (rule !== undefined) return rule(config);
  const reason = textOf(config['StackStatusReason']) || textOf(config['StateTransitionReason']);
  return stateHealth(stateOf(config), reason.trim());
}
