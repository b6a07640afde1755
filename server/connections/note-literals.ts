/** Notes what in a text or a specification is a secret as it stands, so that no error, result or log line has it. */
import { AppError } from '../../src/contract/errors.ts';
import type { Redactor } from '../platform/crypto/redact.ts';
import { isRecord } from '../../src/lib/is-record.ts';

/** As migrations 0018, 0021 and 0124 have it: whatever leaves a specification for its name is taken out of results, too. */
const SECRET_NAME =
  /passw|passphrase|passcode|\bpass\b|pwd|secret|token|bearer|cookie|\bpat\b|credential|authorization|certificate|private|webhook|(?:api|access|signing|service|integration|routing)[-_]?key|kubeconfig$/i;
const PLAIN_NAME = /(?:ur[li]|refs?|names?|expiry|types?|checks?)$/i;
/** Of people and scripts. */
const PLAIN_PARTS: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'tags',
  'test',
  'display',
  'transform',
  'metrics',
  'relationships',
]);
const USER_INFO = /:\/\/[^\s/?#@:]*:([^\s/?#]+)@/g;
/** Whether there is a value is asked first: what comes before is looked at once. */
const SECRET_PARAMETER =
  /[#&;?](?=[^#&;=?]*=[^\s#$&;{])[^\s#&;=?]*(?:passw|pwd|secret|token|credential|key|sig|sas|auth|code)[^#&;=?]*=([^\s#$&;{][^\s#&;]*)/gi;
/** Shorter ones would tear holes into every text. */
const SHORTEST = 4;
/** Of parameters, of which many are no secrets. */
const SHORTEST_PARAMETER = 6;
const REFERENCE = /^(?:secret|configmap|connection|helm|serviceaccount):\/\//;

/** Whether values under this name are secrets, as the database has it (migrations 0018, 0021). */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !PLAIN_NAME.test(name);

/** What a check of this kind has, and its token, which counts by its own name. */
const WEBHOOK_CHECK: ReadonlySet<string> = new Set(
  (
    'name description namespace icon endpoint labels owner severity token test display transform ' +
    'transformDeleteStrategy metrics relationships dependsOn'
  ).split(' '),
);

/** Two names of secrets are kinds of checks as well: what has the fields of such a check is none (migration 0124). */
function isCheck(name: string, part: unknown): boolean {
  if (name === 'certificate') return [part].flat().every((one) => isRecord(one) && 'endpoint' in one);
  return name === 'webhook' && isRecord(part) && Object.keys(part).every((key) => WEBHOOK_CHECK.has(key));
}

const isSecretPart = (name: string, part: unknown): boolean => isSecretName(name) && !isCheck(name, part);

/** Of an address; a percent sign that means itself stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** A name and a password that are filled in later. */
const PLACEHOLDERS = String.raw`(?!(?:\$\([\w.-]+\)|[\w.-]*):\$\([\w.-]+\)@)`;
const BEFORE_HOST = new RegExp(String.raw`:\/\/${PLACEHOLDERS}[^\s/?#]*@`, 'g');

/** An address as people and scripts may see it: without what signs in before its host and in its parameters. */
export function withoutSignIn(address: string): string {
  return address
    .replaceAll(BEFORE_HOST, '://***@')
    .replaceAll(SECRET_PARAMETER, (found: string, value: string) => `${found.slice(0, -value.length)}***`);
}

function noteText(text: string, redactor: Redactor, isSecret: boolean): void {
  const note = (secret: string) => {
    redactor.note(secret);
    redactor.note(decoded(secret));
  };
  for (const [, password = ''] of text.matchAll(USER_INFO)) note(password);
  for (const [, value = ''] of text.matchAll(SECRET_PARAMETER))
    if (value.length >= SHORTEST_PARAMETER) note(value);
  if (!isSecret || text.length < SHORTEST || REFERENCE.test(text)) return;
  redactor.note(text);
  // `Bearer x`, `Basic x`: what stands behind the scheme.
  const [, value = ''] = /^\w+ (\S+)$/.exec(text) ?? [];
  redactor.note(value);
}

/** Passwords in addresses, values of telling names and all below them; of `{name, value}` the name tells. */
export function noteLiterals(spec: unknown, redactor: Redactor, isSecret = false): void {
  if (typeof spec === 'string') return noteText(spec, redactor, isSecret);
  if (typeof spec === 'number') return noteText(String(spec), redactor, isSecret);
  if (Array.isArray(spec)) {
    for (const entry of spec) noteLiterals(entry, redactor, isSecret);
    return;
  }
  if (!isRecord(spec)) return;
  const isNamed = typeof spec['name'] === 'string' && isSecretName(spec['name']);
  for (const [key, entry] of Object.entries(spec)) {
    if (key === 'valueFrom' || key === 'name' || (!isSecret && PLAIN_PARTS.has(key))) continue;
    noteLiterals(entry, redactor, isSecret || (key === 'value' ? isNamed : isSecretPart(key, entry)));
  }
}

const TAKEN_OUT = /"\*\*\*"|:\/\/\*\*\*@|=\*\*\*/;

/** Throws where the stars of a secret stand in a specification, and nothing was kept for them (migration 0021). */
export function refuseStars(spec: unknown): void {
  if (TAKEN_OUT.test(JSON.stringify(spec) ?? ''))
    throw new AppError(
      'invalid',
      'a secret in it was written for another address and is not kept (***): enter it again',
    );
}
