/** Judges what became of commands: each accepted one done once, or refused once and shown; in order; in time. */
import { commandNamed } from '../../src/contract/commands/all-commands.ts';
import { mayBecome } from '../../src/domain/incident/incident.ts';
import { OUTBOX_TABLE, outboxItemSchema, type OutboxItem } from '../../src/contract/outbox/outbox.ts';
import type { Intent } from './oracle.ts';
import { existingIds, readResults, type CommandResult } from './sim-query.ts';
import type { World } from './world.ts';

interface Case {
  world: World;
  results: Map<string, CommandResult>;
  /** Ids of rows that are there in the end. */
  there: Set<string>;
  /** What every outbox has in the end, by command id; also those that are sealed for somebody who isn't signed in. */
  kept: Map<string, OutboxItem>;
  /** Applied ones in the order in which the server did them. */
  applied: { intent: Intent; at: number }[];
}

/** How every outbox's database is called in the end. */
const OUTBOX_ENDING = '-outbox';

function placeOf(result: CommandResult | undefined): number | null {
  if (result?.outcome.kind !== 'applied') return null;
  const { position } = result.outcome;
  return Number(position.slice(position.lastIndexOf('.') + 1));
}

function facts(intent: Intent) {
  const definition = commandNamed(intent.request.name);
  const args = definition?.args.parse(intent.request.args);
  return { touches: definition?.touches(args) ?? [], creates: definition?.creates(args) ?? [] };
}

function isExcused({ world }: Case, { commandId }: Intent): boolean {
  const { evicted, dropped } = world.oracle;
  return evicted.has(commandId) || dropped.has(commandId);
}

/** Done, or refused and in the inbox, or sealed for somebody who left: never none of them, never two. */
function checkOutcome(one: Case, intent: Intent): void {
  const { oracle } = one.world;
  const { commandId, device, request } = intent;
  const name = `${request.name} ${commandId} of ${device}`;
  const outcome = one.results.get(commandId)?.outcome;
  const state = one.kept.get(commandId)?.state.kind;
  if (outcome?.kind === 'applied') {
    if (state === 'refused')
      oracle.break('exactly once', `${name} was done, and its user was told that it was not`);
  } else if (state === undefined && !isExcused(one, intent)) {
    const last = oracle.told.get(commandId)?.state.kind ?? 'never shown';
    const answer = outcome?.kind ?? 'nothing';
    oracle.break(
      'nothing lost',
      `${name} is neither done nor kept (last ${last}, the server says ${answer})`,
    );
  }
}

/** A batch that came twice is answered twice, with the same. */
function checkAnswers({ world }: Case): void {
  const first = new Map<string, string>();
  for (const { commandId, outcome } of world.oracle.deeds) {
    if (outcome.kind === 'failed') continue;
    const text = JSON.stringify(outcome);
    const before = first.get(commandId);
    if (before !== undefined && before !== text)
      world.oracle.break('exactly once', `${commandId} was answered ${before} and ${text}`);
    first.set(commandId, before ?? text);
  }
}

/** Commands that one person wrote on one device about one entity were done in the order of writing. */
function checkOrder(one: Case): void {
  const { world, applied } = one;
  const last = new Map<string, { intent: Intent; order: number }>();
  for (const { intent } of applied) {
    const order = world.oracle.told.get(intent.commandId)?.order;
    if (order === undefined || isExcused(one, intent)) continue;
    // An outbox that was deleted counts anew.
    const born = world.oracle.births.get(intent.commandId);
    for (const entity of facts(intent).touches) {
      const key = `${intent.device} ${intent.personId} ${born} ${entity}`;
      const before = last.get(key);
      if (before !== undefined && before.order > order)
        world.oracle.break(
          'order',
          `${intent.commandId} was done after ${before.intent.commandId}, which was written later`,
        );
      last.set(key, { intent, order });
    }
  }
}

const REMOVALS: ReadonlySet<string> = new Set([
  'delete_hypothesis',
  'delete_evidence',
  'delete_comment',
  'remove_responder',
]);

function removedBy({ request }: Intent): string | null {
  return REMOVALS.has(request.name) && 'id' in request.args ? request.args.id : null;
}

/** Rows that applied commands made are there unless something took them away; those of refused ones aren't. */
function checkRows({ world, there, results, applied }: Case): void {
  const gone = new Set([...world.removed, ...applied.flatMap(({ intent }) => removedBy(intent) ?? [])]);
  for (const intent of world.oracle.intents.values()) {
    const { request, commandId } = intent;
    const isApplied = results.get(commandId)?.outcome.kind === 'applied';
    const parent = 'hypothesisId' in request.args ? request.args.hypothesisId : null;
    const mayBeGone = request.name === 'add_responder' || (typeof parent === 'string' && gone.has(parent));
    for (const id of facts(intent).creates) {
      if (!isApplied && there.has(id))
        world.oracle.break('exactly once', `${commandId} was not done, but ${id} is there`);
      if (isApplied && gone.has(id) && there.has(id))
        world.oracle.break('deletes', `${id} was deleted and is there`);
      if (isApplied && !mayBeGone && !gone.has(id) && !there.has(id))
        world.oracle.break('nothing lost', `${commandId} was done, but ${id} isn't there`);
    }
  }
}

type Fields = Record<string, unknown>;

function editOf({ request }: Intent): { id: string; fields: Fields } | null {
  if ('changes' in request.args) return { id: request.args.id, fields: request.args.changes };
  if (request.name !== 'edit_comment') return null;
  return { id: request.args.id, fields: { comment: request.args.comment } };
}

/** Nobody's edit was overwritten by somebody who hadn't seen it (law 7). */
function checkEdits({ world, applied }: Case): void {
  const values = new Map<string, unknown>();
  for (const { intent } of applied) {
    const { request, commandId } = intent;
    if (request.name === 'set_incident_status') {
      const { id, from, to } = request.args;
      const known = values.get(`${id} status`);
      const before = typeof known === 'string' ? known : 'open';
      if (before !== to && (before !== from || !mayBecome(before, to)))
        world.oracle.break(
          'precondition',
          `${commandId} took ${id} from ${before} to ${to}; it meant from ${from}`,
        );
      values.set(`${id} status`, to);
    }
    const edit = editOf(intent);
    const based = world.oracle.told.get(commandId)?.basedOn ?? {};
    for (const [field, wanted] of Object.entries(edit?.fields ?? {})) {
      const key = `${edit?.id} ${field}`;
      const before = values.get(key);
      // A command that a crash kept from being shown: what it was based on isn't known.
      const isKnown = before !== undefined && field in based;
      if (isKnown && before !== wanted && before !== based[field])
        world.oracle.break(
          'precondition',
          `${commandId} overwrote ${key} = ${JSON.stringify(before)}, having seen ${JSON.stringify(based[field])}`,
        );
      values.set(key, wanted);
    }
  }
}

const RUN_EXPIRES_MS = 120_000;

/** What has an effect outside happened at most once for each command, and never late. */
function checkRuns({ world, applied }: Case): void {
  const asked = applied.flatMap(({ intent }) => (intent.request.name === 'run_check' ? [intent] : []));
  for (const run of world.server.runs) {
    const at = asked.findIndex(
      ({ request, sentAtMs }) =>
        request.name === 'run_check' &&
        request.args.checkId === run.checkId &&
        run.atMs >= sentAtMs &&
        run.atMs <= sentAtMs + RUN_EXPIRES_MS + CLOCK_TOLERANCE_MS,
    );
    if (at === -1)
      world.oracle.break('nothing late', `check ${run.checkId} ran though no command asked for it in time`);
    else asked.splice(at, 1);
  }
  for (const { commandId } of asked)
    world.oracle.break('exactly once', `${commandId} was done, but the check never ran`);
}

/** A device knows the server's clock to a second or so. */
const CLOCK_TOLERANCE_MS = 3000;

function checkSenders({ world, results }: Case): void {
  for (const { commandId, personId } of results.values()) {
    const intent = world.oracle.intents.get(commandId);
    if (intent !== undefined && intent.personId !== personId)
      world.oracle.break('user data', `${commandId} of ${intent.personId} was sent as ${personId}`);
  }
}

/** The items of every outbox on a device. */
async function itemsOn({ device }: World['people'][number]): Promise<OutboxItem[]> {
  const names = (await device.disk.databaseNames()).filter((name) => name.endsWith(OUTBOX_ENDING));
  const tables = await Promise.all(names.map((name) => device.disk.readAll(name)));
  return tables.flatMap(({ [OUTBOX_TABLE]: items = [] }) => items.map((raw) => outboxItemSchema.parse(raw)));
}

/** Every outbox on every device, whosever. */
async function keptItems(world: World): Promise<Map<string, OutboxItem>> {
  const kept = new Map<string, OutboxItem>();
  for (const person of world.people) {
    for (const item of await itemsOn(person)) {
      if (kept.has(item.commandId))
        world.oracle.break('once', `${item.commandId} is in two places of an outbox`);
      kept.set(item.commandId, item);
    }
  }
  return kept;
}

/** All of it, into the world's oracle. */
export async function checkCommands(world: World): Promise<void> {
  const results = new Map(
    (await readResults(world.server.database)).map((result) => [result.commandId, result]),
  );
  const there = await existingIds(world.server.database);
  const applied = [...world.oracle.intents.values()]
    .flatMap((intent) => {
      const at = placeOf(results.get(intent.commandId));
      return at === null ? [] : [{ intent, at }];
    })
    .toSorted((a, b) => a.at - b.at || a.intent.place - b.intent.place);
  const one: Case = { world, results, there, applied, kept: await keptItems(world) };
  for (const intent of world.oracle.intents.values()) checkOutcome(one, intent);
  checkAnswers(one);
  checkOrder(one);
  checkRows(one);
  checkEdits(one);
  checkRuns(one);
  checkSenders(one);
}
