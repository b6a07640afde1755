/**
 * 500 devices on the stream of one server process: how long a change takes to reach all of them, what that costs,
 * and what happens when all come back in the same second with 20 commands each (design §8). The devices are
 * plain sockets in this process, on the same two cores as the server.
 */
import { randomUUID } from 'node:crypto';
import { get, type ClientRequest } from 'node:http';
import { changesAnswerSchema, commandAnswerSchema, type CommandEnvelope } from '../../src/contract/sync.ts';
import { prepareServer, type HoldfastServer } from '../../e2e/support/holdfast-server.ts';
import type { Bench } from '../core/bench.ts';
import { countCpu, treeMb } from '../core/machine.ts';
import { sessionCookie } from '../signed-in-proxy.ts';

const DEVICES = 500;
const CHANGES = 60;
const CHANGE_EVERY_MS = 500;
const COMMANDS_EACH = 20;
const ARRIVE_MS = 60_000;

interface World {
  server: HoldfastServer;
  cookie: string;
}

async function cursorOf({ server, cookie }: World): Promise<string> {
  const answer = await fetch(`${server.url}/api/sync/changes`, { headers: { cookie } });
  const parsed = changesAnswerSchema.parse(await answer.json());
  if (parsed.kind !== 'page') throw new Error('no cursor');
  return parsed.cursor;
}

/** Listens on the stream; calls back with each event's text. */
function openStream({ server, cookie }: World, cursor: string, hear: (text: string) => void) {
  let request: ClientRequest | null = null;
  const opened = new Promise<void>((resolve, reject) => {
    const url = `${server.url}/api/events?cursor=${encodeURIComponent(cursor)}`;
    request = get(url, { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`stream: ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        resolve();
        hear(text);
      });
      response.on('error', () => {});
    });
    request.on('error', reject);
  });
  return { opened, close: () => request?.destroy() };
}

function envelope(seq: number, title: string): CommandEnvelope {
  return {
    seq,
    commandId: randomUUID(),
    name: 'create_incident',
    version: 1,
    args: { id: randomUUID(), rootHypothesisId: randomUUID(), title },
    basedOn: null,
    expiresAt: null,
  };
}

async function post({ server, cookie }: World, deviceId: string, commands: CommandEnvelope[]) {
  const answer = await fetch(`${server.url}/api/sync/commands`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ deviceId, commands }),
  });
  return answer;
}

interface Arrivals {
  expect(title: string): void;
  /** The ear of one device: a title counts once, though it comes with the incident and with its hypothesis. */
  newEar(): (text: string) => void;
  delaysMs: number[];
}

function createArrivals(): Arrivals {
  const sentAt = new Map<string, number>();
  const delaysMs: number[] = [];
  return {
    delaysMs,
    expect: (title) => sentAt.set(title, performance.now()),
    newEar() {
      const heard = new Set<string>();
      return (text) => {
        for (const [title] of text.matchAll(/bench-change-\d+/g)) {
          const at = sentAt.get(title);
          if (at === undefined || heard.has(title)) continue;
          heard.add(title);
          delaysMs.push(performance.now() - at);
        }
      };
    },
  };
}

/** A device that comes back: reads what it missed and sends what it kept, again where it is told to wait. */
async function comeBack(world: World, cursor: string): Promise<{ pullMs: number; errors: number }> {
  const started = performance.now();
  const headers = { cookie: world.cookie };
  let errors = 0;
  for (;;) {
    const path = `/api/sync/changes?cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(world.server.url + path, { headers });
    await answer.arrayBuffer();
    if (answer.ok) break;
    if (answer.status >= 500 && answer.status !== 503) errors += 1;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const pullMs = performance.now() - started;
  const deviceId = randomUUID();
  const commands = Array.from({ length: COMMANDS_EACH }, (_, at) => envelope(at + 1, 'storm'));
  for (;;) {
    const answer = await post(world, deviceId, commands);
    const body: unknown = await answer.json().catch(() => null);
    if (answer.ok) {
      const { results } = commandAnswerSchema.parse(body);
      if (results.every(({ outcome }) => outcome.kind === 'applied')) break;
    } else if (answer.status >= 500 && answer.status !== 503) errors += 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 + Math.random() * 1000));
  }
  return { pullMs, errors };
}

/** What the devices heard, and what it cost. */
interface Propagation {
  cursor: string;
  delaysMs: number[];
  cpuPercent: number;
}

async function propagate(world: World): Promise<Propagation> {
  const cursor = await cursorOf(world);
  const arrivals = createArrivals();
  const streams = Array.from({ length: DEVICES }, () => openStream(world, cursor, arrivals.newEar()));
  await Promise.all(streams.map((stream) => stream.opened));
  const pid = world.server.pid();
  const percent = countCpu(pid);
  const deviceId = randomUUID();
  for (let seq = 1; seq <= CHANGES; seq += 1) {
    const title = `bench-change-${seq}`;
    arrivals.expect(title);
    const answer = await post(world, deviceId, [envelope(seq, title)]);
    if (!answer.ok) throw new Error(`commands: ${answer.status} ${await answer.text()}`);
    await new Promise((resolve) => setTimeout(resolve, CHANGE_EVERY_MS));
  }
  const { delaysMs } = arrivals;
  const deadline = performance.now() + ARRIVE_MS;
  while (delaysMs.length < DEVICES * CHANGES && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const cpuPercent = percent();
  for (const stream of streams) stream.close();
  if (delaysMs.length < DEVICES * CHANGES)
    throw new Error(`${delaysMs.length} of ${DEVICES * CHANGES} arrived`);
  return { cursor, delaysMs, cpuPercent };
}

/** Measures it on a fresh server with the default database. */
export async function measureDevices(bench: Bench): Promise<void> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    await server.start();
    const world = { server, cookie: await sessionCookie(server.url) };
    let cursor = await cursorOf(world);
    await bench.measure(['devices p95', 'devices cpu', 'devices memory'], 1, async () => {
      const found = await propagate(world);
      cursor = found.cursor;
      return {
        'devices p95': found.delaysMs,
        'devices cpu': found.cpuPercent,
        'devices memory': treeMb(server.pid()),
      };
    });
    await bench.measure(['storm all', 'storm pull p95', 'storm errors', 'storm memory'], 1, async () => {
      const started = performance.now();
      const back = await Promise.all(Array.from({ length: DEVICES }, () => comeBack(world, cursor)));
      return {
        'storm all': performance.now() - started,
        'storm pull p95': back.map(({ pullMs }) => pullMs),
        'storm errors': back.reduce((sum, { errors }) => sum + errors, 0),
        'storm memory': treeMb(server.pid()),
      };
    });
  } finally {
    await server.dispose();
  }
}
