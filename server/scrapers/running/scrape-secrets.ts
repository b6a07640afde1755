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
const PLAIN_NAME = /^(user(name)?|database|driver|name|namespace|type|schema)$/i;
const URL_PARTS = /([a-z][a-z0-9+.-]*):\/\/(?:([^\s/:@]*)(?::[^\s@]*)?@)?([^\s?#]*)/gi;
const USER_INFO = /:\/\/[^\s/:@]*:([^\s@]+)@/g;
/** Shorter ones would tear holes into every text. */
const SHORTEST = 4;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is part of the password.
    return text;
  }
};

/**
 * Words that a message is made of: the schemes, users, hosts and paths of URLs, names of fields and their plain
 * settings. A password that is one of them (`postgres`) is hidden where it stands as one, not wherever the word is.
 */
function plainWords(spec: unknown, words = new Set<string>(), name = ''): Set<string> {
  if (typeof spec === 'string') {
    for (const [, scheme = '', user = '', rest = ''] of spec.matchAll(URL_PARTS))
      for (const word of [scheme, decoded(user), ...rest.split(/[^\w-]+/)]) words.add(word.toLowerCase());
    if (PLAIN_NAME.test(name)) words.add(spec.toLowerCase());
  } else if (Array.isArray(spec)) for (const entry of spec) plainWords(entry, words, name);
  else if (isRecord(spec))
    for (const [key, entry] of Object.entries(spec)) {
      words.add(key.toLowerCase());
      plainWords(entry, words, key === 'value' ? name : key);
    }
  return words;
}

const noteUnless = (words: ReadonlySet<string>, redactor: Redactor) => (secret: string) =>
  redactor.note(words.has(secret.toLowerCase()) ? `:${secret}@` : secret);

function noteIn(spec: unknown, name: string, note: (secret: string) => void): void {
  if (typeof spec === 'string') {
    for (const [, password = ''] of spec.matchAll(USER_INFO)) {
      note(password);
      note(decoded(password));
    }
    if (SECRET_NAME.test(name) && spec.length >= SHORTEST && !spec.includes('://')) note(spec);
    return;
  }
  if (Array.isArray(spec)) {
    for (const entry of spec) noteIn(entry, name, note);
    return;
  }
  if (!isRecord(spec)) return;
  // `{value: …}` below a telling name is that name's value.
  for (const [key, entry] of Object.entries(spec)) noteIn(entry, key === 'value' ? name : key, note);
}

/** Notes what in a specification is a secret as it stands: passwords in URLs, values of telling names. */
export function noteLiterals(spec: unknown, redactor: Redactor): void {
  noteIn(spec, '', noteUnless(plainWords(spec), redactor));
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
    const { certificate, password, url, username } = values;
    if (certificate !== '') redactor.note(certificate);
    if (password !== '') noteUnless(plainWords({ url, username }), redactor)(password);
    noteLiterals(url, redactor);
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
