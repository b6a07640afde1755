/** The kinds of settings resources: where they are kept, who may change them, what their form has (spec 2 §2, §3). */
import type { Area } from '../access/matrix.ts';

export const RESOURCE_KINDS = [
  'teams',
  'incident_rules',
  'config_scrapers',
  'topologies',
  'canaries',
  'logging_backends',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

export interface ResourceFacts {
  title: string;
  /** One of them. */
  singular: string;
  area: Area;
  hasIcon: boolean;
  hasNamespace: boolean;
  hasLabels: boolean;
  hasAnnotations: boolean;
  /** It runs on this server or on an agent. */
  hasAgent: boolean;
  /** Columns of the list that this kind doesn't have. */
  hidesSchedule: boolean;
  /** Its jobs are filed under this type; null for none. */
  jobType: string | null;
  /** JSON schema of its spec; null for none. */
  schema: string | null;
}

const PLAIN = {
  hasIcon: false,
  hasNamespace: false,
  hasLabels: false,
  hasAnnotations: false,
  hasAgent: false,
  hidesSchedule: false,
  schema: null,
} as const;

export const RESOURCES: Readonly<Record<ResourceKind, ResourceFacts>> = {
  teams: {
    ...PLAIN,
    title: 'Teams',
    singular: 'Team',
    area: 'database',
    hasIcon: true,
    jobType: 'team',
    schema: 'team.spec.schema.json',
  },
  incident_rules: {
    ...PLAIN,
    title: 'Rules',
    singular: 'Rule',
    area: 'incident',
    jobType: 'incident_rule',
    schema: 'incident_rule.spec.schema.json',
  },
  config_scrapers: {
    ...PLAIN,
    title: 'Catalog Scraper',
    singular: 'Catalog Scraper',
    hasAgent: true,
    area: 'config_scrapers',
    jobType: 'config_scraper',
    schema: 'config_scraper.spec.schema.json',
  },
  topologies: {
    ...PLAIN,
    title: 'Topology',
    singular: 'Topology',
    area: 'topologies',
    hasNamespace: true,
    hasLabels: true,
    hidesSchedule: true,
    jobType: 'topology',
    schema: 'topology.spec.schema.json',
  },
  canaries: {
    ...PLAIN,
    title: 'Health Check',
    singular: 'Health Check',
    hasAnnotations: true,
    hasAgent: true,
    area: 'canaries',
    hasNamespace: true,
    hasLabels: true,
    hidesSchedule: true,
    jobType: 'canary',
    schema: 'canary.spec.schema.json',
  },
  logging_backends: {
    ...PLAIN,
    title: 'Log Backends',
    singular: 'Log Backend',
    area: 'logging_backends',
    hasLabels: true,
    jobType: null,
    schema: 'logging_backend.spec.schema.json',
  },
};
