/** Health of Argo's kinds: applications, workflows, rollouts and what they start. */
import { conditionOf, conditionsOf, plainConditionHealth } from './conditions.ts';
import { numberOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const WORDS = lookupTable<Health['health']>({ Healthy: 'healthy', Degraded: 'unhealthy' });

/** An application tells its own health; what a failed sync says is its text where it has no other. */
export function argoApplicationHealth(object: Json): Health {
  const told = objectAt(object, 'status', 'health');
  const operation = objectAt(object, 'status', 'operationState');
  const word = textOf(told['status']);
  const hasFailed = operation['phase'] === 'Failed' || operation['phase'] === 'Error';
  return {
    health: WORDS[word] ?? 'unknown',
    status: word,
    ready: objectAt(object, 'status', 'sync')['status'] === 'Synced',
    message: textOf(told['message']) || (hasFailed ? textOf(operation['message']) : ''),
  };
}

const PHASES = lookupTable<[Health['health'], string, boolean]>({
  '': ['healthy', 'Progressing', false],
  Pending: ['healthy', 'Progressing', false],
  Running: ['healthy', 'Progressing', true],
  Succeeded: ['healthy', 'Healthy', true],
  Successful: ['healthy', 'Healthy', true],
  Failed: ['unhealthy', 'Degraded', false],
  Error: ['unhealthy', 'Degraded', false],
  Inconclusive: ['unknown', 'Inconclusive', true],
});

/** Workflows, and the analyses and experiments of rollouts, which have the same phases. */
export function argoRunHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const phase = textOf(status['phase']);
  const [health, word, ready] = PHASES[phase] ?? ['unknown', 'Unknown', false];
  return { health, status: word, ready, message: textOf(status['message']) };
}

const progressing = (message: string): Health => ({
  health: 'unknown',
  status: 'Progressing',
  ready: false,
  message,
});
const settled = (health: Health['health'], status: string, message: string): Health => ({
  health,
  status,
  ready: true,
  message,
});

/** Rollouts before 1.1 have no phase; their counts say where they are. */
function countedRollout(object: Json): Health {
  const status = objectAt(object, 'status');
  if (typeof status['currentPodHash'] !== 'string') return settled('unknown', 'Unknown', '');
  const wait = (what: string) => progressing(`Waiting for roll out to finish: ${what}`);
  const updated = numberOf(status['updatedReplicas']);
  const wanted = objectAt(object, 'spec')['replicas'];
  if (typeof wanted === 'number' && updated < wanted) return wait('More replicas need to be updated');
  if (numberOf(status['replicas']) > updated) return wait('old replicas are pending termination');
  if (numberOf(status['availableReplicas']) < updated)
    return wait('updated replicas are still becoming available');
  return settled('healthy', 'Healthy', '');
}

/** A rollout: a broken specification, then its own phase and text. */
export function rolloutHealth(object: Json): Health {
  const invalid = conditionOf(conditionsOf(object), 'InvalidSpec');
  if (invalid !== null && invalid.status !== 'False')
    return settled('unhealthy', 'Degraded', invalid.message);
  const status = objectAt(object, 'status');
  const message = textOf(status['message']);
  switch (textOf(status['phase'])) {
    case 'Healthy':
      return settled('healthy', 'Healthy', message);
    case 'Degraded':
      return settled('unhealthy', 'Degraded', message);
    case 'Paused':
      return { health: 'unknown', status: 'Suspended', ready: false, message };
    case 'Progressing':
      return progressing(message);
    default:
      return countedRollout(object);
  }
}

/** A set of applications: an error of its generators, then whether its resources are up to date. */
export function applicationSetHealth(object: Json): Health {
  const conditions = conditionsOf(object);
  const failed = conditionOf(conditions, 'ErrorOccurred');
  if (failed?.status === 'True') return settled('unhealthy', failed.reason || 'Error', failed.message);
  const current = conditionOf(conditions, 'ResourcesUpToDate');
  if (current?.status === 'True') return settled('healthy', current.reason || 'Healthy', current.message);
  return current === null ? plainConditionHealth(object) : progressing(current.message);
}
