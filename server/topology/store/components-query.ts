/** The live components with what the topology shows of them. */
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { labelMap } from '../../platform/db/row-schema.ts';

const counts = z.record(z.string(), z.number());
const countsByType = z.record(z.string(), counts);

/** What the roll-up goes by (schema §6.5). */
export const rolledUpColumns = {
  id: z.string(),
  name: z.string(),
  parent_id: z.string().nullable(),
  type: z.string().nullable(),
  status: z.string(),
  health: z.string().nullable(),
  status_expr: z.string().nullable(),
  health_expr: z.string().nullable(),
  checks: counts.nullable(),
  incidents: countsByType.nullable(),
  analysis: countsByType.nullable(),
  children: z.array(z.string()).nullable(),
  own_summary: counts.nullable(),
};

/** A row of the view `topology` with what the component says of itself; those that only go on to who asked are not looked at. */
const componentRow = z.looseObject({
  ...rolledUpColumns,
  agent_id: z.string(),
  namespace: z.string().nullable(),
  description: z.string().nullable(),
  status_reason: z.string().nullable(),
  owner: z.string().nullable(),
  labels: labelMap,
  properties: z.unknown(),
  hidden: z.boolean(),
  is_leaf: z.boolean().nullable(),
  team_names: z.array(z.string()).nullable(),
  parents: z.array(z.string()).nullable(),
  order: z.number().nullable(),
  judged_status: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
});
export type ComponentRow = z.infer<typeof componentRow>;

const COLUMNS = `id, agent_id, topology_id, external_id, parent_id, config_id, name, text, topology_type, namespace,
  labels, hidden, silenced, own_status as status, status_expr, health_expr, own_health as health, description, lifecycle, tooltip, status_reason,
  schedule, icon, type, owner, selectors, component_checks, configs, properties, path, is_leaf, cost_per_minute,
  cost_total_1d, cost_total_7d, cost_total_30d, created_by, created_at, updated_at, deleted_at, logs, checks,
  incidents, analysis, team_names, children, parents, own_summary, "order", judged_status`;

/** All of them: whose child is whose goes beyond any filter. */
export function readComponents(db: Queryable): Promise<ComponentRow[]> {
  return db.rows(componentRow, `select ${COLUMNS} from components_as_rolled_up order by name, id`);
}
