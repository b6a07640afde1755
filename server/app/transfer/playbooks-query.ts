/** Playbooks of a data set that can't be run as they are: they are kept as they came, and that is said. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { playbookProblems } from '../../playbooks/documents/playbook-problems.ts';

const playbookRow = z.strictObject({ name: z.string(), spec: z.unknown() });

/** A line each, with the paths of what is wrong. */
export async function playbooksToMend(tx: Queryable): Promise<string[]> {
  const rows = await tx.rows(
    playbookRow,
    'select name, spec from playbooks where deleted_at is null order by name, id',
  );
  return rows.flatMap(({ name, spec }) => {
    const found = playbookProblems({ spec }).map(({ field, message }) => `${field}: ${message}`);
    return found.length === 0
      ? []
      : [`the playbook "${name}" can't be run before it is mended: ${found.join('; ')}`];
  });
}
