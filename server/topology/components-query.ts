/** The live components with what the topology shows of them. */
import type { Queryable } from '../platform/db/database.ts';
import type { Component } from '../../src/domain/topology/component.ts';

/** A row of the view `topology`, as its columns are. */
export interface ComponentRow extends Component {
  agent_id: string;
  namespace: string | null;
  description: string | null;
  status_reason: string | null;
  owner: string | null;
  labels: Record<string, string> | null;
  properties: unknown;
  hidden: boolean;
  is_leaf: boolean | null;
  team_names: string[] | null;
  parents: string[] | null;
  created_at: string;
  updated_at: string | null;
}

const COLUMNS = `id, agent_id, topology_id, external_id, parent_id, config_id, name, text, topology_type, namespace,
  labels, hidden, silenced, status, status_expr, health_expr, health, description, lifecycle, tooltip, status_reason,
  schedule, icon, type, owner, selectors, component_checks, configs, properties, path, is_leaf, cost_per_minute,
  cost_total_1d, cost_total_7d, cost_total_30d, created_by, created_at, updated_at, deleted_at, logs, checks,
  incidents, analysis, team_names, children, parents`;

/** All of them: whose child is whose goes beyond any filter. */
export function readComponents(db: Queryable): Promise<ComponentRow[]> {
  return db.rows<ComponentRow>(`select ${COLUMNS} from topology order by name, id`);
}
