/** What each table of specifications is held against when the data API writes it. */
import { incidentRuleSpecSchema } from '../../src/contract/specs/incident-rule-spec.ts';
import { teamSpecSchema } from '../../src/contract/specs/team-spec.ts';
import { ruleProblems } from '../../src/domain/notification/rule-problems.ts';
import { silenceProblems } from '../../src/domain/notification/silence-problems.ts';
import { scraperProblems } from '../catalog/scrapers/running/scraper-problems.ts';
import { canaryProblems } from '../health/documents/canary-problems.ts';
import { logBackendProblems } from '../logs/log-backend-problems.ts';
import { mergedProblems, problemsOf, unknownFieldProblems } from '../platform/yaml/document-problems.ts';
import type { DocumentProblem } from '../platform/yaml/document-problems.ts';
import type { GuardedTable } from '../replication/data-api/routes/spec-guard.ts';
import { playbookProblems } from '../playbooks/documents/playbook-problems.ts';
import { topologyProblems } from '../topology/documents/topology-problems.ts';

/** Held against a schema alone. */
const bySchema =
  (schema: typeof incidentRuleSpecSchema | typeof teamSpecSchema) =>
  ({ spec }: { spec?: unknown }): DocumentProblem[] => {
    const root = spec ?? {};
    const parsed = schema.safeParse(root);
    const found = parsed.success ? [] : problemsOf(parsed.error, ['spec'], root);
    return mergedProblems(unknownFieldProblems(schema, ['spec'], root), found);
  };

/** Tables that hold specifications, each with who may write it and how it is read. */
export const SPEC_TABLES: ReadonlyMap<string, GuardedTable> = new Map<string, GuardedTable>([
  ['canaries', { area: 'canaries', problems: canaryProblems }],
  ['config_scrapers', { area: 'config_scrapers', problems: scraperProblems }],
  ['topologies', { area: 'topologies', problems: topologyProblems }],
  ['incident_rules', { area: 'incident', problems: bySchema(incidentRuleSpecSchema) }],
  ['playbooks', { area: 'playbooks', problems: playbookProblems, isOptional: true }],
  ['teams', { area: 'database', problems: bySchema(teamSpecSchema), isOptional: true }],
  ['logging_backends', { area: 'logging_backends', problems: logBackendProblems }],
  ['notifications', { area: 'notifications', problems: () => [], ofRow: ruleProblems }],
  ['notification_silences', { area: 'notifications', problems: () => [], ofRow: silenceProblems }],
]);
