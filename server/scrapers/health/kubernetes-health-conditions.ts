/**
 * Health of whatever reports `status.conditions`: operators, Flux, cert-manager, cloud resource controllers. A
 * condition that nobody knows says nothing; `Ready` and its like decide.
 */
import { listOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

export function conditionsOf(object: Json): Condition[] {
  return listOf(objectAt(object, 'status')['conditions']).map((entry) => ({
    type: textOf(entry['type']),
    status: textOf(entry['status']),
    reason: textOf(entry['reason']),
    message: textOf(entry['message']),
  }));
}

export function conditionOf(conditions: readonly Condition[], type: string): Condition | null {
  return conditions.find((condition) => condition.type === type) ?? null;
}

const UNKNOWN: Health = { health: 'unknown', status: '', ready: false, message: '' };
/** In the order they are asked; the first that is there decides. */
const DECIDING = ['Ready', 'Healthy', 'Available', 'Established', 'Synced', 'Reconciled', 'Released'];
/** While one of these is true, the thing is on its way and neither well nor ill. */
const WORKING = ['Issuing', 'Progressing', 'Reconciling'];
const ON_ITS_WAY = /^(progressing|pending|creating|updating|deleting|dependency.*not.*ready|.*inprogress)/i;

/**
 * Health by conditions. A failure that was reported is an answer, so the thing counts as settled; those whose
 * controllers retry until it holds (`retriesUntilReady`) don't.
 */
export function conditionHealth(object: Json, retriesUntilReady: boolean): Health {
  const conditions = conditionsOf(object);
  const stalled = conditions.find((entry) => entry.type === 'Stalled' && entry.status === 'True');
  if (stalled !== undefined)
    return { health: 'unhealthy', status: stalled.reason, ready: true, message: stalled.message };
  const deciding = DECIDING.map((type) => conditionOf(conditions, type)).find((entry) => entry !== null);
  if (deciding == null) return UNKNOWN;
  const working = conditions.find((entry) => WORKING.includes(entry.type) && entry.status === 'True');
  const status = deciding.reason === '' ? deciding.type : deciding.reason;
  if (deciding.status === 'True') {
    if (working?.type === 'Issuing')
      return { health: 'unknown', status: working.type, ready: false, message: working.message };
    return { health: 'healthy', status, ready: true, message: deciding.message };
  }
  if (deciding.status !== 'False' || ON_ITS_WAY.test(deciding.reason))
    return { health: 'unknown', status, ready: false, message: deciding.message };
  return { health: 'unhealthy', status, ready: !retriesUntilReady, message: deciding.message };
}

const ARGO_HEALTH: Readonly<Record<string, Health['health']>> = {
  Healthy: 'healthy',
  Degraded: 'unhealthy',
  Missing: 'unhealthy',
  Progressing: 'unknown',
  Suspended: 'healthy',
};

/** An application of Argo CD tells its own health; a failed sync is news of its own. */
export function argoApplicationHealth(object: Json): Health {
  const told = objectAt(object, 'status', 'health');
  const word = textOf(told['status']);
  const operation = objectAt(object, 'status', 'operationState');
  const phase = textOf(operation['phase']);
  const health = ARGO_HEALTH[word] ?? 'unknown';
  const hasFailed = phase === 'Failed' || phase === 'Error';
  return {
    health: hasFailed && health === 'healthy' ? 'warning' : health,
    status: word,
    ready: word !== 'Progressing' && phase !== 'Running',
    message: textOf(told['message']) || (hasFailed ? textOf(operation['message']) : ''),
  };
}
