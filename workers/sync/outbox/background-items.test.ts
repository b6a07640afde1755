/** What isn't the user's writing: sent like everything else, and in nobody's way. */
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import type { CommandRequest } from '../../../src/contract/commands/all-commands.ts';
import { createCommandBackend } from '../../../tests/backends/command-backend.ts';
import { guid } from '../../../tests/backends/guid.ts';
import { createDevice, createTestClock } from '../../../tests/backends/outbox-device.ts';

const [shop, bank] = [guid(1), guid(2)];
const mark = (n: number, incidentId: string): CommandRequest => ({
  name: 'mark_incident_read',
  args: { id: guid(n), incidentId, readAt: '2026-01-01T00:00:00Z' },
});
const comment: CommandRequest = {
  name: 'add_comment',
  args: { id: guid(9), incidentId: shop, comment: 'hello' },
};

function setup() {
  const clock = createTestClock();
  const backend = createCommandBackend(clock.now);
  const device = createDevice({ fetch: (url, init) => backend.fetch(url, init), clock });
  const worker = device.open();
  const { outbox } = worker;
  return {
    clock,
    backend,
    worker,
    outbox,
    write: (request: CommandRequest) => outbox.append(request, device.context()),
    kept: async () => (await outbox.items()).map(({ args }) => (args as { id: string }).id),
  };
}

test('a newer mark takes the place of one that waits for the same incident, and of no other', async () => {
  const { write, kept } = setup();
  await write(mark(11, shop));
  await write(mark(12, bank));
  await write(comment);
  await write(mark(13, shop));
  expect(await kept()).toEqual([guid(12), guid(9), guid(13)]);
});

test('marks are shown nowhere, what the user wrote is', async () => {
  const { write, outbox } = setup();
  await write(mark(11, shop));
  await write(comment);
  expect((await outbox.view()).items.map(({ name }) => name)).toEqual(['add_comment']);
});

test('a refused mark ends, and what the user wrote on the same incident goes on', async () => {
  const { write, outbox, backend, worker, clock } = setup();
  backend.judge = ({ name }) =>
    name === 'mark_incident_read'
      ? { kind: 'refused', code: 'forbidden', message: 'no', current: null }
      : null;
  await write(mark(11, shop));
  await write(comment);
  const run = await worker.start();
  await clock.runUntil(async () =>
    (await outbox.items()).every(({ state }) => state.kind !== 'kept' && state.kind !== 'sent'),
  );
  await run.stop();
  expect((await outbox.items()).map(({ name, state }) => [name, state.kind])).toEqual([
    ['add_comment', 'accepted'],
  ]);
});
