/** SQL of what a run reads of the catalog. */
import { z } from 'zod';
import { createStatement } from '../../replication/data-api/statement/statement-query.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { nameRow } from '../../platform/db/row-schema.ts';
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import { selectedBy } from '../../catalog/search/selector-query.ts';
import { RESOURCE_KINDS } from '../../catalog/search/resource-kinds.ts';
import type { FoundConfig } from '../build/build-context.ts';

const configRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.string().nullable(),
  tags: z.unknown(),
  labels: z.unknown(),
  health: z.string().nullable(),
  status: z.string().nullable(),
  config: z.unknown(),
});

/** The first item that the selector means. */
export async function findConfig(db: Queryable, selector: ResourceSelector): Promise<FoundConfig | null> {
  const statement = createStatement();
  const test = selectedBy('configs', [selector], statement);
  if (test === null) return null;
  const [row] = await db.rows(
    configRow,
    `select r.id, coalesce(r.name, '') as name, r.type, r.tags, r.labels, r.health, r.status, r.config
     from ${RESOURCE_KINDS.configs.from} where ${test} order by r.name, r.id limit 1`,
    statement.params,
  );
  return row ?? null;
}

/** The values of a tag among the items that a selector means; among all of them where it means nothing. */
export async function tagValues(
  db: Queryable,
  tag: string,
  selector: ResourceSelector | null,
): Promise<string[]> {
  const statement = createStatement();
  const test =
    (selector === null ? null : selectedBy('configs', [selector], statement)) ?? 'r.deleted_at is null';
  const rows = await db.rows(
    nameRow,
    `select distinct r.tags ->> ${statement.param(tag)} as name from ${RESOURCE_KINDS.configs.from}
     where ${test} and jsonb_exists(r.tags, ${statement.param(tag)}) and r.tags ->> ${statement.param(tag)} <> ''
     order by name`,
    statement.params,
  );
  return rows.map(({ name }) => name);
}
