/** What is handed over for the next start. */
import { expect, test } from 'vitest';
import type {
  OutlineQuery,
  TopologyFrame,
  TopologyPatch,
  TopologyQuery,
} from '../../src/contract/topology-view.ts';
import { wholeMark } from '../store/store-facts.ts';
import { row, setUp, viewState } from '../../tests/backends/compute-world.ts';
import { HEALTH, WINDOW } from '../../tests/backends/live-query-samples.ts';

const OUTLINE: OutlineQuery = {
  rootId: null,
  search: '',
  status: {},
  types: {},
  teams: {},
  agents: {},
  labels: {},
  hidesHidden: false,
  sortBy: 'name',
  isDescending: false,
  toggled: [],
};
const { toggled: _toggled, ...LOOKED_FOR } = OUTLINE;
const TOPOLOGY: TopologyQuery = { ...LOOKED_FOR, isFlat: false };

test('hands over its present answer for the next start, of the store that is attached and of no other', async () => {
  const world = await setUp([row('a'), row('b')]);
  const view = viewState();
  const args = { query: HEALTH, window: WINDOW };
  expect(await world.service.firstWindow('live-health', args)).toBeNull();
  await world.service.attach(world.storeName);
  await world.service.ask('live-health', args, view.listener);
  await expect
    .poll(() => {
      world.pass(60);
      return view.isLoaded;
    })
    .toBe(true);
  const handedOver = async () => {
    const found = world.service.firstWindow('live-health', args);
    world.pass(60);
    return found;
  };
  const found = await handedOver();
  expect(found?.storeName).toBe(world.storeName);
  expect(JSON.parse(found?.text ?? '')).toMatchObject({
    patch: { frame: { isLoaded: true, rowCount: 2 } },
    later: { whenOverdue: { frame: { rowCount: 2 } } },
  });
  const late = world.service.firstWindow('live-health', args);
  await world.service.attach('holdfast-of-somebody-else');
  world.pass(60);
  expect(await late).toBeNull();
  // A store that is not read yet has no answer that could be cached.
  expect(await world.service.firstWindow('live-health', args)).toBeNull();
  await expect(world.service.firstWindow('no-query', args)).rejects.toMatchObject({ code: 'invalid' });
});

test('says nothing of a topology until its checks are read, and hands it over for as long as they are current', async () => {
  const runs = { last_runtime: '2026-01-01T11:59:00Z', next_runtime: '2026-01-01T12:00:30Z' };
  const world = await setUp([row('a', runs), row('b', { ...runs, status: 'unhealthy' })], false);
  await world.addComponents([{ id: 'api', name: 'api', checks: { healthy: 2 }, check_ids: ['a', 'b'] }]);
  const args = { query: TOPOLOGY, window: WINDOW };
  const seen: TopologyFrame[] = [];
  await world.service.attach(world.storeName);
  await world.service.ask('live-topology', args, ({ frame }: TopologyPatch) => frame && seen.push(frame));
  await expect
    .poll(() => {
      world.pass(200);
      return seen.at(-1)?.totalCount;
    })
    .toBe(1);
  // The server counted two that pass.
  expect(seen.at(-1)?.isLoaded).toBe(false);
  expect(await world.service.firstWindow('live-topology', args)).toBeNull();
  await world.meta.set(wholeMark('checks'), true);
  world.announce({ isReset: true });
  await expect
    .poll(() => {
      world.pass(200);
      return seen.at(-1);
    })
    .toMatchObject({ isLoaded: true, health: { unhealthy: 1, healthy: 0 } });
  for (const [name, query] of [
    ['live-topology', TOPOLOGY],
    ['live-topology-outline', OUTLINE],
  ] as const) {
    const handedOver = world.service.firstWindow(name, { query, window: WINDOW });
    world.pass(60);
    const found = await handedOver;
    const healthyUntilMs = Date.parse('2026-01-01T12:02:00Z');
    const patch = { frame: { isLoaded: true, rowCount: 1 } };
    expect(JSON.parse(found?.text ?? '')).toMatchObject({ patch, overdue: { healthyUntilMs, patch } });
  }
});
