/** Every safeguard that the simulator must miss when it is gone. Each is switched off outside of the program. */
import { z } from 'zod';
import type { CollectionName } from '../../src/contract/collections.ts';
import {
  changesAnswerSchema,
  changesEventSchema,
  commandAnswerSchema,
  commandBatchSchema,
  EVENT_NAMES,
  snapshotPageSchema,
  type ChangesAnswer,
  type CommandAnswer,
  type CommandBatch,
} from '../../src/contract/sync.ts';
import { OUTBOX_TABLE } from '../../src/contract/outbox/outbox.ts';
import { KEY_VALUE_TABLE } from '../../workers/store/key-value-table.ts';
import { Outbox } from '../../workers/sync/outbox/outbox.ts';
import type { Breakage } from './breakage.ts';
import type { Random } from './seeded-random.ts';
import type { SimDevice } from './sim-device.ts';
import { forgetCommands } from './sim-query.ts';
import {
  CHANGES_PATH,
  COMMANDS_PATH,
  routeOf,
  SNAPSHOT_PATH,
  type Wire,
  type WireAnswer,
  type WireRequest,
} from './wire.ts';

/** Longer than a run may be on its way. */
const SLOW_WAY_MS = 150_000;

type Ask = (request: WireRequest) => Promise<WireAnswer>;

/** A wire on which the answers of one route are made by somebody else. */
function onRoute(path: string, make: (request: WireRequest, ask: Ask) => Promise<WireAnswer>) {
  return (wire: Wire): Wire => ({
    request: (request) =>
      routeOf(request) === path ? make(request, (asked) => wire.request(asked)) : wire.request(request),
    stream: (request, reader) => wire.stream(request, reader),
  });
}

function withBody(answer: WireAnswer, body: unknown): WireAnswer {
  return { ...answer, body: JSON.stringify(body) };
}

/** Changes batches on their way there and answers on their way back. */
function onCommands(edit: {
  there?: (batch: CommandBatch) => CommandBatch;
  back?: (answer: CommandAnswer, batch: CommandBatch) => CommandAnswer;
}) {
  return onRoute(COMMANDS_PATH, async (request, ask) => {
    const batch = commandBatchSchema.safeParse(JSON.parse(request.body ?? 'null'));
    if (!batch.success) return ask(request);
    const sent = edit.there?.(batch.data) ?? batch.data;
    const answer = await ask({ ...request, body: JSON.stringify(sent) });
    if (answer.status !== 200) return answer;
    const done = commandAnswerSchema.parse(JSON.parse(answer.body));
    return withBody(answer, edit.back?.(done, batch.data) ?? done);
  });
}

type Changes = Extract<ChangesAnswer, { kind: 'page' }>['changes'];

/** Changes what the feed tells, asked or streamed. */
function onFeed(edit: (changes: Changes, random: Random) => Changes): NonNullable<Breakage['wire']> {
  return (wire, { random }) => ({
    async request(request) {
      const answer = await wire.request(request);
      if (routeOf(request) !== CHANGES_PATH || answer.status !== 200) return answer;
      const found = changesAnswerSchema.parse(JSON.parse(answer.body));
      if (found.kind !== 'page') return answer;
      return withBody(answer, { ...found, changes: edit(found.changes, random) });
    },
    stream: (request, reader) =>
      wire.stream(request, {
        ...reader,
        onEnd: () => reader.onEnd(),
        onEvent(name, data) {
          if (name !== EVENT_NAMES.changes) {
            reader.onEvent(name, data);
            return;
          }
          const event = changesEventSchema.parse(JSON.parse(data));
          const changes = event.changes === null ? null : edit(event.changes, random);
          reader.onEvent(name, JSON.stringify({ ...event, changes }));
        },
      }),
  });
}

/** The server knows nothing of what it did before. */
function forgetful(): NonNullable<Breakage['wire']> {
  return (wire, { database }) =>
    onRoute(COMMANDS_PATH, async (request, ask) => {
      const batch = commandBatchSchema.safeParse(JSON.parse(request.body ?? 'null'));
      if (batch.success) await forgetCommands(database, batch.data);
      return ask(request);
    })(wire);
}

/** The values that the user saw are replaced by what makes every edit fit. */
function unseeing(): NonNullable<Breakage['wire']> {
  return (wire) =>
    onRoute(COMMANDS_PATH, async (request, ask) => {
      const batch = commandBatchSchema.parse(JSON.parse(request.body ?? 'null'));
      const current = await currentRows(request, ask);
      const commands = batch.commands.map((command) => {
        const { id } = z.looseObject({ id: z.string().optional() }).parse(command.args);
        const row = current.get(id ?? '');
        if (command.basedOn === null || row === undefined) return command;
        const basedOn = Object.fromEntries(Object.keys(command.basedOn).map((field) => [field, row[field]]));
        return { ...command, basedOn };
      });
      return ask({ ...request, body: JSON.stringify({ ...batch, commands }) });
    })(wire);
}

async function currentRows(request: WireRequest, ask: Ask): Promise<Map<string, Record<string, unknown>>> {
  const rows = new Map<string, Record<string, unknown>>();
  for (const collection of ['incidents', 'incident_records']) {
    const path = `${SNAPSHOT_PATH}?collection=${collection}&limit=2000`;
    const answer = await ask({ ...request, method: 'GET', path, body: null });
    if (answer.status !== 200) continue;
    for (const row of snapshotPageSchema.parse(JSON.parse(answer.body)).rows) rows.set(row.id, row);
  }
  return rows;
}

/** After a load, the device is told that nothing happened meanwhile. */
function snapshotOnly(): NonNullable<Breakage['wire']> {
  const starts = new Set<string>();
  return onRoute(CHANGES_PATH, async (request, ask) => {
    const cursor = new URL(request.path, 'http://any').searchParams.get('cursor');
    const answer = await ask(request);
    if (answer.status !== 200) return answer;
    const found = changesAnswerSchema.parse(JSON.parse(answer.body));
    if (cursor === null && found.kind === 'page') starts.add(found.cursor);
    if (cursor === null || !starts.has(cursor) || found.kind !== 'page') return answer;
    return withBody(answer, { ...found, changes: [] });
  });
}

/** What the log forgot is passed over in silence. */
function neverOver(): NonNullable<Breakage['wire']> {
  return onRoute(CHANGES_PATH, async (request, ask) => {
    const answer = await ask(request);
    if (answer.status !== 200) return answer;
    const found = changesAnswerSchema.parse(JSON.parse(answer.body));
    return found.kind === 'page' ? answer : ask({ ...request, path: CHANGES_PATH });
  });
}

/** What somebody could read once, the device is told to be readable for ever. */
function blindToRoles(): NonNullable<Breakage['wire']> {
  return (wire) => {
    const first = new Map<string, readonly CollectionName[]>();
    return onRoute(CHANGES_PATH, async (request, ask) => {
      const answer = await ask(request);
      if (answer.status !== 200) return answer;
      const found = changesAnswerSchema.parse(JSON.parse(answer.body));
      if (found.kind !== 'page') return answer;
      const who = request.headers['cookie'] ?? '';
      const readable = first.get(who) ?? found.readable;
      first.set(who, readable);
      return withBody(answer, { ...found, readable });
    })(wire);
  };
}

/** A run that was on its way for longer than it may be, and a server that doesn't mind. */
const unhurried: NonNullable<Breakage['wire']> = (wire, { clock }) =>
  onRoute(COMMANDS_PATH, async (request, ask) => {
    const batch = commandBatchSchema.parse(JSON.parse(request.body ?? 'null'));
    if (batch.commands.some(({ expiresAt }) => expiresAt !== null)) await clock.sleep(SLOW_WAY_MS);
    const commands = batch.commands.map((command) =>
      command.expiresAt === null ? command : { ...command, expiresAt: '2999-01-01T00:00:00.000Z' },
    );
    return ask({ ...request, body: JSON.stringify({ ...batch, commands }) });
  })(wire);

/** Removes items from an outbox behind the program's back. */
function loseItems(device: SimDevice, isLost: (item: Record<string, unknown>) => boolean): void {
  const lose = async () => {
    for (const name of await device.disk.databaseNames()) {
      if (!name.endsWith('-outbox')) continue;
      await device.disk.rewrite(name, OUTBOX_TABLE, (item) => (isLost(item) ? null : item));
      // As if a step of the program had done it: what is remembered of the outbox is not believed then.
      await device.disk.rewrite(name, KEY_VALUE_TABLE, (fact) => (fact['key'] === 'mark' ? null : fact));
    }
  };
  void lose();
}

const stateOf = (item: Record<string, unknown>) => z.object({ kind: z.string() }).parse(item['state']).kind;

type Fenced = (this: Outbox, ...args: unknown[]) => unknown;

/** What only the present sender may do; the last argument is its permit. */
const FENCED = ['number', 'settle', 'expire', 'newDevice'] as const;

/** A sender that was replaced makes itself the sender again, and goes on. */
function unfence(): () => void {
  const shared = Outbox.prototype as unknown as Record<(typeof FENCED)[number], Fenced>;
  const before = Object.fromEntries(FENCED.map((name) => [name, shared[name]]));
  for (const name of FENCED) {
    const original = shared[name];
    shared[name] = async function again(...args) {
      return original.call(this, ...args.slice(0, -1), await this.claim());
    };
  }
  return () => Object.assign(shared, before);
}

export const BREAKAGES: readonly Breakage[] = [
  {
    law: 'fencing',
    shows: ['one sender'],
    what: 'whoever thinks that it sends, sends',
    plan: { always: ['tabs', 'weather'] },
    install: unfence,
    device: (device) => {
      device.locks.isIgnored = true;
    },
  },
  {
    law: 'command-ids',
    shows: ['exactly once', 'nothing late', 'nothing lost'],
    what: 'the server takes every delivery for a new command',
    plan: { always: ['weather'] },
    wire: forgetful(),
  },
  {
    law: 'commit-order',
    shows: ['done means seen', 'convergence'],
    what: 'some changes become visible behind the cursors of those who read',
    wire: onFeed((changes, random) => changes.filter(() => !random.chance(0.1))),
  },
  {
    law: 'tombstones',
    shows: ['convergence'],
    what: 'deletes are not in the feed',
    wire: onFeed((changes) => changes.filter(({ row }) => row !== null)),
  },
  {
    law: 'strict-append',
    shows: ['nothing lost'],
    what: 'a crash takes what was kept last',
    plan: { always: ['crash', 'offline'] },
    atCrash: (device) => loseItems(device, (item) => stateOf(item) === 'kept'),
  },
  {
    law: 'precondition',
    shows: ['precondition'],
    what: 'the server does not look at what the user saw',
    plan: { always: ['offline'] },
    wire: unseeing(),
  },
  {
    law: 'seen-before-done',
    shows: ['done means seen'],
    what: 'a command leaves the outbox when the server said yes',
    plan: { always: ['weather'] },
    wire: onCommands({
      back: (answer) => ({
        ...answer,
        results: answer.results.map((result) =>
          result.outcome.kind === 'applied'
            ? {
                ...result,
                outcome: { kind: 'applied', position: result.outcome.position.replace(/\d+$/, '0') },
              }
            : result,
        ),
      }),
    }),
  },
  {
    law: 'expiry',
    shows: ['nothing late'],
    what: 'the server runs checks however late it is asked',
    wire: unhurried,
  },
  {
    law: 'snapshot-catch-up',
    shows: ['done means seen', 'convergence'],
    what: 'what changed during a load is not asked for',
    plan: { always: ['weather'] },
    wire: (wire, tools) => snapshotOnly()(wire, tools),
  },
  {
    law: 'start-over',
    shows: ['done means seen', 'convergence'],
    what: 'a device that is older than the log goes on as if nothing was',
    plan: { always: ['forgotten', 'offline', 'removed'] },
    wire: (wire, tools) => neverOver()(wire, tools),
  },
  {
    law: 'batch-order',
    shows: ['order'],
    what: 'the server does the commands of a batch in any order',
    plan: { always: ['offline'] },
    wire: onCommands({
      there: (batch) => ({
        ...batch,
        commands: batch.commands.map((command, at) => ({
          ...(batch.commands[batch.commands.length - 1 - at] ?? command),
          seq: command.seq,
        })),
      }),
      back: (answer, batch) => ({
        ...answer,
        results: answer.results.map((result) => ({
          ...result,
          seq: batch.commands.find(({ commandId }) => commandId === result.commandId)?.seq ?? result.seq,
        })),
      }),
    }),
  },
  {
    law: 'user-data',
    shows: ['user data'],
    what: 'signing out deletes nothing',
    plan: { always: ['switch'] },
    device: (device) => {
      device.disk.faults.isDeletionIgnored = true;
    },
  },
  {
    law: 'retry-deletes',
    shows: ['nothing lost'],
    what: 'an answer of 5xx makes the device forget what it sent',
    plan: { always: ['weather'] },
    device: (device) => {
      device.onServerTrouble = () => loseItems(device, (item) => stateOf(item) === 'sent');
    },
  },
  {
    law: 'refusals-shown',
    shows: ['nothing lost', 'convergence'],
    what: 'a refusal looks like a success',
    plan: { always: ['offline'] },
    wire: onCommands({
      back: (answer) => ({
        ...answer,
        results: answer.results.map((result) =>
          result.outcome.kind === 'refused'
            ? { ...result, outcome: { kind: 'applied', position: 'none.0' } }
            : result,
        ),
      }),
    }),
  },
  {
    law: 'permissions',
    shows: ['convergence'],
    what: 'the device does not hear which collections it may read',
    plan: { always: ['roles'] },
    wire: blindToRoles(),
  },
];
