/**
 * A small server of `POST /api/sync/commands` for tests, in memory: counts per device, refuses gaps, stores results
 * by command id, lets a command wait that shares an entity with one that just failed, and can be struck by faults. `effects` is what it did, in order. Nothing here knows the client.
 */
import { commandNamed } from '../../src/contract/commands/all-commands.ts';
import {
  commandBatchSchema,
  type CommandAnswer,
  type CommandEnvelope,
  type CommandOutcome,
} from '../../src/contract/sync.ts';

/** What strikes one request. `lost`: done, but the answer does not arrive; `cut`: it does not arrive itself. */
export type Fault = 'none' | 'cut' | 'lost' | 'captive' | 'broken' | 'unauthorized' | 'busy' | 'timeout';

export interface Effect {
  commandId: string;
  name: string;
  deviceId: string;
  atMs: number;
}

type Results = CommandAnswer['results'];

export interface CommandBackend {
  /** What was done, in order: each entry once is "exactly once". */
  effects: Effect[];
  /** Batches as they arrived, refused ones too. */
  batches: { deviceId: string; seqs: number[]; commandIds: string[]; atMs: number }[];
  /** Struck in this order, one a request; afterwards `weather`. */
  faults: Fault[];
  weather: Fault;
  /** Decides about a command instead of doing it; null does it. */
  judge: (command: CommandEnvelope) => CommandOutcome | null;
  /** Commands for which the whole request is answered with that status. */
  rejects: (command: CommandEnvelope) => number | null;
  /** Devices that belong to somebody else. */
  foreignDevices: Set<string>;
  epoch: string;
  /** Forgets numbers and results, as after a restore. */
  forget(): void;
  head(): string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The JSON that a request carries; our client sends text only. */
export function bodyOf({ body }: RequestInit): unknown {
  return typeof body === 'string' ? JSON.parse(body) : {};
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const STRIKES: Partial<Record<Fault, () => Response>> = {
  captive: () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
  broken: () => json(503, { error: 'down' }),
  unauthorized: () => json(401, { error: 'Not logged in' }),
  busy: () => json(429, { error: 'slow down' }, { 'retry-after': '7' }),
  timeout: () => json(408, { error: 'too slow' }),
};

function touchesOf({ name, args }: CommandEnvelope): string[] {
  const definition = commandNamed(name);
  const parsed = definition?.args.safeParse(args);
  return definition === undefined || parsed?.success !== true ? [] : definition.touches(parsed.data);
}

export function createCommandBackend(now: () => number): CommandBackend {
  const counts = new Map<string, number>();
  const stored = new Map<string, CommandOutcome>();
  let position = 0;

  const perform = (deviceId: string, command: CommandEnvelope): CommandOutcome => {
    const known = stored.get(command.commandId);
    if (known !== undefined) return known;
    const isLate = command.expiresAt !== null && Date.parse(command.expiresAt) <= now();
    const late: CommandOutcome = { kind: 'refused', code: 'expired', message: 'late', current: null };
    const judged = isLate ? late : backend.judge(command);
    if (judged?.kind === 'failed') return judged;
    position += 1;
    const outcome = judged ?? { kind: 'applied', position: backend.head() };
    if (outcome.kind === 'applied')
      backend.effects.push({ commandId: command.commandId, name: command.name, deviceId, atMs: now() });
    stored.set(command.commandId, outcome);
    return outcome;
  };

  const answer = (body: unknown): Response => {
    const { deviceId, commands } = commandBatchSchema.parse(body);
    backend.batches.push({
      deviceId,
      seqs: commands.map(({ seq }) => seq),
      commandIds: commands.map(({ commandId }) => commandId),
      atMs: now(),
    });
    if (backend.foreignDevices.has(deviceId)) return json(403, { error: 'not your device' });
    const wrong = commands.map((command) => backend.rejects(command)).find((status) => status !== null);
    if (wrong !== undefined && wrong !== null) return json(wrong, { error: 'cannot be read' });
    const results: Results = [];
    const waiting = new Set<string>();
    let isOutOfOrder = false;
    for (const command of commands) {
      const last = counts.get(deviceId) ?? 0;
      isOutOfOrder = command.seq > last + 1;
      if (isOutOfOrder) break;
      const isRepeat = command.seq <= last;
      const unknown: CommandOutcome = { kind: 'failed', message: 'nothing is known of this' };
      const mustWait = touchesOf(command).some((id) => waiting.has(id));
      const isAskedOnly = isRepeat || mustWait;
      const outcome = isAskedOnly ? (stored.get(command.commandId) ?? unknown) : perform(deviceId, command);
      if (outcome.kind === 'failed') for (const id of touchesOf(command)) waiting.add(id);
      counts.set(deviceId, Math.max(last, command.seq));
      results.push({ seq: command.seq, commandId: command.commandId, outcome });
    }
    const expectedSeq = (counts.get(deviceId) ?? 0) + 1;
    return json(200, { results, expectedSeq, isOutOfOrder, server_time: new Date(now()).toISOString() });
  };

  const backend: CommandBackend = {
    effects: [],
    batches: [],
    faults: [],
    weather: 'none',
    judge: () => null,
    rejects: () => null,
    foreignDevices: new Set(),
    epoch: 'e1',
    forget() {
      counts.clear();
      stored.clear();
    },
    head: () => `${backend.epoch}.${position}`,
    fetch: (_, init) => {
      const fault = backend.faults.shift() ?? backend.weather;
      if (fault === 'cut') return Promise.reject(new TypeError('connection refused'));
      const strike = STRIKES[fault];
      if (strike !== undefined) return Promise.resolve(strike());
      const response = answer(bodyOf(init));
      return fault === 'lost' ? Promise.reject(new TypeError('connection reset')) : Promise.resolve(response);
    },
  };
  return backend;
}
