/** Health of the resources of Google's and Microsoft's clouds, where a type says more than one word. */
import { DAY_MS, roughly } from './durations.ts';
import { humanWords, joined, numberOf, objectAt, textOf, timeOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { stateHealth } from './status-words.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const DISK = lookupTable<[Health['health'], boolean]>({
  READY: ['healthy', true],
  FAILED: ['unhealthy', true],
  RESTORING: ['warning', false],
  DELETING: ['warning', false],
});
const DATABASE = lookupTable<Health['health']>({
  RUNNABLE: 'healthy',
  SUSPENDED: 'warning',
  MAINTENANCE: 'warning',
  FAILED: 'unhealthy',
});

/** A size that an API writes as a text or as a number. */
const sizeOf = (value: unknown): string => textOf(value) || (typeof value === 'number' ? String(value) : '');

function diskHealth(config: Json): Health {
  const word = textOf(config['status']);
  const [health, ready] = DISK[word] ?? ['unknown', false];
  const size = sizeOf(config['sizeGb']);
  return { health, status: humanWords(word), ready, message: size === '' ? '' : `${size} GB` };
}

function instanceGroupHealth(config: Json): Health {
  const status = objectAt(config, 'status');
  const size = numberOf(config['targetSize']);
  const message = size === 0 ? 'scaled to zero' : `${size} instances`;
  if (typeof status['isStable'] !== 'boolean')
    return { health: 'unknown', status: '', ready: false, message };
  return status['isStable']
    ? { health: 'healthy', status: 'Ready', ready: true, message }
    : { health: 'unhealthy', status: 'Degraded', ready: false, message };
}

function databaseHealth(config: Json): Health {
  const word = textOf(config['state']);
  const size = sizeOf(objectAt(config, 'settings')['dataDiskSizeGb']);
  const version = textOf(config['databaseVersion']);
  const message = size !== '' && version !== '' ? `${version} (${size} GB)` : joined(version, size);
  const health = DATABASE[word] ?? 'unknown';
  const isWell = health === 'healthy';
  return { health, status: isWell ? 'Ready' : humanWords(word), ready: isWell, message };
}

const stateOf = (config: Json): string => textOf(config['state']) || textOf(config['status']);

/** Health of a resource of Google's cloud. */
export function gcpHealth(type: string, config: Json): Health {
  switch (type) {
    case 'GCP::Compute::Disk':
      return diskHealth(config);
    case 'GCP::Compute::InstanceGroupManager':
      return instanceGroupHealth(config);
    case 'GCP::Sqladmin::Instance':
      return databaseHealth(config);
    default:
      return stateHealth(stateOf(config), textOf(config['statusMessage']));
  }
}

/** A credential that runs out within this is told beforehand. */
const EXPIRY_WARNING_MS = 30 * DAY_MS;
const CREDENTIALS = /^Azure::(AppRegistration::)?(ClientSecret|Certificate|ClientCertificate)$/;

function credentialHealth(what: string, config: Json, now: Date): Health {
  const text = textOf(config['endDateTime']).trim();
  const end = timeOf(text);
  const told = (health: Health['health'], status: string, message: string): Health => ({
    health,
    status,
    ready: health === 'healthy',
    message,
  });
  if (text === '') return told('unknown', '', 'End date time is not set');
  if (end === null) return told('unknown', '', `${text} is not a valid date time`);
  const leftMs = end.getTime() - now.getTime();
  if (leftMs < 0) return told('unhealthy', 'Expired', `${what} has expired`);
  if (leftMs < EXPIRY_WARNING_MS)
    return told('warning', 'Expiring', `${what} is expiring in ${roughly(leftMs)}`);
  return told('healthy', 'Healthy', `${what} is valid`);
}

/** Health of a resource of Azure: a credential by its end, anything else by the state of its provisioning. */
export function azureHealth(type: string, config: Json, now: Date): Health {
  const [, , what] = CREDENTIALS.exec(type) ?? [];
  if (what !== undefined) return credentialHealth(what, config, now);
  const own = textOf(config['provisioningState']);
  return stateHealth(own || textOf(objectAt(config, 'properties')['provisioningState']) || stateOf(config));
}
