/** The kinds of subjects that rules watch: where they are kept, what evidence of one is, what says that it is well. */
import type { ResourceSelector } from '../../../src/domain/selector/resource-selector.ts';
import type { IncidentRuleSpec } from '../../../src/contract/specs/incident-rule-spec.ts';
import type { ResourceKindName } from '../../catalog/search/resource-kinds.ts';

export const SUBJECT_KINDS = ['component', 'check', 'config'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

interface SubjectFacts {
  resources: ResourceKindName;
  table: string;
  /** SQL over the table's row `r`: one word for how it is. Where nobody judged it, its status is all there is. */
  health: string;
  /** SQL: since when it is so, as far as the table knows. */
  since: string;
  /** SQL: the config whose open insights are its own; null for none. */
  configId: string;
  severity: string;
  category: string;
  evidence: 'topology' | 'check' | 'config';
  column: 'component_id' | 'check_id' | 'config_id';
  /** True again when it is well, or gone for good. */
  script: string;
}

export const SUBJECTS: Readonly<Record<SubjectKind, SubjectFacts>> = {
  component: {
    resources: 'components',
    table: 'components',
    health: `lower(coalesce(nullif(r.health, ''), nullif(r.status, ''), 'unknown'))`,
    since: 'null::timestamptz',
    configId: 'r.config_id',
    severity: 'null::text',
    category: 'null::text',
    evidence: 'topology',
    column: 'component_id',
    script: 'component.health == "healthy" || component.deleted_at != null',
  },
  check: {
    resources: 'checks',
    table: 'checks',
    health: `lower(coalesce(nullif(r.status, ''), 'unknown'))`,
    since: 'r.last_transition_time',
    configId: 'null::uuid',
    severity: 'r.severity',
    category: 'r.category',
    evidence: 'check',
    column: 'check_id',
    script: 'check.status == "healthy" || check.deleted_at != null',
  },
  config: {
    resources: 'configs',
    table: 'config_items',
    health: `lower(coalesce(nullif(r.health, ''), 'unknown'))`,
    since: 'null::timestamptz',
    configId: 'r.id',
    severity: 'null::text',
    category: 'null::text',
    evidence: 'config',
    column: 'config_id',
    script: 'config.health == "healthy" || config.deleted_at != null',
  },
};

/** The rule's selectors for one kind. */
export function selectorsOf(spec: IncidentRuleSpec, kind: SubjectKind): readonly ResourceSelector[] {
  const lists = { component: spec.components, check: spec.checks, config: spec.configs };
  return (lists[kind] ?? []).map(({ name, types, statuses, type, ...rest }) => ({
    ...rest,
    statuses: (statuses ?? []).map(String),
    name: name === undefined ? undefined : String(name),
    types: [...(types ?? []).map(String), ...(type === undefined ? [] : [type])],
  }));
}
