/**
 * Values that a specification refers to, for one run. Every value that is read here, and every literal that looks
 * like a secret, is noted, so that nothing of it appears in errors, job details or log lines.
 */
import { isRecord } from '../../../src/lib/is-record.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Redactor } from '../../checks/running/redact.ts';
import type { SecretReader } from '../../connections/connection-values.ts';
import { resolveConnection } from '../../connections/connection-values.ts';
import { findConnectionByReference } from '../../connections/connection-query.ts';
import type { Queryable } from '../../db/database.ts';
import { textOrNull } from '../extract/json-values.ts';
import type { ScrapeConnection } from '../scraped.ts';

interface SecretDeps {
  db: Queryable;
  /** Mounted values below DATA_DIR. */
  mounted: SecretReader;
  redactor: Redactor;
}

export interface ScrapeSecrets {
  secret: (value: unknown) => Promise<string>;
  connection: (reference: string) => Promise<ScrapeConnection | null>;
}

const MOUNTED = /^(secret|configmap):\/\/(?:[^/]+\/)?([^/]+)\/([^/]+)$/;
const FIELD_OF_CONNECTION = /^(connection:\/\/[^/]+\/[^/]+)\/(url|username|password|certificate)$/;
const SECRET_NAME =
  /pass(word|wd)?$|token$|secret$|secretkey$|accesskey$|bearer$|apikey$|certificate$|kubeconfig$/i;
const USER_INFO = /:\/\/[^\s/:@]*:([^\s@]+)@/g;
/** Shorter ones would tear holes into every text. */
const SHORTEST = 4;

/** Notes what in a specification is a secret as it stands: passwords in URLs, values of telling names. */
export function noteLiterals(spec: unknown, redactor: Redactor, name = ''): void {
  if (typeof spec === 'string') {
    for (const [, password = ''] of spec.matchAll(USER_INFO)) {
      redactor.note(password);
      redactor.note(decodeURIComponent(password));
    }
    if (SECRET_NAME.test(name) && spec.length >= SHORTEST && !spec.includes('://')) redactor.note(spec);
    return;
  }
  if (Array.isArray(spec)) {
    for (const entry of spec) noteLiterals(entry, redactor, name);
    return;
  }
  if (!isRecord(spec)) return;
  // `{value: …}` below a telling name is that name's value.
  for (const [key, entry] of Object.entries(spec))
    noteLiterals(entry, redactor, key === 'value' ? name : key);
}

function refOf(value: unknown): { name: string; key: string } {
  const ref = isRecord(value) ? value : {};
  return { name: textOrNull(ref['name']) ?? '', key: textOrNull(ref['key']) ?? '' };
}

/** The readers of one run. What they throw names what is missing. */
export function createScrapeSecrets({ db, mounted, redactor }: SecretDeps): ScrapeSecrets {
  const noted = (text: string) => {
    redactor.note(text);
    return text;
  };

  async function connection(reference: string): Promise<ScrapeConnection | null> {
    const row = await findConnectionByReference(db, reference);
    if (row === null) return null;
    const values = await resolveConnection(row, mounted);
    for (const text of [values.password, values.certificate]) if (text !== '') redactor.note(text);
    noteLiterals(values.url, redactor);
    noteLiterals(values.properties, redactor);
    const { isInsecureTls, properties, ...columns } = values;
    return { type: row.type, ...columns, insecureTls: isInsecureTls, properties: { ...properties } };
  }

  async function fromText(text: string): Promise<string> {
    const [, kind, name = '', key = ''] = MOUNTED.exec(text) ?? [];
    if (kind === 'secret' || kind === 'configmap') return noted(await mounted(kind, name, key));
    const [, reference, field] = FIELD_OF_CONNECTION.exec(text) ?? [];
    if (reference === undefined && !text.startsWith('connection://')) return text;
    const found = await connection(reference ?? text);
    if (found === null) throw new AppError('invalid', `${text} was not found`);
    if (field === 'url' || field === 'username' || field === 'certificate') return found[field];
    return found.password;
  }

  async function secret(value: unknown): Promise<string> {
    if (!isRecord(value)) return fromText(textOrNull(value) ?? '');
    const from = value['valueFrom'];
    if (!isRecord(from)) return fromText(textOrNull(value['value']) ?? '');
    for (const [field, kind] of [
      ['secretKeyRef', 'secret'],
      ['configMapKeyRef', 'configmap'],
    ] as const) {
      const { name, key } = refOf(from[field]);
      if (from[field] !== undefined) return noted(await mounted(kind, name, key));
    }
    throw new AppError('invalid', 'valueFrom: takes secretKeyRef or configMapKeyRef on this server');
  }

  return { secret, connection };
}
