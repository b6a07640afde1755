/** Reads playbook documents of YAML files: `kind: Playbook` with `metadata` and `spec` (schema §7.4). */
import { z } from 'zod';
import { isRecord } from '../../../src/lib/is-record.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import type { RefusedDocument } from '../../platform/yaml/yaml-file.ts';
import { playbookProblems } from './playbook-problems.ts';

export interface FilePlaybook {
  ok: true;
  name: string;
  namespace: string;
  /** As written. */
  spec: Record<string, unknown>;
}

const metadataSchema = z.object({
  name: z.string().trim().min(1).max(253),
  namespace: z.string().trim().max(253).nullish(),
});

/** One document; null for one of another kind. */
export function readPlaybookDocument(
  document: unknown,
  fallbackName: string,
): FilePlaybook | RefusedDocument | null {
  if (isRecord(document) && typeof document['kind'] === 'string' && document['kind'] !== 'Playbook')
    return null;
  const fallback = { ok: false as const, name: fallbackName, namespace: 'default' };
  if (!isRecord(document) || document['kind'] !== 'Playbook')
    return { ...fallback, problems: [{ field: 'kind', message: 'must be Playbook' }] };
  const metadata = metadataSchema.safeParse(document['metadata']);
  if (!metadata.success)
    return { ...fallback, problems: problemsOf(metadata.error, ['metadata'], document['metadata']) };
  const { name, namespace } = metadata.data;
  const place = { name, namespace: namespace || 'default' };
  const { spec } = document;
  const problems = playbookProblems({ spec });
  return problems.length > 0 || !isRecord(spec)
    ? { ok: false, ...place, problems }
    : { ok: true, ...place, spec };
}
