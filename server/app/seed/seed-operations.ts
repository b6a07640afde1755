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
import type { Dice } from './seed-dice.ts';
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

function stamps(dice: Dice, { nowMs, days }: { nowMs: number; days: number }) {
  const at = iso(nowMs - dice.below(days * DAY_MS));
  return { created_at: at, updated_at: at };
}

interface Author {
  dice: Dice;
  people: readonly SeedRow[];
  nowMs: number;
}

const byOne = ({ dice, people }: Author) => people[dice.below(people.length)]?.['id'];

function createIncident(author: Author): SeedRow {
  const { dice, nowMs } = author;
  const status = dice.roll() < 0.5 ? 'open' : dice.pick(INCIDENT_STATUSES);
  const times = stamps(dice, { nowMs, days: 60 });
  return {
    id: dice.uuid(),
    title: `${dice.pick(SERVICES)} ${dice.pick(PARTS)} is ${dice.pick(SYMPTOMS)}`,
    description: '',
    severity: dice.pick(INCIDENT_SEVERITIES),
    type: dice.pick(INCIDENT_TYPES),
    status,
    resolved: status === 'resolved' || status === 'closed' ? times.updated_at : null,
    closed: status === 'closed' ? times.updated_at : null,
    created_by: byOne(author),
    commander_id: byOne(author),
    ...times,
  };
}

function createHypotheses(author: Author, incident: SeedRow): SeedRow[] {
  const { dice } = author;
  const base = { incident_id: incident['id'], created_by: byOne(author) };
  const at = { created_at: incident['created_at'], updated_at: incident['created_at'] };
  const root = {
    id: dice.uuid(),
    parent_id: null,
    type: 'root',
    title: incident['title'],
    status: 'possible',
    ...base,
    ...at,
  };
  const factors = Array.from({ length: dice.below(RECORDS_MOST) }, () => ({
    id: dice.uuid(),
    parent_id: root.id,
    type: 'factor',
    title: `${dice.pick(CAUSES)} in ${dice.pick(PARTS)}`,
    status: dice.pick(HYPOTHESIS_STATUSES),
    ...base,
    ...at,
  }));
  return [root, ...factors];
}

function createEvidences(author: Author, hypothesis: SeedRow): SeedRow[] {
  const { dice } = author;
  return Array.from({ length: dice.below(2) }, () => ({
    id: dice.uuid(),
    hypothesis_id: hypothesis['id'],
    type: 'comment',
    description: dice.pick(REMARKS),
    evidence: { comment: dice.pick(REMARKS) },
    definition_of_done: dice.roll() < 0.3,
    created_by: byOne(author),
    created_at: hypothesis['created_at'],
    updated_at: hypothesis['created_at'],
  }));
}

function createComments(author: Author, incident: SeedRow): SeedRow[] {
  const { dice, nowMs } = author;
  return Array.from({ length: dice.below(RECORDS_MOST) }, () => ({
    id: dice.uuid(),
    incident_id: incident['id'],
    comment: dice.pick(REMARKS),
    created_by: byOne(author),
    ...stamps(dice, { nowMs, days: 5 }),
  }));
}

function createChange(dice: Dice, configs: readonly SeedRow[], nowMs: number): SeedRow {
  const { created_at } = stamps(dice, { nowMs, days: 6 });
  return {
    id: dice.uuid(),
    config_id: configs[dice.below(configs.length)]?.['id'],
    change_type: dice.pick(CHANGES),
    severity: dice.roll() < 0.1 ? 'high' : 'info',
    source: 'seed',
    summary: `${dice.pick(PARTS)} changed`,
    count: 1,
    first_observed: created_at,
    created_at,
  };
}

function createJob(dice: Dice, nowMs: number): SeedRow {
  const startMs = nowMs - dice.below(DAY_MS);
  const durationMs = 50 + dice.below(4000);
  return {
    id: dice.uuid(),
    name: dice.pick(JOBS),
    status: dice.pick(JOB_STATUSES),
    success_count: dice.below(50),
    error_count: 0,
    duration_millis: durationMs,
    time_start: iso(startMs),
    time_end: iso(startMs + durationMs),
    created_at: iso(startMs),
  };
}

/** What happened, as much as asked for; changes need config items to belong to. */
export function createOperations(
  dice: Dice,
  { incidents: count, changes, jobs, nowMs }: OperationsSize,
  configs: readonly SeedRow[],
): Operations {
  const people: SeedRow[] =
    count === 0
      ? []
      : NAMES.map((name) => ({
          id: dice.uuid(),
          name,
          email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
        }));
  const author = { dice, people, nowMs };
  const teams = people
    .slice(0, 2)
    .map(({ id }, index) => ({ id: dice.uuid(), name: `seed-team-${index + 1}`, created_by: id }));
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
      id: dice.uuid(),
      incident_id: incident['id'],
      type: 'person',
      person_id: byOne(author),
      created_by: byOne(author),
    })),
    changes:
      configs.length === 0 ? [] : Array.from({ length: changes }, () => createChange(dice, configs, nowMs)),
    jobs: Array.from({ length: jobs }, () => createJob(dice, nowMs)),
  };
}
