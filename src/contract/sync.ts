/**
 * Our extras on the wire: discovered once per session, each with a fallback that uses only the contract
 * (design §3). A backend that answers 404 here has none of them.
 */
import { z } from 'zod';
import { collectionSchema, replicatedRowSchema } from './collection-rows.ts';
import { isRecord } from '../lib/is-record.ts';
import { COLLECTIONS, type CollectionName } from './collections.ts';

/** `GET /api/capabilities` */
export const capabilitiesSchema = z.object({
  version: z.string(),
  /** ISO; the device's offset is taken from it. */
  server_time: z.string(),
  /** `GET /api/events` streams nudges and heartbeats. */
  events: z.boolean().default(false),
  /** `check_summary` carries agent, endpoint and next_runtime. */
  summary_extras: z.boolean().default(false),
  /** `GET /canary/api/summary?start=` sums up another window than the last hour. */
  summary_range: z.boolean().default(false),
  /** `GET /api/sync/changes`, `GET /api/sync/snapshot`, and changes on the event stream. */
  change_log: z.boolean().default(false),
  /** `POST /api/sync/commands` */
  commands: z.boolean().default(false),
  /** `/api/push/*`: browsers are told of mentions. */
  push: z.boolean().default(false),
  /** `/api/kubeproxy` has a cluster to pass calls on to, so there is a kubeconfig. */
  cluster_proxy: z.boolean().default(false),
  /** Runs of playbooks can be cancelled, tried without effect and watched (docs/playbooks.md). */
  playbook_runs: z.boolean().default(false),
  /** A health-only deployment: no sign-in, and nothing but health. */
  checks_only: z.boolean().default(false),
});
export type Capabilities = z.output<typeof capabilitiesSchema>;

/**
 * A place in the change log: `<epoch>.<sequence>`. Opaque to clients but for `isAtOrAfter`. The epoch changes
 * when the database was restored or replaced; then everybody starts over (law 2).
 */
export const cursorSchema = z.string().regex(/^[\w-]+\.\d+$/);
export type Cursor = z.output<typeof cursorSchema>;

function partsOf(cursor: Cursor): { epoch: string; sequence: number } {
  const dot = cursor.lastIndexOf('.');
  return { epoch: cursor.slice(0, dot), sequence: Number(cursor.slice(dot + 1)) };
}

/**
 * True when a reader at `cursor` has seen `position`. Places of different epochs can't be compared: what was done
 * in another database may not be in this one, so it counts as not seen and is offered again.
 */
export function isAtOrAfter(cursor: Cursor, position: Cursor): boolean {
  const [a, b] = [partsOf(cursor), partsOf(position)];
  return a.epoch === b.epoch && a.sequence >= b.sequence;
}

/** True when both are places in the same log. */
export function isSameEpoch(a: Cursor, b: Cursor): boolean {
  return partsOf(a).epoch === partsOf(b).epoch;
}

/** One entity as it is now; `row: null` when it is gone, out of scope, or not for this reader. */
export const changeSchema = z.object({
  collection: collectionSchema,
  id: z.string(),
  row: replicatedRowSchema.nullable(),
});
export type Change = z.output<typeof changeSchema>;

function isCollection(name: string): name is CollectionName {
  return (COLLECTIONS as readonly string[]).includes(name);
}

/** What a newer server tells of collections that this version doesn't know is left out (law 15). */
const knownNames = z.array(z.string()).transform((names) => names.filter(isCollection));
const isKnown = (one: unknown) =>
  !isRecord(one) || typeof one['collection'] !== 'string' || isCollection(one['collection']);
const ofKnownCollections = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((list: unknown) => (Array.isArray(list) ? list.filter(isKnown) : list), z.array(item));
const knownChanges = ofKnownCollections(changeSchema);

/** What a collection comes to, for a device that holds it up to `cursor` or farther. */
export const collectionTallySchema = z.object({
  /** The newest change of the collection that was counted. */
  cursor: cursorSchema,
  /** ISO; rows that are too old at this time are not counted. */
  at: z.string(),
  count: z.number().int(),
  /** MD5 over the ids in order, joined by commas. */
  sum: z.string(),
});
export type CollectionTally = z.output<typeof collectionTallySchema>;

/**
 * `GET /api/sync/changes?cursor=&limit=&collections=`; without a cursor: an empty page at the log's head. With
 * `tally=true` and one collection of which nothing changed since, what it comes to.
 */
export const changesAnswerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    /** Continue from here. */
    cursor: cursorSchema,
    /** Nothing more was in the log when this was read. */
    is_caught_up: z.boolean(),
    server_time: z.string(),
    /** Collections that the reader's roles of this moment allow; what else is kept must go (law 3). */
    readable: knownNames,
    changes: knownChanges,
    /** Absent where it wasn't asked for, isn't known now, or the server is older. */
    tally: collectionTallySchema.optional(),
  }),
  z.object({
    kind: z.literal('start-over'),
    /** epoch: another database; horizon: older than the deletes that are remembered; ahead: of the log. */
    reason: z.enum(['epoch', 'horizon', 'ahead']),
    server_time: z.string(),
  }),
]);
export type ChangesAnswer = z.output<typeof changesAnswerSchema>;

/** `GET /api/sync/snapshot?collection=&after=&limit=`: live rows in scope, by id. */
export const snapshotPageSchema = z.object({
  /** The newest change of this collection before the rows were read: changes after it make the pages whole. */
  cursor: cursorSchema,
  rows: z.array(replicatedRowSchema),
  /** Ask for what is after this id; null when that was all. */
  next: z.string().nullable(),
  /** Rows in all, as far as known. */
  total: z.number().nullable(),
});
export type SnapshotPage = z.output<typeof snapshotPageSchema>;

const smallSnapshotSchema = z.object({
  collection: collectionSchema,
  /** The newest change of this collection before the rows were read: changes after it make them whole. */
  cursor: cursorSchema,
  rows: z.array(replicatedRowSchema),
});
export type SmallSnapshot = z.output<typeof smallSnapshotSchema>;

/**
 * `GET /api/sync/small-snapshots`: all collections that are small, whole, in one answer. A device asks for the others
 * one by one; most deployments have ten small ones, and each would cost a round trip.
 */
export const smallSnapshotsSchema = z.object({
  snapshots: ofKnownCollections(smallSnapshotSchema),
});

/**
 * `GET /api/sync/snapshot-pages?collection=&after=`: the same rows as pages that a device keeps as they came. The server
 * may have made them a while ago: changes after `cursor` make them whole, whatever the load's own beginning.
 */
export const snapshotPagesSchema = z.object({
  /** All changes up to here are in the rows; the header may know that it is farther. */
  cursor: cursorSchema,
  /** The newest change of this collection before the rows were read. */
  newest: cursorSchema,
  pages: z.array(
    z.object({
      /** The last character of its rows' ids. */
      partition: z.string(),
      count: z.number().int(),
      /** JSON of a list of rows. */
      body: z.string(),
    }),
  ),
  /** Ask for what is after this id; null when that was all. */
  next: z.string().nullable(),
});
export type SnapshotPages = z.output<typeof snapshotPagesSchema>;

/** Header of those pages: nothing of the collection changed between their own cursor and this one. */
export const SNAPSHOT_CURSOR_HEADER = 'x-snapshot-cursor';

/** Why a command was not done (law 6). The list is closed. */
export const REFUSALS = [
  'forbidden',
  'precondition_failed',
  'gone',
  'invalid',
  'client_too_old',
  'expired',
] as const;
export const refusalSchema = z.enum(REFUSALS);
export type Refusal = z.output<typeof refusalSchema>;

/** A command on its way (law 4). `seq` counts what this device sent, without gaps. */
export const commandEnvelopeSchema = z.object({
  seq: z.number().int().min(1),
  commandId: z.guid(),
  name: z.string().max(100),
  version: z.number().int().min(1),
  args: z.unknown(),
  /** Values that the user saw, by field: the precondition of an edit (law 7). */
  basedOn: z.record(z.string(), z.unknown()).nullable(),
  /** ISO, server clock; null for what may arrive any time. */
  expiresAt: z.string().nullable(),
  /** ISO, server clock as the device knew it: when it was written, which may be long before it arrives. */
  writtenAt: z.string().max(40).optional(),
});
export type CommandEnvelope = z.output<typeof commandEnvelopeSchema>;

export const MAX_COMMANDS_PER_BATCH = 50;

/** `POST /api/sync/commands` */
export const commandBatchSchema = z.object({
  deviceId: z.guid(),
  /** Whose commands these are: in another person's session they are answered with 401, and nothing is done. */
  userId: z.string().max(100).optional(),
  commands: z.array(commandEnvelopeSchema).max(MAX_COMMANDS_PER_BATCH),
});
export type CommandBatch = z.output<typeof commandBatchSchema>;

/** `POST /api/sync/commands/known`: which of these commands of the asking person were done. */
export const MAX_KNOWN_COMMANDS = 1000;
export const knownCommandsSchema = z.object({ commandIds: z.array(z.guid()).max(MAX_KNOWN_COMMANDS) });
export const knownCommandsAnswerSchema = z.object({ applied: z.array(z.string()) });

/**
 * What became of a command. `failed` is the server's own fault (a conflict of locks, a dead connection): the
 * number is used up, nothing was done, the same commandId may come again under a new number.
 */
export const commandOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), position: cursorSchema }),
  z.object({
    kind: z.literal('refused'),
    code: refusalSchema,
    /** For people. */
    message: z.string(),
    /** The server's values by field, where a precondition failed. */
    current: z.record(z.string(), z.unknown()).nullable(),
  }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type CommandOutcome = z.output<typeof commandOutcomeSchema>;

/** The answer to a batch. `isOutOfOrder`: nothing after the gap was looked at; send again from `expectedSeq`. */
export const commandAnswerSchema = z.object({
  results: z.array(z.object({ seq: z.number().int(), commandId: z.string(), outcome: commandOutcomeSchema })),
  expectedSeq: z.number().int(),
  isOutOfOrder: z.boolean(),
  server_time: z.string(),
});
export type CommandAnswer = z.output<typeof commandAnswerSchema>;

/**
 * Events of `GET /api/events?cursor=` (or Last-Event-ID). `changes` carries what changed, or only that something
 * did when it is much (`changes: null`: ask `/api/sync/changes`). A reader applies it only when it stands
 * exactly at `previous`; else it asks. `heartbeat` comes every `HEARTBEAT_MS` and says where the log ends.
 */
export const HEARTBEAT_MS = 9_000;
export const changesEventSchema = z.object({
  previous: cursorSchema,
  cursor: cursorSchema,
  server_time: z.string(),
  changes: knownChanges.nullable(),
});
export type ChangesEvent = z.output<typeof changesEventSchema>;
export const heartbeatSchema = z.object({ server_time: z.string(), cursor: cursorSchema.optional() });
export const EVENT_NAMES = {
  nudge: 'nudge',
  changes: 'changes',
  heartbeat: 'heartbeat',
  signedOut: 'signed-out',
} as const;
