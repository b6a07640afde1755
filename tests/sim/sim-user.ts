/** A person at a simulated device: does something sensible, at random, with what the device shows. */
import type { CommandRequest } from '../../src/contract/commands/all-commands.ts';
import { allowedStatuses, INCIDENT_SEVERITIES } from '../../src/domain/incident/incident.ts';
import type { ReplicatedRow } from '../../src/contract/collections.ts';
import { shownRows } from './device-view.ts';
import type { Random } from './seeded-random.ts';
import type { SimDevice, Tab } from './sim-device.ts';

export interface Sight {
  incidents: ReplicatedRow[];
  records: ReplicatedRow[];
}

export interface UserParts {
  random: Random;
  personIds: readonly string[];
  checkIds: readonly string[];
  /** Begins every text that somebody wrote, so that it is found again. */
  mark: string;
}

/** What is on the screen now. */
export async function look(device: SimDevice, tab: Tab): Promise<Sight> {
  const [incidents, records] = await Promise.all([
    shownRows(device, tab, 'incidents'),
    shownRows(device, tab, 'incident_records'),
  ]);
  // By id, and without what the database names by itself: a seed has to pick the same again.
  const inOrder = (rows: Map<string, ReplicatedRow>) =>
    [...rows.values()].filter((row) => row['kind'] !== 'history').toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { incidents: inOrder(incidents), records: inOrder(records) };
}

function createIncident({ random, mark }: UserParts): CommandRequest {
  const [id, rootHypothesisId] = [random.guid(), random.guid()];
  return {
    name: 'create_incident',
    args: { id, rootHypothesisId, title: `${mark} incident ${random.hex(2)}` },
  };
}

/** Something new on an incident. */
function addTo(
  { random, mark, personIds }: UserParts,
  incidentId: string,
  records: ReplicatedRow[],
): CommandRequest {
  const id = random.guid();
  const hypotheses = records.filter(
    (row) => row['kind'] === 'hypothesis' && row['incident_id'] === incidentId,
  );
  const hypothesis = hypotheses.length === 0 ? null : random.pick(hypotheses);
  const kind = random.pick(['comment', 'comment', 'comment', 'hypothesis', 'evidence', 'responder']);
  if (kind === 'hypothesis') {
    const title = `${mark} cause ${random.hex(2)}`;
    return { name: 'create_hypothesis', args: { id, incidentId, title, parentId: hypothesis?.id ?? null } };
  }
  if (kind === 'evidence' && hypothesis !== null) {
    const evidence = { comment: `${mark} seen` };
    return {
      name: 'add_evidence',
      args: { id, incidentId, hypothesisId: hypothesis.id, type: 'comment', evidence },
    };
  }
  if (kind === 'responder') {
    return {
      name: 'add_responder',
      args: { id, incidentId, type: 'person', personId: random.pick(personIds) },
    };
  }
  const hypothesisId = hypothesis !== null && random.chance(0.3) ? hypothesis.id : null;
  return {
    name: 'add_comment',
    args: { id, incidentId, hypothesisId, comment: `${mark} says ${random.hex(3)}` },
  };
}

function changeIncident({ random, mark }: UserParts, incident: ReplicatedRow): CommandRequest {
  const { id } = incident;
  if (random.chance(0.4)) {
    const from = String(incident['status']) as 'open';
    return { name: 'set_incident_status', args: { id, from, to: random.pick(allowedStatuses(from)) } };
  }
  const title = `${mark} title ${random.hex(2)}`;
  const severity = random.pick(INCIDENT_SEVERITIES);
  const changes = random.chance(0.7) ? { title } : { severity };
  return { name: 'edit_incident', args: { id, changes } };
}

/** Changes or deletes something that is there; null when that kind can't be. */
function changeRecord({ random, mark }: UserParts, record: ReplicatedRow): CommandRequest | null {
  const args = { id: record.id, incidentId: String(record['incident_id']) };
  const isDelete = random.chance(0.4);
  switch (record['kind']) {
    case 'comment':
      return isDelete
        ? { name: 'delete_comment', args }
        : { name: 'edit_comment', args: { ...args, comment: `${mark} means ${random.hex(3)}` } };
    case 'hypothesis':
      if (isDelete && record['type'] !== 'root') return { name: 'delete_hypothesis', args };
      return {
        name: 'edit_hypothesis',
        args: { ...args, changes: { title: `${mark} because ${random.hex(2)}` } },
      };
    case 'evidence':
      return isDelete
        ? { name: 'delete_evidence', args }
        : {
            name: 'edit_evidence',
            args: { ...args, changes: { description: `${mark} shows ${random.hex(2)}` } },
          };
    case 'responder':
      return { name: 'remove_responder', args };
    default:
      return null;
  }
}

/** What this person does next. */
export function decide(parts: UserParts, { incidents, records }: Sight): CommandRequest {
  const { random, checkIds } = parts;
  if (incidents.length === 0 || random.chance(0.12)) return createIncident(parts);
  if (random.chance(0.08)) return { name: 'run_check', args: { checkId: random.pick(checkIds) } };
  const incident = random.pick(incidents);
  if (random.chance(0.25)) return changeIncident(parts, incident);
  const own = records.filter((row) => row['incident_id'] === incident.id);
  const change = own.length > 0 && random.chance(0.4) ? changeRecord(parts, random.pick(own)) : null;
  return change ?? addTo(parts, incident.id, records);
}
