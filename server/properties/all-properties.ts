/** Feature flags and settings by name: what is set for this server, and what the database has besides. */
import type { Queryable } from '../platform/db/database.ts';
import { readProperties } from '../platform/settings/properties-query.ts';

export interface KnownProperty {
  name: string;
  value: string;
  source: 'local' | 'db';
}

/** In no order; what is set for this server wins. */
export async function allProperties(
  db: Queryable,
  local: ReadonlyMap<string, string>,
): Promise<KnownProperty[]> {
  const kept = await readProperties(db);
  return [
    ...[...local].map(([name, value]) => ({ name, value, source: 'local' as const })),
    ...kept.filter(({ name }) => !local.has(name)).map((row) => ({ ...row, source: 'db' as const })),
  ];
}
