/**
 * Values that specifications refer to, read from folders as clusters mount them: `secrets/<name>/<key>` and
 * `configmaps/<name>/<key>` under DATA_DIR. Names are single path parts, so nothing outside is ever read.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { SecretValue } from './spec-fields.ts';
import type { KindContext } from './check-kind.ts';

const SAFE_PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$/;
const FOLDERS = { secret: 'secrets', configmap: 'configmaps' } as const;

/** Reads mounted values below `dataDir`. */
export function createSecretReader(dataDir: string): KindContext['secret'] {
  return async (kind, name, key) => {
    const what = `${kind === 'secret' ? 'secret' : 'config map'} ${name}/${key}`;
    if (!SAFE_PART.test(name) || !SAFE_PART.test(key))
      throw new AppError('invalid', `${what} is not a valid reference`);
    try {
      return (await readFile(join(dataDir, FOLDERS[kind], name, key), 'utf8')).replace(/\r?\n$/, '');
    } catch (error) {
      throw new AppError(
        'invalid',
        `${what} was not found (expected as file ${FOLDERS[kind]}/${name}/${key} in DATA_DIR)`,
        { cause: error },
      );
    }
  };
}

/** The value itself, or what it refers to. */
export async function readValue(value: SecretValue, context: Pick<KindContext, 'secret'>): Promise<string> {
  const from = 'valueFrom' in value ? value.valueFrom : undefined;
  if (from === undefined) return value.value ?? '';
  if (from.secretKeyRef !== undefined)
    return context.secret('secret', from.secretKeyRef.name, from.secretKeyRef.key);
  if (from.configMapKeyRef !== undefined)
    return context.secret('configmap', from.configMapKeyRef.name, from.configMapKeyRef.key);
  throw new AppError('invalid', 'valueFrom takes secretKeyRef or configMapKeyRef on this server');
}
