/** Items of the catalog as catalog checks see them: what selectors mean, with their configuration as far as it is small. */
import { z } from 'zod';
import type { ResourceSelector } from '../../../../src/domain/selector/resource-selector.ts';
import { searchResources } from '../../../catalog/search/selector-query.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { idRow, jsonObject, labelMap } from '../../../platform/db/row-schema.ts';

/** As many as a script may go through. */
const MAX_ITEMS = 1000;
/** Of all items together; the configuration of those beyond is left out. */
const MAX_CONFIG_CHARACTERS = 4 * 1024 * 1024;

const itemRow = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  type: z.string().nullable(),
  config_class: z.string(),
  health: z.string().nullable(),
  status: z.string().nullable(),
  description: z.string().nullable(),
  labels: labelMap,
  tags: labelMap,
  external_id: z.array(z.string()).nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  config: jsonObject.nullable(),
});

const ITEMS = `
with found as (
  select item.*, sum(length(coalesce(item.config::text, ''))) over (order by item.name, item.id) as so_far
    from config_items item where item.id = any($1::uuid[])
)
select id, name, type, config_class, health, status, description, labels, tags, external_id,
  created_at::text, updated_at::text,
  case when so_far <= ${MAX_CONFIG_CHARACTERS} and jsonb_typeof(config) = 'object' then config end as config
from found order by name, id`;

/** Reads for checks; a selector that asks for nothing finds nothing. */
export function catalogReader(db: Queryable) {
  return async (selectors: readonly ResourceSelector[]): Promise<readonly unknown[]> => {
    const text = await searchResources(db, 'configs', { selectors, limit: MAX_ITEMS });
    const ids = z.array(z.looseObject(idRow.shape)).parse(JSON.parse(text));
    return ids.length === 0 ? [] : db.rows(itemRow, ITEMS, [ids.map(({ id }) => id)]);
  };
}
