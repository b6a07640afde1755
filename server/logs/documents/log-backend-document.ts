/** Reads log backends of YAML files: `kind: LogBackend` with `metadata` and `spec` (docs/logs.md). */
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import type { RefusedDocument } from '../../platform/yaml/yaml-file.ts';
import { logBackendProblems } from '../log-backend-problems.ts';

export interface FileLogBackend {
  ok: true;
  name: string;
  /** Log backends have none; documents of files do. */
  namespace: string;
  labels: Record<string, string>;
  /** As written. */
  spec: Record<string, unknown>;
}

const metadataSchema = z.object({
  name: z.string().trim().min(1).max(253),
  namespace: z.string().trim().max(253).nullish(),
  labels: z.record(z.string(), z.coerce.string()).nullish(),
});

/** One document; null for one of another kind. */
export function readLogBackendDocument(
  document: unknown,
  fallbackName: string,
): FileLogBackend | RefusedDocument | null {
  if (isRecord(document) && typeof document['kind'] === 'string' && document['kind'] !== 'LogBackend')
    return null;
  const fallback = { ok: false as const, name: fallbackName, namespace: 'default' };
  if (!isRecord(document) || document['kind'] !== 'LogBackend')
    return { ...fallback, problems: [{ field: 'kind', message: 'must be LogBackend' }] };
  const metadata = metadataSchema.safeParse(document['metadata']);
  if (!metadata.success)
    return { ...fallback, problems: problemsOf(metadata.error, ['metadata'], document['metadata']) };
  const { name, namespace, labels } = metadata.data;
  const place = { name, namespace: namespace || 'default' };
  const { spec } = document;
  const problems = logBackendProblems({ spec });
  return problems.length > 0 || !isRecord(spec)
    ? { ok: false, ...place, problems }
    : { ok: true, ...place, labels: labels ?? {}, spec };
}
