/** Health of cert-manager's certificates and requests: what they are waiting for, and when they run out. */
import { conditionOf, conditionsOf, plainConditionHealth } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { goDuration, HOUR_MS, MINUTE_MS } from './durations.ts';
import { ageMs, isAtLeast, objectAt, textOf, timeOf } from './health.ts';
import type { Health, Json } from './health.ts';
import { lookupTable } from '../../../../src/lib/lookup-table.ts';

const EXPIRY_WARNING_MS = 48 * HOUR_MS;
/** How long a renewal or a request may take before it is said. */
const GRACE_MS = 30 * MINUTE_MS;

/** What keeps cert-manager from using the secret it has, by its own names of the violations. */
const VIOLATIONS = lookupTable<string>({
  MissingData: 'Certificate secret has missing data',
  InvalidKeyPair: 'Public key of certificate does not match private key',
  InvalidCertificate: 'Signed certificate could not be parsed or decoded',
  InvalidCertificateRequest: 'CSR could not be parsed or decoded',
  SecretMismatch: "Secret's private key does not match spec",
  IncorrectIssuer: 'Certificate has been issued by incorrect Issuer',
  IncorrectCertificate: "Certificate's secretName already has an annotation with another Certificate",
  Expired: 'Certificate has expired',
  SecretTemplateMismatch: 'SecretTemplate is not reflected on the target Secret',
  SecretManagedMetadataMismatch: 'Secret is missing labels that should have been added by cert-manager',
  AdditionalOutputFormatsMismatch:
    "Certificate's AdditionalOutputFormats are not reflected on the target Secret",
  ManagedFieldsParseError: 'cert-manager was unable to decode the managed fields on a resource',
  SecretOwnerRefMismatch: 'Secret has an incorrect owner reference',
});

const settled = (health: Health['health'], status: string, message: string): Health => ({
  health,
  status,
  ready: true,
  message,
});

function expiry(object: Json, now: Date): Health | null {
  const end = timeOf(objectAt(object, 'status')['notAfter']);
  if (end === null) return null;
  const leftMs = end.getTime() - now.getTime();
  if (leftMs < 0) return settled('unhealthy', 'Expired', 'Certificate has expired');
  if (leftMs >= EXPIRY_WARNING_MS) return null;
  return settled('warning', 'Warning', `Certificate is expiring soon (${end.toISOString()})`);
}

/** Issuing is nothing to worry about for a while. */
function issuingHealth(issuing: Condition, now: Date): Health['health'] {
  const forMs = ageMs(issuing.since, now) ?? 0;
  if (forMs > 2 * GRACE_MS) return 'unhealthy';
  return forMs > GRACE_MS / 2 ? 'warning' : 'unknown';
}

/** A renewal is no trouble until it takes too long, counted from when it was due. */
function renewing(object: Json, issuing: Condition, now: Date): Health {
  const { reason: status, message } = issuing;
  const forMs = ageMs(objectAt(object, 'status')['renewalTime'], now) ?? ageMs(issuing.since, now);
  if (forMs === null) return { health: 'unknown', status, ready: false, message };
  if (forMs <= GRACE_MS) return { health: 'healthy', status, ready: false, message };
  const minutesMs = Math.floor(forMs / MINUTE_MS) * MINUTE_MS;
  const told = `Certificate has been in renewal state for > ${goDuration(minutesMs)}`;
  return { health: 'warning', status, ready: false, message: told };
}

function issuingOf(object: Json, issuing: Condition, now: Date): Health {
  const { reason, message } = issuing;
  const status = reason || 'Issuing';
  if (reason === 'Failed') return settled('unhealthy', reason, message);
  if (reason === 'Renewing') return renewing(object, issuing, now);
  if (reason === 'ManuallyTriggered') return { health: 'unknown', status: 'Issuing', ready: false, message };
  if (reason === 'DoesNotExist')
    return (ageMs(issuing.since, now) ?? 0) > GRACE_MS
      ? { health: 'unhealthy', status: reason, ready: false, message }
      : { health: 'unknown', status: 'Issuing', ready: false, message };
  const violation = VIOLATIONS[reason];
  if (violation !== undefined) return settled('unhealthy', reason, violation);
  return { health: issuingHealth(issuing, now), status, ready: false, message };
}

/** Without an `Issuing` that counts: the dates, then `Ready`. */
function restingHealth(object: Json, now: Date): Health {
  const ending = expiry(object, now);
  if (ending !== null) return ending;
  const renewal = timeOf(objectAt(object, 'status')['renewalTime']);
  if (renewal !== null && now.getTime() - renewal.getTime() > GRACE_MS)
    return settled('warning', 'Warning', `Certificate should have been renewed at ${renewal.toISOString()}`);
  const ready = conditionOf(conditionsOf(object), 'Ready');
  if (ready?.status === 'True') return settled('healthy', 'Issued', '');
  if (ready?.status === 'False' && ready.reason === 'ConfigError')
    return settled('unhealthy', ready.reason, ready.message);
  if (ready?.status === 'False')
    return { health: 'unknown', status: 'Issuing', ready: false, message: ready.message };
  return plainConditionHealth(object);
}

/** Health of a certificate at a moment. */
export function certificateHealth(object: Json, now: Date): Health {
  const issuing = conditionOf(conditionsOf(object), 'Issuing');
  if (issuing === null || (issuing.status !== 'True' && issuing.reason !== 'Failed'))
    return restingHealth(object, now);
  const health = issuingOf(object, issuing, now);
  // A new one is being made; the old one still has to hold until then.
  const ending = expiry(object, now);
  if (ending === null || isAtLeast(health.health, ending.health)) return health;
  return ending;
}

/** Health of a request for a certificate at a moment. */
export function certificateRequestHealth(object: Json, now: Date): Health {
  const conditions = conditionsOf(object);
  const isLate = (ageMs(objectAt(object, 'metadata')['creationTimestamp'], now) ?? 0) > GRACE_MS;
  const ready = conditionOf(conditions, 'Ready');
  if (ready?.status === 'False' && (ready.reason === 'Failed' || ready.reason === 'Denied'))
    return settled('unhealthy', ready.reason, ready.message);
  if (ready?.status === 'False' && ready.reason === 'Pending') {
    const health = isLate ? 'unhealthy' : 'unknown';
    return { health, status: ready.reason, ready: false, message: ready.message };
  }
  for (const type of ['Denied', 'InvalidRequest']) {
    const refused = conditionOf(conditions, type);
    if (refused?.status === 'True') return settled('unhealthy', type, refused.message);
  }
  if (ready?.status === 'True') return settled('healthy', ready.reason || 'Issued', ready.message);
  const approved = conditionOf(conditions, 'Approved');
  if (approved?.status === 'True') {
    const health = isLate ? 'unhealthy' : 'healthy';
    return { health, status: 'Approved', ready: false, message: approved.message };
  }
  return plainConditionHealth(object);
}

const ACME_STATES = lookupTable<Health['health']>({
  valid: 'healthy',
  invalid: 'unhealthy',
  expired: 'unhealthy',
  errored: 'unhealthy',
});

/** Orders and challenges say in one word where they are. */
export function acmeHealth(object: Json): Health {
  const status = objectAt(object, 'status');
  const state = textOf(status['state']);
  const health = ACME_STATES[state] ?? 'unknown';
  return { health, status: state, ready: health !== 'unknown', message: textOf(status['reason']) };
}
