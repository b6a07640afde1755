/** What is chosen, as the commands that do something to it: one for each thing. */
import type { ThingChange } from '../../contract/commands/thing-commands.ts';
import type { BulkPart } from '../../data/commands/use-bulk.ts';
import type { Role } from '../../domain/access/matrix.ts';
import type { BulkKind } from '../../domain/bulk/bulk-verbs.ts';
import { THINGS, type ThingTable } from '../../domain/bulk/things.ts';
import { isIncidentStatus, mayBecome, type IncidentStatus } from '../../domain/incident/incident.ts';
import type { AcknowledgedKind } from '../../domain/notification/acknowledgement.ts';
import type { ChosenThing } from '../../ui/page/Bulk.tsx';
import { messages } from './messages.ts';
import { groupBy } from '../../lib/group-by.ts';

/** What somebody asks for, with all that it needs to be told. */
export type Asked =
  | ThingChange
  | { do: 'run' | 'resend' | 'cancel' | 'activate' | 'deactivate' | 'revoke' }
  /** Until it is well; with hours a snooze. */
  | { do: 'acknowledge'; hours: number | null }
  | { do: 'assign'; as: 'commander_id' | 'communicator_id'; personId: string | null }
  | { do: 'status'; to: IncidentStatus; leavesOut: readonly string[] }
  | { do: 'role'; role: Role };

/** Where and when it is asked. */
export interface Asking {
  newId: () => string;
  nowMs: number;
}

const HOUR_MS = 3_600_000;
/** Checks of one document that the device shows changed at once. */
const MOST_SHOWN = 500;
const ACKNOWLEDGED: Readonly<Partial<Record<BulkKind, AcknowledgedKind>>> = {
  checks: 'check',
  incidents: 'incident',
  configs: 'config',
};

/** A document of checks may have more than one of those that were chosen. */
const documentOf = ({ canaryId, id }: ChosenThing) => canaryId ?? id;

/** How many documents the chosen checks are of. */
export function canaryCount(chosen: readonly ChosenThing[]): number {
  return groupBy(chosen, documentOf).size;
}

const isThing = (kind: BulkKind): kind is ThingTable => Object.hasOwn(THINGS, kind);

/** The table that a row is of; null where it is no document of settings. */
function tableOf(kind: BulkKind, { table }: ChosenThing): ThingTable | null {
  if (isThing(kind)) return kind;
  return kind === 'integrations' ? (table ?? null) : null;
}

function runParts(kind: BulkKind, chosen: readonly ChosenThing[]): BulkPart[] {
  if (kind === 'checks')
    return chosen.map(({ id, name }) => ({
      name,
      request: () => ({ name: 'run_check', args: { checkId: id } }),
    }));
  return chosen.flatMap((one): BulkPart[] => {
    const table = tableOf(kind, one);
    if (table !== 'config_scrapers' && table !== 'topologies') return [];
    return [{ name: one.name, request: () => ({ name: 'run_thing', args: { table, id: one.id } }) }];
  });
}

/** Changes each thing; of checks the documents that they are in. */
function changeParts(kind: BulkKind, chosen: readonly ChosenThing[], change: ThingChange): BulkPart[] {
  if (kind !== 'checks')
    return chosen.flatMap((one): BulkPart[] => {
      const table = tableOf(kind, one);
      if (table === null) return [];
      return [
        { name: one.name, request: () => ({ name: 'change_thing', args: { table, id: one.id, change } }) },
      ];
    });
  return [...groupBy(chosen, documentOf)].map(([id, checks]) => ({
    name: checks.map(({ name }) => name).join(', '),
    request: () => ({
      name: 'change_thing',
      args: { table: 'canaries', id, change, shows: checks.slice(0, MOST_SHOWN).map((check) => check.id) },
    }),
  }));
}

function statusParts(chosen: readonly ChosenThing[], asked: Extract<Asked, { do: 'status' }>): BulkPart[] {
  const { to } = asked;
  const leavesOut = new Set(asked.leavesOut);
  return chosen.flatMap(({ id, name, status: from = '' }): BulkPart[] =>
    leavesOut.has(id) || from === to || !isIncidentStatus(from) || !mayBecome(from, to)
      ? []
      : [{ name, request: () => ({ name: 'set_incident_status', args: { id, from, to } }) }],
  );
}

function acknowledgeParts(
  kind: BulkKind,
  chosen: readonly ChosenThing[],
  { hours, newId, nowMs }: Asking & { hours: number | null },
): BulkPart[] {
  const about = ACKNOWLEDGED[kind];
  if (about === undefined) return [];
  const until = hours === null ? null : new Date(nowMs + hours * HOUR_MS).toISOString();
  return chosen.map(({ id, name }) => ({
    name,
    request: () => ({ name: 'acknowledge', args: { id: newId(), kind: about, resourceId: id, until } }),
  }));
}

/** As the report tells them apart: of several kinds that are called alike, each with its kind. */
function toldApart(kind: BulkKind, chosen: readonly ChosenThing[]): readonly ChosenThing[] {
  const tables = new Map<string, Set<ThingTable | null>>();
  for (const one of chosen) tables.set(one.name, (tables.get(one.name) ?? new Set()).add(tableOf(kind, one)));
  return chosen.map((one) => {
    const table = tableOf(kind, one);
    if (table === null || tables.get(one.name)?.size === 1) return one;
    return { ...one, name: messages.ofKind(one.name, THINGS[table].noun[0]) };
  });
}

/** The commands; none for what is done with somebody waiting (direct-steps.ts). */
export function partsFor(
  { kind, chosen: asChosen }: { kind: BulkKind; chosen: readonly ChosenThing[] },
  asked: Asked,
  asking: Asking,
): BulkPart[] {
  const chosen = toldApart(kind, asChosen);
  switch (asked.do) {
    case 'run':
      return runParts(kind, chosen);
    case 'pause':
    case 'resume':
    case 'end':
    case 'delete':
    case 'label':
    case 'move':
      return changeParts(kind, chosen, asked);
    case 'acknowledge':
      return acknowledgeParts(kind, chosen, { ...asking, hours: asked.hours });
    case 'assign': {
      const changes = { [asked.as]: asked.personId };
      return chosen.map(({ id, name }) => ({
        name,
        request: () => ({ name: 'edit_incident', args: { id, changes } }),
      }));
    }
    case 'status':
      return statusParts(chosen, asked);
    case 'resend':
      return chosen.map(({ id, name }) => ({
        name,
        request: () => ({ name: 'retry_notification', args: { historyId: id } }),
      }));
    case 'cancel':
    case 'activate':
    case 'deactivate':
    case 'revoke':
    case 'role':
      return [];
  }
}
