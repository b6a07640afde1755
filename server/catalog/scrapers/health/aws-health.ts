/** Health of AWS's resources: the few types that say more than one word (counts, checks of their own), then words. */
import { humanWords, listOf, numberOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { stateHealth } from './status-words.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

/** A field in the spelling of the API (`Status`) or of older tools (`status`). */
function field(config: Json, name: string): unknown {
  const lower = name.slice(0, 1).toLowerCase() + name.slice(1);
  return Object.hasOwn(config, name)
    ? config[name]
    : Object.hasOwn(config, lower)
      ? config[lower]
      : undefined;
}
const textAt = (config: Json, name: string): string => textOf(field(config, name)).trim();
const countAt = (config: Json, name: string): number => numberOf(field(config, name));

/** Where services write their state when their type has no field of its own, in the order they are looked for. */
const STATE_FIELDS = ['State', 'Status', 'StackStatus', 'DBInstanceStatus', 'TableStatus', 'LastStatus'];

/** A state is a word, or an object with the word in its name or code. */
function stateAt(config: Json, name: string): string {
  const named = objectAt(field(config, name));
  return textAt(config, name) || textAt(named, 'Name') || textAt(named, 'Code');
}

function stateOf(config: Json): string {
  for (const name of STATE_FIELDS) {
    const word = stateAt(config, name);
    if (word !== '') return word;
  }
  const other = Object.keys(config).find((key) => /status$/i.test(key) && textOf(config[key]) !== '');
  return other === undefined ? '' : textOf(config[other]);
}

/** Without enough tasks, or with a deployment that failed, a service that is active is not well. */
function ecsServiceHealth(config: Json): Health {
  const state = stateHealth(stateOf(config));
  if (state.health !== 'healthy') return state;
  const deployments = listOf(field(config, 'Deployments'));
  const failed = deployments.find((entry) => textAt(entry, 'RolloutState') === 'FAILED');
  if (failed !== undefined) {
    const message = textAt(failed, 'RolloutStateReason');
    return { health: 'unhealthy', status: 'Rollout Failed', ready: true, message };
  }
  const desired = countAt(config, 'DesiredCount');
  const running = countAt(config, 'RunningCount');
  if (desired === 0 || running >= desired) return state;
  const message = `${running}/${desired} running`;
  return { health: running === 0 ? 'unhealthy' : 'warning', status: 'Scaling', ready: false, message };
}

const STOP_CODES = lookupTable<Partial<Health>>({
  TASKFAILEDTOSTART: { health: 'unhealthy' },
  ESSENTIALCONTAINEREXITED: { health: 'unhealthy', status: 'Crashed' },
  USERINITIATED: { status: 'Stopped' },
  SERVICESCHEDULERINITIATED: { status: 'Terminating' },
});
/** Errors of a stopped task that are no fault of the task. */
const PASSING_ERRORS = new Set([
  'SPOTINTERRUPTIONERROR',
  'CANNOTSTOPCONTAINERERROR',
  'CANNOTINSPECTCONTAINERERROR',
]);

/** A task: its own state and check, then why it was stopped (`CannotPullContainer: no such image`). */
function ecsTaskHealth(config: Json): Health {
  const last = textAt(config, 'LastStatus');
  const isFailing = textAt(config, 'HealthStatus').toUpperCase() === 'UNHEALTHY';
  const own = isFailing ? 'unhealthy' : last.toUpperCase() === 'RUNNING' ? 'healthy' : 'unknown';
  const code = textAt(config, 'StopCode');
  const reason = textAt(config, 'StoppedReason');
  const health: Health = {
    health: own,
    status: isFailing ? 'Unhealthy' : code || humanWords(last),
    ready: /^(running|stopped|deleted)$/i.test(last),
    message: reason,
    ...STOP_CODES[code.toUpperCase()],
  };
  const colon = reason.indexOf(':');
  if (colon < 1 || /\s/.test(reason.slice(0, colon))) return health;
  const status = reason.slice(0, colon);
  const isPassing = PASSING_ERRORS.has(status.toUpperCase());
  const message = reason.slice(colon + 1).trim();
  return { ...health, health: isPassing ? 'warning' : 'unhealthy', status, message };
}

function eksHealth(config: Json): Health {
  const state = stateHealth(stateOf(config));
  const [issue] = listOf(field(objectAt(field(config, 'Health')), 'Issues'));
  if (issue === undefined) return state;
  const message = textAt(issue, 'Message') || textAt(issue, 'Code');
  return { ...state, health: 'unhealthy', message };
}

/** A function whose last update failed still serves its former code. */
function lambdaHealth(config: Json): Health {
  const reason = textAt(config, 'StateReason') || textAt(config, 'StateReasonCode');
  const state = stateHealth(stateAt(config, 'State'), reason);
  if (textAt(config, 'LastUpdateStatus') !== 'Failed' || state.health === 'unhealthy') return state;
  const message = textAt(config, 'LastUpdateStatusReason') || textAt(config, 'LastUpdateStatusReasonCode');
  return { health: 'warning', status: 'Update Failed', ready: true, message };
}

const stateIn =
  (name: string, reason = '') =>
  (config: Json): Health =>
    stateHealth(stateAt(config, name), reason === '' ? '' : textAt(config, reason));

/** By type in small letters. */
const RULES = lookupTable<(config: Json) => Health>({
  'aws::ecs::service': ecsServiceHealth,
  'aws::ecs::task': ecsTaskHealth,
  'aws::eks::cluster': eksHealth,
  'aws::lambda::function': lambdaHealth,
  'aws::cloudformation::stack': stateIn('StackStatus', 'StackStatusReason'),
  'aws::ec2::instance': stateIn('State', 'StateTransitionReason'),
  'aws::rds::dbinstance': stateIn('DBInstanceStatus'),
  'aws::elasticloadbalancing::loadbalancer': stateIn('State'),
  'aws::elasticloadbalancingv2::loadbalancer': stateIn('State'),
  'aws::autoscaling::autoscalinggroup': stateIn('Status'),
  'aws::dynamodb::table': stateIn('TableStatus'),
  'aws::elasticache::cachecluster': stateIn('CacheClusterStatus'),
});

/** Health of a resource of AWS; one without a state is unknown. */
export function awsHealth(type: string, config: Json): Health {
  const key = type.toLowerCase();
  const rule = RULES[key];
  const health = rule?.(config);
  return health === undefined || health.status === '' ? stateHealth(stateOf(config)) : health;
}
