/** Health of a pod: its phase, what its containers wait for or died of, and how lately they were restarted. */
import { conditionOf, conditionsOf } from './conditions.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';
import { ageMs, isAtLeast, joined, listOf, numberOf, objectAt, textOf, worstOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { isStarting } from './workload-health.ts';

/** A container that died is news this long. */
const RECENT_MS = DAY_MS;
/** What a container waits for that does not go away by waiting. */
const BROKEN = /^Err|Error$|BackOff$|^InvalidImageName$|^ErrImageNeverPull$/;

interface Container {
  name: string;
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
      restarts: numberOf(entry['restartCount']),
      waiting,
      isWaiting: Object.keys(waiting).length > 0,
      terminated: objectAt(entry, 'state', 'terminated'),
      lastTerminated: objectAt(entry, 'lastState', 'terminated'),
    };
  });
}

interface Part {
  health: Health['health'];
  status: string;
  message: string;
  container: Container;
}

function worst(parts: readonly Part[]): Part | null {
  return parts.reduce<Part | null>(
    (found, part) => (found === null || isAtLeast(part.health, found.health) ? part : found),
    null,
  );
}

function waitingOf(containers: readonly Container[]): Part | null {
  const parts = containers
    .filter(({ isWaiting }) => isWaiting)
    .map((container): Part => {
      const reason = textOf(container.waiting['reason']);
      const isStuck = BROKEN.test(reason) || container.restarts > 0;
      const message = textOf(container.waiting['message']);
      return { health: isStuck ? 'unhealthy' : 'unknown', status: reason, message, container };
    });
  return worst(parts);
}

const hasEndedWell = ({ exitCode, reason }: Json): boolean => exitCode === 0 && reason === 'Completed';

/** Who died within the time that matters; the worst of them. */
function diedOf(containers: readonly Container[], now: Date): Part | null {
  const parts = containers.flatMap((container): Part[] => {
    const last = container.lastTerminated;
    const sinceMs = ageMs(last['finishedAt'], now);
    if (sinceMs === null || sinceMs >= RECENT_MS) return [];
    const health = hasEndedWell(last) ? 'healthy' : sinceMs < HOUR_MS ? 'unhealthy' : 'warning';
    return [{ health, status: textOf(last['reason']), message: textOf(last['message']), container }];
  });
  return worst(parts);
}

function readinessText(object: Json): string {
  const ready = conditionOf(conditionsOf(object), 'Ready');
  if (ready === null || ready.status === 'True') return '';
  return [ready.reason, ready.message].filter((part) => part !== '').join(' ');
}

const restartText = (died: Part | null): string => {
  const restarts = died?.container.restarts ?? 0;
  return restarts === 0 ? '' : `restarted ${restarts} ${restarts === 1 ? 'time' : 'times'}`;
};

/** A loop is named after what the container dies of; one that ends well each time loops without crashing. */
function statusOf(waiting: Part | null, died: Part | null): string {
  if (waiting?.status === 'CrashLoopBackOff' && died !== null)
    return died.health === 'healthy' ? 'RestartLoopBackOff' : died.status || waiting.status;
  if (waiting !== null && (died === null || isAtLeast(waiting.health, died.health)))
    return waiting.status || 'Waiting';
  if (died !== null && died.health !== 'healthy') return died.status || 'Running';
  return 'Running';
}

function readyHealth(died: Part | null): Health {
  const isNews = died !== null && died.health !== 'healthy';
  return {
    health: isNews ? 'warning' : 'healthy',
    status: 'Running',
    ready: true,
    message: isNews ? restartText(died) : '',
  };
}

function unreadyHealth(object: Json, containers: readonly Container[], now: Date): Health {
  const waiting = waitingOf(containers);
  const died = diedOf(containers, now);
  const message = joined(
    readinessText(object),
    died?.message ?? '',
    waiting?.message ?? '',
    restartText(died),
  );
  const status = statusOf(waiting, died);
  const spec = objectAt(object, 'spec');
  const all = [...listOf(spec['initContainers']), ...listOf(spec['containers'])];
  const isStuck = worstOf(waiting?.health ?? 'unknown', died?.health ?? 'unknown') === 'unhealthy';
  if (!isStuck && isStarting(object, all, now))
    return { health: 'unknown', status: 'Starting', ready: false, message };
  return { health: 'unhealthy', status, ready: false, message };
}

function failureText(object: Json, containers: readonly Container[]): string {
  const own = textOf(objectAt(object, 'status')['message']);
  if (own !== '') return own;
  const died = containers.find(({ terminated }) => numberOf(terminated['exitCode']) !== 0);
  if (died === undefined) return textOf(objectAt(object, 'status')['reason']);
  const { message, reason, exitCode } = died.terminated;
  if (textOf(message) !== '') return textOf(message);
  if (reason === 'OOMKilled') return 'OOMKilled';
  return `container "${died.name}" failed with exit code ${numberOf(exitCode)}`;
}

/** Health of a pod at a moment (schema §5.2 kubernetes). */
export function podHealth(object: Json, now: Date): Health {
  const status = objectAt(object, 'status');
  const containers = [
    ...containersOf(status['initContainerStatuses']),
    ...containersOf(status['containerStatuses']),
  ];
  const message = textOf(status['message']);
  if (status['reason'] === 'Evicted') return { health: 'warning', status: 'Evicted', ready: true, message };
  const conditions = conditionsOf(object);
  const unscheduled = conditions.find(({ reason }) => reason === 'Unschedulable');
  if (unscheduled !== undefined)
    return { health: 'unhealthy', status: 'Unschedulable', ready: false, message: unscheduled.message };
  switch (textOf(status['phase'])) {
    case 'Failed':
      return {
        health: 'unhealthy',
        status: 'Failed',
        ready: true,
        message: failureText(object, containers),
      };
    case 'Succeeded':
      return { health: 'healthy', status: 'Completed', ready: true, message };
    case 'Pending':
    case 'Running':
      return conditionOf(conditions, 'Ready')?.status === 'True'
        ? readyHealth(diedOf(containers, now))
        : unreadyHealth(object, containers, now);
    default:
      return {
        health: 'unknown',
        status: textOf(status['phase']) || 'Unknown',
        ready: false,
        message: message || readinessText(object),
      };
  }
}
