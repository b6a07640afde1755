/** Health of a pod: its phase, what its containers wait for or died of, and how lately they were restarted. */
import { ageMs, listOf, numberOf, objectAt, textOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { conditionOf, conditionsOf } from './kubernetes-health-conditions.ts';

const HOUR_MS = 3_600_000;
/** A pod that has not come up after this long is not starting any more. */
const START_LIMIT_MS = HOUR_MS / 4;
/** A restart is worth a warning this long. */
const RECENT_RESTART_MS = 48 * HOUR_MS;
/** What a container waits for that does not go away by waiting. */
const BROKEN = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

interface Container {
  name: string;
  isReady: boolean;
  restarts: number;
  waiting: Json;
  isWaiting: boolean;
  terminated: Json;
  lastTerminated: Json;
}

function containersOf(list: unknown): Container[] {
  return listOf(list).map((entry) => {
    const waiting = objectAt(entry, 'state', 'waiting');
    return {
      name: textOf(entry['name']),
      isReady: entry['ready'] === true,
      restarts: numberOf(entry['restartCount']),
      waiting,
      isWaiting: Object.keys(waiting).length > 0,
      terminated: objectAt(entry, 'state', 'terminated'),
      lastTerminated: objectAt(entry, 'lastState', 'terminated'),
    };
  });
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');

function readinessText(object: Json): string {
  const ready = conditionOf(conditionsOf(object), 'Ready');
  if (ready === null || ready.status === 'True') return '';
  return joined([[ready.reason, ready.message].filter((part) => part !== '').join(' ')]);
}

/** The latest restart among the containers within the time that still matters; how many in all. */
function restartsOf(containers: readonly Container[], now: Date): { recent: Container | null; text: string } {
  const recent = containers.find((container) => {
    const sinceMs = ageMs(container.lastTerminated['finishedAt'], now);
    return container.restarts > 0 && sinceMs !== null && sinceMs < RECENT_RESTART_MS;
  });
  if (recent === undefined) return { recent: null, text: '' };
  return { recent, text: `restarted ${recent.restarts} ${recent.restarts === 1 ? 'time' : 'times'}` };
}

/** A container that ends well and is started again and again loops without crashing. */
function waitingWord(container: Container): string {
  const reason = textOf(container.waiting['reason']);
  const hasEndedWell =
    container.lastTerminated['exitCode'] === 0 && container.lastTerminated['reason'] === 'Completed';
  return reason === 'CrashLoopBackOff' && hasEndedWell ? 'RestartLoopBackOff' : reason;
}

function pendingHealth(object: Json, containers: readonly Container[], now: Date): Health {
  const waiting = containers.find((container) => container.isWaiting);
  const scheduled = conditionOf(conditionsOf(object), 'PodScheduled');
  const word = waiting === undefined ? '' : waitingWord(waiting);
  const isUnschedulable = scheduled?.status === 'False';
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  const isYoung = age !== null && age < START_LIMIT_MS;
  const message = joined([
    isUnschedulable ? scheduled.message : readinessText(object),
    textOf(waiting?.waiting['message']),
  ]);
  if (isYoung && !BROKEN.has(word)) return { health: 'unknown', status: 'Starting', ready: false, message };
  const status = isUnschedulable ? scheduled.reason || 'Unschedulable' : word || 'Pending';
  return { health: 'unhealthy', status, ready: false, message };
}

function unreadyHealth(object: Json, containers: readonly Container[], now: Date): Health {
  const stuck = containers.find((container) => container.isWaiting);
  const unready = containers.find((container) => !container.isReady);
  const { recent, text } = restartsOf(containers, now);
  const died = unready?.lastTerminated ?? {};
  const wasKilled = textOf(died['reason']) === 'OOMKilled' && recent !== null;
  const message = joined([
    readinessText(object),
    textOf(died['message']) || textOf(stuck?.waiting['message']),
    text,
  ]);
  const age = ageMs(objectAt(object, 'metadata')['creationTimestamp'], now);
  const isStarting = age !== null && age < START_LIMIT_MS && stuck === undefined && recent === null;
  if (isStarting) return { health: 'unknown', status: 'Starting', ready: false, message };
  const status = wasKilled ? 'OOMKilled' : stuck === undefined ? 'Running' : waitingWord(stuck);
  return { health: 'unhealthy', status, ready: false, message };
}

/** Health of a pod at a moment (schema §5.2 kubernetes). */
export function podHealth(object: Json, now: Date): Health {
  const status = objectAt(object, 'status');
  const containers = containersOf(status['containerStatuses']);
  const all = [...containersOf(status['initContainerStatuses']), ...containers];
  const reason = textOf(status['reason']);
  switch (textOf(status['phase'])) {
    case 'Failed': {
      const died = all.find((container) => numberOf(container.terminated['exitCode']) !== 0);
      const message = textOf(status['message']) || textOf(died?.terminated['message']);
      return { health: 'unhealthy', status: reason || 'Failed', ready: true, message };
    }
    case 'Succeeded':
      return { health: 'healthy', status: 'Completed', ready: true, message: '' };
    case 'Pending':
      return pendingHealth(object, containers, now);
    case 'Running': {
      const ready = conditionOf(conditionsOf(object), 'Ready');
      if (ready?.status !== 'True') return unreadyHealth(object, containers, now);
      const { recent, text } = restartsOf(containers, now);
      const health = recent === null ? 'healthy' : 'warning';
      return { health, status: 'Running', ready: true, message: text };
    }
    default:
      return {
        health: 'unknown',
        status: textOf(status['phase']),
        ready: false,
        message: readinessText(object),
      };
  }
}
