/** Health of a node: whether it is ready, what presses it, and whether it takes pods. */
import { conditionsOf } from './conditions.ts';
import { humanWords, isAtLeast, listOf, objectAt, textOf, worstOf } from './health.ts';
import type { Health, Json } from './health.ts';

/** Conditions of the kubelet, of the node problem detector and of distributions that should not be true. */
const PROBLEMS = new Set([
  'DiskPressure',
  'MemoryPressure',
  'PIDPressure',
  'CorruptDockerOverlay2',
  'KernelDeadlock',
  'ReadonlyFilesystem',
  'FrequentContainerdRestart',
  'FrequentDockerRestart',
  'FrequentKubeletRestart',
  'FrequentGcfsSnapshotterRestart',
  'FrequentGcfsdRestart',
  'FrequentUnregisterNetDevice',
  'GcfsSnapshotterUnhealthy',
  'GcfsdUnhealthy',
  'GcfsSnapshotterMissingLayer',
  'SecondaryBootDiskMissingLayer',
]);

function troubleOf(type: string, status: string): Health['health'] | null {
  if (type === 'NetworkUnavailable') return status === 'False' ? null : 'unhealthy';
  if (type === 'EtcdIsVoter') return status === 'True' ? null : 'warning';
  return PROBLEMS.has(type) && status !== 'False' ? 'warning' : null;
}

const isClosed = (object: Json): boolean =>
  objectAt(object, 'spec')['unschedulable'] === true ||
  listOf(objectAt(object, 'spec')['taints']).some(
    ({ key, effect }) => key === 'node.kubernetes.io/unschedulable' && effect === 'NoSchedule',
  );

/** By its conditions; what presses it (memory, disk, processes) counts beside being ready. */
export function nodeHealth(object: Json): Health {
  const phase = textOf(objectAt(object, 'status')['phase']);
  const found: Health = { health: 'unknown', status: phase, ready: false, message: '' };
  if (phase !== '' && phase !== 'Running') return found;
  for (const { type, status, message } of conditionsOf(object)) {
    if (type === 'Ready' && status !== 'True')
      return { health: 'unhealthy', status: 'Not Ready', ready: false, message };
    if (type === 'Ready') {
      found.ready = true;
      found.health = worstOf(found.health, 'healthy');
      if (found.health === 'healthy') found.status = 'Running';
    }
    const trouble = troubleOf(type, status);
    if (trouble === null || !isAtLeast(trouble, found.health)) continue;
    Object.assign(found, { health: trouble, status: humanWords(type), message });
  }
  if (isClosed(object) && isAtLeast('warning', found.health))
    Object.assign(found, { health: 'warning', status: 'Unschedulable' });
  return found;
}
