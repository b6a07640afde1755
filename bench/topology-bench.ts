/** How long the roll-up of 10,000 components takes in the compute worker's own code after one of them changed. */
import { performance } from 'node:perf_hooks';
import type { ReplicatedRow } from '../src/contract/collections.ts';
import {
  CollectionIndex,
  prepareRows,
  type EntryChange,
} from '../src/contract/row-index/collection-index.ts';
import { TopologyModel } from '../workers/compute/topology/topology-model.ts';
import type { Bench } from './core/bench.ts';

const COUNT = 10_000;
const FAN_OUT = 10;
const RUNS = 200;
const WARM_UP = 20;

/** A tree in which each component has ten parts. */
function component(at: number, health = 'healthy'): ReplicatedRow {
  return {
    id: `component-${at}`,
    name: `component ${at}`,
    parent_id: at === 0 ? null : `component-${Math.floor((at - 1) / FAN_OUT)}`,
    type: 'Service',
    status: health,
    health,
    checks: { healthy: at % 5 },
    labels: { team: `team-${at % 40}` },
  };
}

/** Measures it. */
export async function measureRollUp(bench: Bench): Promise<void> {
  const index = new CollectionIndex('components', {
    touchedIds: () => [],
    shown: (row) => (row === null ? null : { row, pending: 'none' }),
  });
  const rows = Array.from({ length: COUNT }, (_, at) => component(at));
  index.replaceAll(await prepareRows(rows, () => Promise.resolve()));
  let hear: (changes: readonly EntryChange[] | null) => void = () => {};
  const model = new TopologyModel(
    {
      attend(_name, listener) {
        hear = listener.hear;
        return { source: { index, isLoaded: () => true }, leave: () => {} };
      },
    },
    { isLoaded: () => true, stateOf: () => undefined, follow: () => () => {} },
    () => {},
  );
  model.rolled('component-0');
  await bench.measure(['roll-up 10000'], 1, async () => {
    const times: number[] = [];
    for (let run = 0; run < RUNS + WARM_UP; run += 1) {
      const last = COUNT - 1 - run;
      const start = performance.now();
      hear(index.apply({ upserts: [component(last, 'unhealthy')], deletedIds: [] }));
      if (model.rolled('component-0').health !== 'unhealthy') throw new Error('it was not rolled up');
      if (run >= WARM_UP) times.push(performance.now() - start);
      hear(index.apply({ upserts: [component(last)], deletedIds: [] }));
    }
    return { 'roll-up 10000': times };
  });
}
