/** Real connections, a clock that a test moves: what a server that can't see makes of what fails. */
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServerGuard } from '../../platform/egress/server-guard.ts';
import { Sight, type SightParts } from './sight.ts';

let place: Server;
let port: number;
let at = { wallMs: Date.UTC(2025, 0, 1), elapsedMs: 0 };
let hasNetwork = true;

beforeEach(async () => {
  at = { wallMs: Date.UTC(2025, 0, 1), elapsedMs: 0 };
  hasNetwork = true;
  place = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
  const address = place.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(() => new Promise((resolve) => place.close(resolve)));

const pass = (ms: number, setMs = 0) => {
  at = { wallMs: at.wallMs + ms + setMs, elapsedMs: at.elapsedMs + ms };
};
const sightOf = (parts: Partial<SightParts> = {}) =>
  new Sight({
    probes: [`127.0.0.1:${port}`],
    guard: createServerGuard({ egressAllow: ['loopback'], egressDeny: [], databaseUrl: null }),
    hasNetwork: () => hasNetwork,
    now: () => at.wallMs,
    elapsed: () => at.elapsedMs,
    ...parts,
  });

test('a probe that answers means that what fails has failed; none that answers means that nobody could see', async () => {
  const sight = sightOf();
  expect(await sight.blindnessOf('http', at.wallMs)).toBeNull();
  await new Promise((resolve) => place.close(resolve));
  pass(5000);
  const blind = await sight.blindnessOf('http', at.wallMs);
  expect(blind?.reason).toBe(
    `unknown since 2025-01-01T00:00:05.000Z: this server reaches none of 127.0.0.1:${port}`,
  );
  // What is on the machine itself is seen all the same.
  expect(await sight.blindnessOf('exec', at.wallMs)).toBeNull();
  pass(60_000);
  expect((await sight.see())?.sinceMs).toBe(blind?.sinceMs);
  await new Promise<void>((resolve) => place.listen(port, '127.0.0.1', resolve));
  pass(5000);
  expect(await sight.blindnessOf('http', at.wallMs)).toBeNull();
});

test('one of several probes is enough, and one that the guard refuses is none', async () => {
  const refused = sightOf({
    guard: createServerGuard({ egressAllow: [], egressDeny: ['loopback'], databaseUrl: null }),
  });
  expect(await refused.see()).not.toBeNull();
  expect(await sightOf({ probes: ['127.0.0.1:1', `127.0.0.1:${port}`] }).see()).toBeNull();
});

test('without probes a network that went away counts, one that never was does not', async () => {
  const sight = sightOf({ probes: [] });
  hasNetwork = false;
  expect((await sight.see())?.reason).toContain('cut off from its network');
  expect(await sightOf({ probes: [] }).see()).toBeNull();
});

test('what began before the machine slept says nothing; what begins after it does', async () => {
  const sight = sightOf({ probes: [] });
  const startedMs = at.wallMs;
  pass(5000, 3_600_000);
  expect((await sight.blindnessOf('exec', startedMs))?.reason).toContain('the server was stopped');
  expect(await sight.blindnessOf('exec', at.wallMs)).toBeNull();
  expect(sight.takeJumps()).toMatchObject([{ kind: 'gap', sinceMs: startedMs }]);
  expect(sight.takeJumps()).toEqual([]);
});
