/** What a server costs that has nothing to do: no checks, no devices, no components. */
import { prepareServer } from '../../e2e/support/holdfast-server.ts';
import type { Bench } from '../core/bench.ts';
import { countCpu } from '../core/machine.ts';

/** What a start leaves to be done is done by then. */
const SETTLE_MS = 20_000;
const MEASURE_MS = 30_000;
const WINDOWS = 4;

/** Measures it on the default database. */
export async function measureIdle(bench: Bench): Promise<void> {
  const server = await prepareServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    await server.start();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    await bench.measure(['idle cpu'], WINDOWS, async () => {
      const percent = countCpu(server.pid());
      await new Promise((resolve) => setTimeout(resolve, MEASURE_MS));
      return { 'idle cpu': percent() };
    });
  } finally {
    await server.dispose();
  }
}
