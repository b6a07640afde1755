import { VirtualClock } from './virtual-clock.ts';
import { Simulator } from './simulation.ts';
import { ensureKeyRange } from './key-range.ts';
import { IDBFactory } from 'fake-indexeddb';
ensureKeyRange();
const t = Date.now();
const el = () => Date.now() - t;
const P: any = VirtualClock.prototype;
let settles = 0,
  turns = 0,
  holds = 0,
  holdMs = 0,
  settleMs = 0;
const so = P.settle;
P.settle = async function () {
  settles++;
  const s = performance.now();
  await so.call(this);
  settleMs += performance.now() - s;
};
const ho = P.hold;
P.hold = async function (w: any) {
  holds++;
  const s = performance.now();
  try {
    return await ho.call(this, w);
  } finally {
    holdMs += performance.now() - s;
  }
};
const s = await Simulator.start();
console.log('start', el());
for (const seed of [1, 2, 3]) {
  settles = turns = holds = holdMs = settleMs = 0;
  const c0 = process.cpuUsage();
  const b = el();
  const r = await s.run(seed);
  const c = process.cpuUsage(c0);
  console.log(
    seed,
    'ms',
    el() - b,
    'cpu',
    (c.user / 1000) | 0,
    'settles',
    settles,
    'settleMs',
    settleMs | 0,
    'holds',
    holds,
    'holdMs',
    holdMs | 0,
    'cmds',
    r.commands,
    'drain',
    r.drainMs,
    r.violations.slice(0, 3),
  );
}
process.exit(0);
