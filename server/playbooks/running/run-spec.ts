/** The specification of a run, with its literal secrets. */
import { AppError } from '../../../src/contract/errors.ts';
import { playbookSpecSchema } from '../../../src/contract/specs/playbook-spec.ts';
import type { PlaybookSpec } from '../../../src/contract/specs/playbook-spec.ts';
import { tryOpenContent } from '../../platform/crypto/sealed-values.ts';
import type { Opener } from '../../platform/crypto/sealed-values.ts';
import { problemsOf } from '../../platform/yaml/document-problems.ts';
import type { DueRun } from './run-query.ts';

/** Throws `invalid` for one that can't be opened or read. */
export function specOf(run: DueRun, { sealer }: { sealer: Opener }): PlaybookSpec {
  const { playbook_id: id, opened, sealed } = run;
  const { content, problem } = tryOpenContent(sealer, {
    id,
    owner: 'the playbook',
    content: opened,
    sealed,
  });
  if (problem !== null) throw new AppError('invalid', problem);
  const parsed = playbookSpecSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, ['spec'], content);
  throw new AppError('invalid', problems.map(({ field, message }) => `${field}: ${message}`).join('; '));
}
