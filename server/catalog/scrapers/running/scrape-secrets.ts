/** References in a scraper's specification, for one entry of one run; the scope decides where their values may go. */
import { isRecord } from '../../../../src/lib/is-record.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { SecretScope } from '../../../connections/secret-scope.ts';
import { textOrNull } from '../extract/json-values.ts';
import type { ScrapeConnection, ScrapeContext } from '../specs/scraped.ts';

export type ScrapeSecrets = Pick<
  ScrapeContext,
  'secret' | 'connection' | 'guard' | 'author' | 'refuseScripts'
>;

const MOUNTED = /^(secret|configmap):\/\/(?:[^/]+\/)?([^/]+)\/([^/]+)$/;
const OF_CONNECTION = /^connection:\/\//;
const FIELD_OF_CONNECTION = /^(connection:\/\/[^/]+\/[^/]+)\/(url|username|password|certificate)$/;

function refOf(value: unknown): { name: string; key: string } {
  const ref = isRecord(value) ? value : {};
  return { name: textOrNull(ref['name']) ?? '', key: textOrNull(ref['key']) ?? '' };
}

/** The readers of one entry. What they throw names what is missing. */
export function createScrapeSecrets(scope: SecretScope): ScrapeSecrets {
  async function connection(reference: string): Promise<ScrapeConnection | null> {
    const found = await scope.connection(reference);
    if (found === null) return null;
    const { isInsecureTls, properties, ...columns } = found;
    return { ...columns, insecureTls: isInsecureTls, properties: { ...properties } };
  }

  /** A single value of a connection has no address of its own: only the operator says where it goes. */
  async function fromConnection(text: string): Promise<string> {
    if (scope.author !== 'operator')
      throw new AppError(
        'forbidden',
        `${text}: single values of connections are for files of this server; use the field connection`,
      );
    const [, reference = text, field] = FIELD_OF_CONNECTION.exec(text) ?? [];
    const found = await connection(reference);
    if (found === null) throw new AppError('invalid', `${text} was not found`);
    if (field === 'url' || field === 'username' || field === 'certificate') return found[field];
    return found.password;
  }

  async function fromText(text: string): Promise<string> {
    const [, kind, name = '', key = ''] = MOUNTED.exec(text) ?? [];
    if (kind === 'secret' || kind === 'configmap') return scope.mounted(kind, name, key);
    return OF_CONNECTION.test(text) ? fromConnection(text) : text;
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
      if (from[field] !== undefined) return scope.mounted(kind, name, key);
    }
    throw new AppError('invalid', 'valueFrom: takes secretKeyRef or configMapKeyRef on this server');
  }

  const { guard, author, refuseScripts } = scope;
  return { secret, connection, guard, author, refuseScripts };
}
