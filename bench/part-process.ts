/** One part of the benchmark in a process of its own: `run.ts` starts it and hears its results as they come. */
import { createBench } from './core/bench.ts';
import type { LineKey } from './lines.ts';
import { PARTS } from './parts.ts';

const [name = '', lines = '', pace = ''] = process.argv.slice(2);
const wanted = lines.split(',').filter((key) => key !== '') as LineKey[];
const part = PARTS[name];
if (part === undefined) throw new Error(`no part is called '${name}'`);
const run = await part.load();
const order = { part: name, wanted, isQuick: pace === 'quick' };
await run(createBench(order, (measurement) => process.send?.(measurement)));
// What was told has been sent by then; what will not end is not waited for.
process.once('disconnect', () => process.exit());
process.disconnect();
