/** Notes what in a text or a specification is a secret as it stands, so that no error, result or log line has it. */
import { AppError } from '../../src/contract/errors.ts';
import type { Redactor } from '../platform/crypto/redact.ts';
import { isRecord } from '../../src/lib/is-record.ts';

const SECRET_NAME =
  /pass(word|wd|phrase)?$|pwd$|token$|secret$|(secret|access|api|private)[-_]?key$|bearer$|authorization$|cookie$|certificate$|kubeconfig$/i;
const USER_INFO = /:\/\/[^\s/?#@]*?:([^\s/?#]+)@/g;
/** Shorter ones would tear holes into every text. */
const SHORTEST = 4;
const REFERENCE = /^(?:secret|configmap|connection|helm|serviceaccount):\/\//;

const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Of an address; a percent sign that means itself stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

function noteText(text: string, redactor: Redactor, name: string): void {
  for (const [, password = ''] of text.matchAll(USER_INFO)) {
    redactor.note(password);
    redactor.note(decoded(password));
  }
  if (!isSecretName(name) || text.length < SHORTEST || REFERENCE.test(text) || URL.canParse(text)) return;
  redactor.note(text);
  // `Bearer x`, `Basic x`: what stands behind the scheme.
  const [, value = ''] = /^\w+ (\S+)$/.exec(text) ?? [];
  redactor.note(value);
}

/** Passwords in addresses, values of telling names; of `{name, value}` the name tells. */
export function noteLiterals(spec: unknown, redactor: Redactor, name = ''): void {
  if (typeof spec === 'string') return noteText(spec, redactor, name);
  if (Array.isArray(spec)) {
    for (const entry of spec) noteLiterals(entry, redactor, name);
    return;
  }
  if (!isRecord(spec)) return;
  const own = typeof spec['name'] === 'string' && isSecretName(spec['name']) ? spec['name'] : name;
  for (const [key, entry] of Object.entries(spec)) {
    if (key === 'valueFrom') continue;
    noteLiterals(entry, redactor, key === 'value' ? own : key);
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
