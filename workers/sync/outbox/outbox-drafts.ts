/** What is written down of a command: what it stands on, what it is about, until when it counts (design §4 laws 6 to 9). */
import { parseCommand, type CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import type { CollectionName, ReplicatedRow } from '../../../src/contract/collections.ts';
import type { CommandDefinition } from '../../../src/contract/commands/define-command.ts';
import { pendingRow } from '../../../src/contract/commands/pending-row.ts';
import type { OutboxItem } from '../../../src/contract/outbox/outbox.ts';
import { nameOf, subjectOf } from './item-subject.ts';
import type { Draft } from './outbox-port.ts';
import { fieldsOf, joined, type Fields } from './outbox-reading.ts';
import { argsOnTop } from './outbox-rules.ts';

/** Who writes, when, and on what they look. */
export interface WriteContext {
  userId: string;
  /** ms, server clock. */
  nowMs: number;
  /** How long it stays here before it may leave, ms. */
  holdMs?: number;
  /** After how long its author wants it no more, where the command itself sets no limit, ms. */
  expiresAfterMs?: number;
  /** The row that is kept of an entity; pending commands are put on top here. */
  readRow: (collection: CollectionName, id: string) => Promise<ReplicatedRow | null>;
}

/** What it takes to write a command down. */
export interface Drafting {
  context: WriteContext;
  newId: () => string;
  /** What is kept already, by order of writing. */
  items: () => Promise<readonly OutboxItem[]>;
  /** Its author said what it is called: nothing is read for a name. */
  isNamed?: boolean;
}

/** Those that may show something else of that row. */
const touching = (items: readonly OutboxItem[], id: string) =>
  items.filter(({ touches }) => touches.includes(id));

function draftOf(
  { definition, args }: { definition: CommandDefinition; args: unknown },
  { basedOn, about }: { basedOn: Fields | null; about: string | null },
  { context, newId }: Drafting,
): Draft {
  const expiresAfterMs = definition.expiresAfterMs ?? context.expiresAfterMs ?? null;
  return {
    commandId: newId(),
    name: definition.name,
    version: definition.version,
    args,
    basedOn,
    expiresAt: expiresAfterMs === null ? null : new Date(context.nowMs + expiresAfterMs).toISOString(),
    userId: context.userId,
    atMs: context.nowMs,
    ...(about === null ? {} : { about }),
    touches: definition.touches(args),
    creates: definition.creates(args),
    ...(context.holdMs === undefined ? {} : { heldUntilMs: context.nowMs + context.holdMs }),
    failures: 0,
    state: { kind: 'kept' },
  };
}

/** A command as it is written down, before it is known what it stands on. Throws `invalid`. */
export function beginDraft(request: CommandRequest, drafting: Drafting): Draft {
  return draftOf(parseCommand(request), { basedOn: null, about: null }, drafting);
}

/** Reads what a command stands on; the draft is finished with it and with what is kept at that moment. */
export async function finishDraft(
  begun: Draft,
  request: CommandRequest,
  { context: { readRow }, items, isNamed = false }: Drafting,
): Promise<(now: readonly OutboxItem[]) => Draft> {
  const { definition, args } = parseCommand(request);
  const place = definition.precondition(args);
  // Read before the row: an item that leaves meanwhile is in the row then, and on top of it once more.
  const before = place === null ? [] : touching(await items(), place.id);
  const subject = isNamed ? null : subjectOf(args);
  const [row, named] = await Promise.all([
    place === null ? null : readRow(place.collection, place.id),
    subject === null ? null : readRow(subject.collection, subject.id),
  ]);
  return (now) => {
    const shown = place === null ? null : pendingRow(row, joined(before, touching(now, place.id)), place);
    const basedOn = place === null || shown === null ? null : fieldsOf(shown, place.fields);
    const about = subject === null ? null : nameOf(pendingRow(named, touching(now, subject.id), subject));
    return { ...begun, basedOn, ...(about === null ? {} : { about }) };
  };
}

/** A refused command as a new one, on top of the server's present values. */
export async function redraft(item: OutboxItem, drafting: Drafting): Promise<Draft> {
  const current = item.state.kind === 'refused' ? (item.state.current ?? {}) : {};
  const { definition, args } = parseCommand({ name: item.name, args: argsOnTop(item, current) });
  const place = definition.precondition(args);
  const row = place === null ? null : await drafting.context.readRow(place.collection, place.id);
  const shown = place === null ? null : pendingRow(row, await drafting.items(), place);
  const basedOn =
    place === null ? null : { ...fieldsOf(shown, place.fields), ...fieldsOf(current, place.fields) };
  return draftOf({ definition, args }, { basedOn, about: item.about ?? null }, drafting);
}
