import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { createNodeSyncPlatform, createBus } from '../../../tests/backends/node-sync-platform.ts';
import { createHttpClient } from './http-client.ts';
import { createServerClock } from './server-clock.ts';

const ORIGIN = 'http://localhost';

/** A server that begins its answer, and a browser that goes on waiting for the rest whatever becomes of the request. */
function clientOfEndlessBodies() {
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const fetch = () => {
    begun();
    return Promise.resolve(new Response(new ReadableStream()));
  };
  const platform = { ...createNodeSyncPlatform(ORIGIN, createBus()), fetch };
  return { client: createHttpClient(platform, createServerClock(platform)), hasBegun };
}

test('a request that is given up ends at once, also while its answer is being read', async () => {
  const { client, hasBegun } = clientOfEndlessBodies();
  const caller = new AbortController();
  const answer = client.send({ path: '/api/sync/changes', signal: caller.signal });
  await hasBegun;
  caller.abort();
  await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
});

test('a request takes no longer than its time, also when its answer stops half-way', async () => {
  const { client } = clientOfEndlessBodies();
  const answer = client.send({ path: '/api/sync/changes', timeoutMs: 20 });
  await expect(answer).rejects.toMatchObject({ code: 'timeout' });
});
