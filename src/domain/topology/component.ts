/** A component as the topology reads it, and the counts that are summed up over its tree (schema §6.4, §6.5). */
export type Counts = Readonly<Record<string, number>>;
/** By type, then by severity. */
export type CountsByType = Readonly<Record<string, Counts>>;

export interface Component {
  id: string;
  name: string;
  parent_id: string | null;
  type: string | null;
  status: string;
  health: string | null;
  status_expr: string | null;
  health_expr: string | null;
  /** Its checks by status. */
  checks: Counts | null;
  incidents: CountsByType | null;
  analysis: CountsByType | null;
  /** Components that selectors put under it, beside those whose parent it is. */
  children: readonly string[] | null;
  /** Levels that it was given to count, where nothing is under it. */
  own_summary?: Counts | null;
  /** What its expressions came to last, as the server stored it; null where it has none. */
  judged_status?: string | null;
  judged_health?: string | null;
}

export interface ComponentSummary {
  healthy?: number;
  unhealthy?: number;
  warning?: number;
  info?: number;
  incidents?: CountsByType;
  insights?: CountsByType;
  checks?: Counts;
}

export interface RolledUp {
  summary: ComponentSummary;
  health: string;
  status: string;
  /** An expression of its own says its health: so it is judged, whatever is under it. */
  isHealthSaid: boolean;
}
