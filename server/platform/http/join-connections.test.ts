/** Two connections that are one, over real sockets: nothing that was sent before an end is lost, and a cut is passed on. */
import fc from 'fast-check';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { joinConnections } from './join-connections.ts';

const MEGABYTE = 1_000_000;

/** A caller, and its connection as a server has it, which stays half open as those of an HTTP server do. */
async function connection(isClientOfOurs: boolean): Promise<{ far: Socket; near: Socket }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [called] = (await once(server, 'connection')) as [Socket];
  server.close();
  const [near, far] = isClientOfOurs ? [caller, called] : [called, caller];
  far.on('error', () => undefined);
  return { near, far };
}

/** A person's connection and a cluster's, joined. */
async function joined(lingerMs?: number) {
  const [person, cluster] = await Promise.all([connection(false), connection(true)]);
  const call = new AbortController();
  const over = joinConnections({
    one: person.near,
    other: cluster.near,
    signal: call.signal,
    ...(lingerMs === undefined ? {} : { lingerMs }),
  });
  return { person: person.far, cluster: cluster.far, call, over };
}

/** How much comes until the end, to one that reads a little now and then, and says something in between. */
async function readSlowly(socket: Socket, pauseMs: number): Promise<number> {
  let length = 0;
  for await (const part of socket as AsyncIterable<Buffer>) {
    length += part.length;
    socket.write('.');
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return length;
}

test('what one sent before its end arrives, however slowly the other reads and whatever the other still sends', async () => {
  const sent = fc.record({
    bytes: fc.integer({ min: 1, max: 4 * MEGABYTE }),
    pauseMs: fc.integer({ min: 0, max: 3 }),
    isPersons: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(sent, async ({ bytes, pauseMs, isPersons }) => {
      const { person, cluster, over } = await joined();
      const [from, to] = isPersons ? [person, cluster] : [cluster, person];
      from.resume().end(Buffer.alloc(bytes, 1));
      expect(await readSlowly(to, pauseMs)).toBe(bytes);
      to.end();
      await over;
    }),
    { numRuns: 15 },
  );
}, 60_000);

/** Its other end is closed. */
const gone = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.resume();
    for (const event of ['end', 'close']) socket.once(event, () => resolve());
  });

test.each(['person', 'cluster', 'signal'] as const)('a cut by the %s is one for both', async (by) => {
  const { person, cluster, call, over } = await joined();
  person.write('hello');
  await once(cluster, 'data');
  const closed = [gone(person), gone(cluster)];
  if (by === 'signal') call.abort();
  else (by === 'person' ? person : cluster).resetAndDestroy();
  await Promise.all([...closed, over]);
});

test('one that was cut before it is joined is a cut for the other', async () => {
  const [person, cluster] = await Promise.all([connection(false), connection(true)]);
  person.near.destroy();
  await once(person.near, 'close');
  const closed = gone(cluster.far);
  await joinConnections({ one: person.near, other: cluster.near, signal: new AbortController().signal });
  await closed;
});

test('one that does not end after the other did is cut', async () => {
  const { person, cluster, over } = await joined(200);
  // It hears of the end and goes on.
  person.allowHalfOpen = true;
  const heard = readSlowly(person, 0);
  cluster.end('bye');
  expect(await heard).toBe(3);
  await over;
});
