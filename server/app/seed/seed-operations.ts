/**
 * Invents what happens in an estate: people, incidents with all that hangs on them, changes of config items,
 * job runs. The same dice give the same rows; times are counted back from `nowMs`. Pure.
 */
import {
  HYPOTHESIS_STATUSES,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '../../../src/domain/incident/incident.ts';
import type { Prng } from './seed-prng.ts';
import type { SeedRow } from './seed-row.ts';
import { PARTS, SERVICES } from './seed-words.ts';

export interface OperationsSize {
  incidents: number;
  changes: number;
  jobs: number;
  nowMs: number;
}

export interface Operations {
  people: SeedRow[];
  teams: SeedRow[];
  incidents: SeedRow[];
  hypotheses: SeedRow[];
  evidences: SeedRow[];
  comments: SeedRow[];
  responders: SeedRow[];
  changes: SeedRow[];
  jobs: SeedRow[];
}

const DAY_MS = 86_400_000;
const NAMES = ['Ada Berg', 'Noor Haddad', 'Jonas Weiss', 'Mei Lin', 'Sofia Rossi', 'Tom Okafor'] as const;
const SYMPTOMS = [
  'slow',
  'unreachable',
  'out of memory',
  'dropping messages',
  'behind on replication',
] as const;
const CAUSES = [
  'A new release',
  'A full disk',
  'An expired certificate',
  'A slow query',
  'The network',
] as const;
const REMARKS = [
  'Looking at it now.',
  'Restarted one node, no change.',
  'The graphs show it began after the deploy.',
  'Rolled back, waiting for the queues to drain.',
] as const;
const CHANGES = ['diff', 'Deployment', 'Pulled', 'ScalingReplicaSet', 'Unhealthy'] as const;
const JOBS = ['TopologySync', 'ConfigScraper', 'CanarySync', 'Retention'] as const;
const JOB_STATUSES = ['SUCCESS', 'SUCCESS', 'SUCCESS', 'WARNING', 'FAILED'] as const;
const RECORDS_MOST = 4;

const iso = (timeMs: number) => new Date(timeMs).toISOString();

function stamps(prng: Prng, { nowMs, days }: { nowMs: number; days: number }) {
  const at = iso(nowMs - prng.below(days * DAY_MS));
  return { created_at: at, updated_at: at };
}

interface Author {
  prng: Prng;
  people: readonly SeedRow[];
  nowMs: number;
}

const byOne = ({ prng, people }: Author) => people[prng.below(people.length)]?.['id'];

function createIncident(author: Author): SeedRow {
  const { prng, nowMs } = author;
  const status = prng.roll() < 0.5 ? 'open' : prng.pick(INCIDENT_STATUSES);
  const times = stamps(prng, { nowMs, days: 60 });
  return {
    id: prng.uuid(),
    title: `${prng.pick(SERVICES)} ${prng.pick(PARTS)} is ${prng.pick(SYMPTOMS)}`,
    description: '',
    severity: prng.pick(INCIDENT_SEVERITIES),
    type: prng.pick(INCIDENT_TYPES),
    status,
    resolved: status === 'resolved' || status === 'closed' ? times.updated_at : null,
    closed: status === 'closed' ? times.updated_at : null,
    created_by: byOne(author),
    commander_id: byOne(author),
    ...times,
  };
}

function createHypotheses(author: Author, incident: SeedRow): SeedRow[] {
  const { prng } = author;
  const base = { incident_id: incident['id'], created_by: byOne(author) };
  const at = { created_at: incident['created_at'], updated_at: incident['created_at'] };
  const root = {
    id: prng.uuid(),
    parent_id: null,
    type: 'root',
    title: incident['title'],
    status: 'possible',
    ...base,
    ...at,
  };
  const factors = Array.from({ length: prng.below(RECORDS_MOST) }, () => ({
    id: prng.uuid(),
    parent_id: root.id,
    type: 'factor',
    title: `${prng.pick(CAUSES)} in ${prng.pick(PARTS)}`,
    status: prng.pick(HYPOTHESIS_STATUSES),
    ...base,
    ...at,
  }));
  return [root, ...factors];
}

function createEvidences(author: Author, hypothesis: SeedRow): SeedRow[] {
  const { prng } = author;
  return Array.from({ length: prng.below(2) }, () => ({
    id: prng.uuid(),
    hypothesis_id: hypothesis['id'],
    type: 'comment',
    description: prng.pick(REMARKS),
    evidence: { comment: prng.pick(REMARKS) },
    definition_of_done: prng.roll() < 0.3,
    created_by: byOne(author),
    created_at: hypothesis['created_at'],
    updated_at: hypothesis['created_at'],
  }));
}

function createComments(author: Author, incident: SeedRow): SeedRow[] {
  const { prng, nowMs } = author;
  return Array.from({ length: prng.below(RECORDS_MOST) }, () => ({
    id: prng.uuid(),
    incident_id: incident['id'],
    comment: prng.pick(REMARKS),
    created_by: byOne(author),
    ...stamps(prng, { nowMs, days: 5 }),
  }));
}

function createChange(prng: Prng, configs: readonly SeedRow[], nowMs: number): SeedRow {
  const { created_at } = stamps(prng, { nowMs, days: 6 });
  return {
    id: prng.uuid(),
    config_id: configs[prng.below(configs.length)]?.['id'],
    change_type: prng.pick(CHANGES),
    severity: prng.roll() < 0.1 ? 'high' : 'info',
    source: 'seed',
    summary: `${prng.pick(PARTS)} changed`,
    count: 1,
    first_observed: created_at,
    created_at,
  };
}

function createJob(prng: Prng, nowMs: number): SeedRow {
  const startMs = nowMs - prng.below(DAY_MS);
  const durationMs = 50 + prng.below(4000);
  return {
    id: prng.uuid(),
    name: prng.pick(JOBS),
    status: prng.pick(JOB_STATUSES),
    success_count: prng.below(50),
    error_count: 0,
    duration_millis: durationMs,
    time_start: iso(startMs),
    time_end: iso(startMs + durationMs),
    created_at: iso(startMs),
  };
}

/** What happened, as much as asked for; changes need config items to belong to. */
export function createOperations(
  prng: Prng,
  { incidents: count, changes, jobs, nowMs }: OperationsSize,
  configs: readonly SeedRow[],
): Operations {
  const people: SeedRow[] =
    count === 0
      ? []
      : NAMES.map((name) => ({
          id: prng.uuid(),
          name,
          email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
        }));
  const author = { prng, people, nowMs };
  const teams = people
    .slice(0, 2)
    .map(({ id }, index) => ({ id: prng.uuid(), name: `seed-team-${index + 1}`, created_by: id }));
  const incidents = Array.from({ length: count }, () => createIncident(author));
  const hypotheses = incidents.flatMap((incident) => createHypotheses(author, incident));
  return {
    people,
    teams,
    incidents,
    hypotheses,
    evidences: hypotheses.flatMap((hypothesis) => createEvidences(author, hypothesis)),
    comments: incidents.flatMap((incident) => createComments(author, incident)),
    responders: incidents.map((incident) => ({
      id: prng.uuid(),
      incident_id: incident['id'],
      type: 'person',
      person_id: byOne(author),
      created_by: byOne(author),
    })),
    changes:
      configs.length === 0 ? [] : Array.from({ length: changes }, () => createChange(prng, configs, nowMs)),
    jobs: Array.from({ length: jobs }, () => createJob(prng, nowMs)),
  };
}
