/**
 * Each command as calls of the plain contract (spec 3 §7), for a backend without commands. Preconditions are
 * checked by reading first, so somebody can come in between: best effort, which the app says (design §4 law 16).
 * Every call may come twice: new rows carry ids of this device, deletes of what is gone are done.
 */
import { z } from 'zod';
import { acknowledge, endAcknowledgement } from '../../../../src/contract/commands/acknowledge-commands.ts';
import {
  addComment,
  deleteComment,
  editComment,
} from '../../../../src/contract/commands/comment-commands.ts';
import type { CommandDefinition } from '../../../../src/contract/commands/define-command.ts';
import { evaluateDone } from '../../../../src/contract/commands/done-commands.ts';
import { runCheck } from '../../../../src/contract/commands/check-commands.ts';
import {
  addEvidence,
  deleteEvidence,
  editEvidence,
} from '../../../../src/contract/commands/evidence-commands.ts';
import { given } from '../../../../src/contract/commands/fields.ts';
import {
  createHypothesis,
  deleteHypothesis,
  editHypothesis,
} from '../../../../src/contract/commands/hypothesis-commands.ts';
import {
  createIncident,
  editIncident,
  setIncidentStatus,
} from '../../../../src/contract/commands/incident-commands.ts';
import {
  addResponder,
  removeResponder,
  retryResponder,
} from '../../../../src/contract/commands/responder-commands.ts';
import { createSilence, retryNotification } from '../../../../src/contract/commands/notification-commands.ts';
import { markIncidentRead } from '../../../../src/contract/commands/read-commands.ts';
import { setResponderProgress } from '../../../../src/contract/commands/responder-progress-command.ts';
import type { Refusal } from '../../../../src/contract/sync.ts';
import { mayBecome } from '../../../../src/domain/incident/incident.ts';
import { HttpFailure, type HttpClient } from '../../network/http-client.ts';
import { MESSAGES } from '../messages.ts';
import { isSame } from './same-json.ts';

type Row = Record<string, unknown>;
export type PlainOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; code: Refusal; message: string; current: Row | null };

export interface PlainContext {
  http: HttpClient;
  signal: AbortSignal;
  userId: string;
  basedOn: Row;
}

type Call<Args = unknown> = (args: Args, context: PlainContext) => Promise<PlainOutcome>;

const DONE: PlainOutcome = { kind: 'done' };
const GONE = refused('gone', MESSAGES.gone);
const CONFLICT = 409;
const rowsSchema = z.array(z.record(z.string(), z.unknown()));

function refused(code: Refusal, message: string, current: Row | null = null): PlainOutcome {
  return { kind: 'refused', code, message, current };
}
const conflict = (message: string, current: Row) => refused('precondition_failed', message, current);

/** Of what a path leads to: rows that match by equality. */
function rowsPath(table: string, where: Readonly<Record<string, string>>, select = '*'): string {
  const query = new URLSearchParams({ select });
  for (const [column, value] of Object.entries(where)) query.append(column, value);
  return `/api/db/${table}?${query.toString()}`;
}

async function rowsOf(
  { http, signal }: PlainContext,
  call: { path: string; method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; body?: unknown },
): Promise<Row[]> {
  const headers = { prefer: 'return=representation' };
  const parsed = rowsSchema.safeParse(await http.json({ ...call, headers, signal }));
  // The representation is asked for, not promised: a write without one has been done all the same.
  return parsed.success ? parsed.data : [];
}

/** A new row under an id of this device; a duplicate of that id is our own from before. */
async function insert(context: PlainContext, table: string, row: Row & { id: string }): Promise<void> {
  try {
    await rowsOf(context, { path: rowsPath(table, {}), method: 'POST', body: row });
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.status !== CONFLICT) throw error;
    const [ours] = await rowsOf(context, { path: rowsPath(table, { id: `eq.${row.id}` }, 'id') });
    if (ours === undefined) throw error;
  }
}

async function remove(context: PlainContext, table: string, where: Record<string, string>): Promise<void> {
  await rowsOf(context, { path: rowsPath(table, where), method: 'DELETE' });
}

/** Sets fields that nobody else has changed since the author looked. */
async function edit(
  context: PlainContext,
  { table, id }: { table: string; id: string },
  wanted: Row,
): Promise<PlainOutcome> {
  const names = Object.keys(wanted);
  if (names.length === 0) return DONE;
  const where = { id: `eq.${id}` };
  const [row] = await rowsOf(context, { path: rowsPath(table, where, names.join(',')) });
  if (row === undefined) return GONE;
  const open = names.filter((name) => !isSame(row[name], wanted[name]));
  const changed = open.filter((name) => !isSame(row[name], context.basedOn[name]));
  if (changed.length > 0) {
    const current = Object.fromEntries(changed.map((name) => [name, row[name] ?? null]));
    return conflict(MESSAGES.changedMeanwhile(changed), current);
  }
  if (open.length === 0) return DONE;
  const body = Object.fromEntries(open.map((name) => [name, wanted[name]]));
  await rowsOf(context, { path: rowsPath(table, where), method: 'PATCH', body });
  return DONE;
}

const CALLS = new Map<string, { definition: CommandDefinition; call: Call }>();

/** Keeps the argument type of a definition together with its calls. */
function carry<Name extends string, Args, Input>(
  definition: CommandDefinition<Name, Args, Input>,
  call: Call<Args>,
): void {
  CALLS.set(definition.name, {
    definition: definition as unknown as CommandDefinition,
    // Only ever given what that definition parsed.
    call: call as Call,
  });
}

function carryEdit<Args extends { id: string; changes: Row }, Input>(
  definition: CommandDefinition<string, Args, Input>,
  table: string,
): void {
  carry(definition, ({ id, changes }, context) => edit(context, { table, id }, given(changes)));
}

function carryDelete<Args extends { id: string }, Input>(
  definition: CommandDefinition<string, Args, Input>,
  table: string,
): void {
  carry(definition, async ({ id }, context) => {
    await remove(context, table, { id: `eq.${id}` });
    return DONE;
  });
}

carry(runCheck, async ({ checkId }, { http, signal }) => {
  await http.send({ path: `/api/canary/run/check/${checkId}`, method: 'POST', signal });
  return DONE;
});

carry(createIncident, async (args, context) => {
  const created_by = context.userId;
  const { id, title, description, type, severity, status } = args;
  await insert(context, 'incidents', {
    id,
    title,
    description,
    type,
    severity,
    status,
    created_by,
    commander_id: args.commanderId,
    communicator_id: args.communicatorId,
  });
  await insert(context, 'hypotheses', {
    id: args.rootHypothesisId,
    incident_id: id,
    title,
    created_by,
    type: 'root',
    status: args.hypothesisStatus,
  });
  return DONE;
});

carryEdit(editIncident, 'incidents');
carryEdit(editHypothesis, 'hypotheses');
carryEdit(editEvidence, 'evidences');
carryDelete(deleteEvidence, 'evidences');
// A plain backend evaluates on its own rhythm and has no call to hurry it.
carry(evaluateDone, () => Promise.resolve(DONE));
carryDelete(deleteComment, 'comments');

carry(setIncidentStatus, async ({ id, from, to }, context) => {
  const where = { id: `eq.${id}` };
  const [row] = await rowsOf(context, { path: rowsPath('incidents', where, 'status') });
  if (row === undefined) return GONE;
  const status = String(row.status);
  if (status === to) return DONE;
  if (status !== from || !mayBecome(status, to))
    return conflict(MESSAGES.changedMeanwhile(['status']), { status });
  await rowsOf(context, { path: rowsPath('incidents', where), method: 'PATCH', body: { status: to } });
  return DONE;
});

carry(createHypothesis, async ({ incidentId, parentId, ...args }, context) => {
  const created_by = context.userId;
  await insert(context, 'hypotheses', {
    ...args,
    incident_id: incidentId,
    parent_id: parentId,
    created_by,
  });
  return DONE;
});

carry(deleteHypothesis, async ({ id }, context) => {
  await remove(context, 'comments', { hypothesis_id: `eq.${id}` });
  await remove(context, 'evidences', { hypothesis_id: `eq.${id}` });
  await remove(context, 'hypotheses', { id: `eq.${id}` });
  return DONE;
});

carry(addEvidence, async (args, context) => {
  // The table knows the incident through the hypothesis only.
  const columns = { ...args, incidentId: undefined, hypothesisId: undefined };
  const created_by = context.userId;
  await insert(context, 'evidences', { ...columns, hypothesis_id: args.hypothesisId, created_by });
  return DONE;
});

carry(addComment, async (args, context) => {
  const { id, comment } = args;
  await insert(context, 'comments', {
    id,
    comment,
    created_by: context.userId,
    incident_id: args.incidentId,
    hypothesis_id: args.hypothesisId,
    responder_id: args.responderId,
  });
  return DONE;
});

carry(editComment, ({ id, comment }, context) => edit(context, { table: 'comments', id }, { comment }));

carry(addResponder, async (args, context) => {
  const { id, type, properties } = args;
  const who: [string, string] =
    args.personId === null ? ['team_id', args.teamId ?? ''] : ['person_id', args.personId];
  const there = { incident_id: `eq.${args.incidentId}`, deleted_at: 'is.null', [who[0]]: `eq.${who[1]}` };
  const [known] = await rowsOf(context, { path: rowsPath('responders', there, 'id') });
  // Responders are a set: adding the same one twice is one (law 7).
  if (known !== undefined) return DONE;
  await insert(context, 'responders', {
    id,
    type,
    properties,
    created_by: context.userId,
    incident_id: args.incidentId,
    [who[0]]: who[1],
  });
  return DONE;
});

carry(removeResponder, async ({ id }, context) => {
  const path = rowsPath('responders', { id: `eq.${id}`, deleted_at: 'is.null' });
  await rowsOf(context, { path, method: 'PATCH', body: { deleted_at: 'now()' } });
  return DONE;
});

const unable = (message: string) => () => Promise.resolve(refused('invalid', message));
carry(retryResponder, unable(MESSAGES.noRetry));
carry(acknowledge, unable(MESSAGES.noAcknowledgement));
carry(endAcknowledgement, unable(MESSAGES.noAcknowledgement));
carry(createSilence, async ({ selector, filter, recurrence, ...silence }, { http, signal }) => {
  // Without what the backend doesn't know it would silence more than was meant.
  if ([selector, filter, recurrence?.[0]].some(Boolean)) return refused('invalid', MESSAGES.plainSilence);
  await http.send({ path: '/api/notification/silence', method: 'POST', body: silence, signal });
  return DONE;
});
carry(retryNotification, unable(MESSAGES.noSecondMessage));
// The contract knows no read marks: there is nobody to tell.
carry(markIncidentRead, async () => DONE);
carry(setResponderProgress, async ({ id, step, isSet }, context) => {
  // The first time counts: only a step that isn't taken is, and the other way round.
  const where = { id: `eq.${id}`, [step]: isSet ? 'is.null' : 'not.is.null' };
  await rowsOf(context, {
    path: rowsPath('responders', where),
    method: 'PATCH',
    body: { [step]: isSet ? 'now()' : null },
  });
  return DONE;
});

/** The calls of a command; undefined when this version doesn't know it. */
export function plainCallOf(name: string): { definition: CommandDefinition; call: Call } | undefined {
  return CALLS.get(name);
}
