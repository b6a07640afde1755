/**
 * A wall that is left alone: one real hour, and eight hours on a clock that runs faster in the server, the page and its
 * workers. The estate changes all the time. What the page and its workers hold is taken after a collection of garbage.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import type { Bench } from '../core/bench.ts';
import type { LineKey } from '../lines.ts';
import { fastClock, fastServer, startFastClockProxy } from './fast-clock.ts';
import { restingHeapsOf, slopeOf } from './heap-samples.ts';
import { showBoards, withWall, type Wall } from './wall-setting.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = Number(process.env['WALL_SOAK_MINUTES'] ?? 60);
/** What a first visit builds up is there by then. */
const SETTLED_MINUTES = 10;
const LONG_HOURS = 8;
const FASTER = 32;
const OUT = '.tmp/bench';

interface Lines {
  growth: LineKey;
  memory?: LineKey;
}

interface Soak {
  name: string;
  /** Real time. */
  minutes: number;
  settledMinutes: number;
  everyMs: number;
  /** Hours of the wall's clock in a real hour. */
  rate: number;
}

/** Samples it until the time is over; answers growth in MB for each hour of the wall's clock. */
async function soak({ page, tabMb }: Wall, { name, minutes, settledMinutes, everyMs, rate }: Soak) {
  mkdirSync(OUT, { recursive: true });
  const startedAt = performance.now();
  const points: { x: number; y: number }[] = [];
  for (let at = 0; ; at += 1) {
    const waitMs = startedAt + at * everyMs - performance.now();
    if (waitMs > 0) await page.waitForTimeout(waitMs);
    const passed = (performance.now() - startedAt) / MINUTE_MS;
    const heaps = await restingHeapsOf(page);
    const isStale = await page.getByTestId('wall').getAttribute('data-stale');
    const sample = { minute: Number(passed.toFixed(2)), ...heaps, tabMb: tabMb(), isStale };
    appendFileSync(`${OUT}/${name}.jsonl`, `${JSON.stringify(sample)}\n`);
    if (passed >= settledMinutes) points.push({ x: (passed / 60) * rate, y: heaps.pageMb + heaps.workersMb });
    if (passed >= minutes) return { ...slopeOf(points), samples: points.map(({ y }) => y) };
  }
}

async function measureSoak(bench: Bench, wall: Wall, soaked: Soak, { growth, memory }: Lines) {
  const lines = memory === undefined ? [growth] : [growth, memory];
  await bench.measure(lines, 1, async () => {
    const { slope, error, samples } = await soak(wall, soaked);
    bench.note(growth, `standard error ${error.toFixed(3)}, heap ${samples.at(-1)?.toFixed(1)} MB`);
    bench.extra(`${soaked.name}: heap of page and workers`, 'MB', samples);
    return { [growth]: slope, ...(memory === undefined ? {} : { [memory]: wall.tabMb() }) };
  });
}

/** One real hour with 10,000 checks. */
export async function measureHour(bench: Bench): Promise<void> {
  const often = { every: '@every 10s', flipEvery: '@every 10s' };
  await withWall({ seed: { checks: 10_000 }, ...often }, async (wall, { wallId, boards }) => {
    await showBoards(wall, wallId, { boards, rotateSeconds: 10 });
    const settledMinutes = Math.min(SETTLED_MINUTES, HOUR_MINUTES / 3);
    const hour = { name: 'wall-hour', minutes: HOUR_MINUTES, settledMinutes, everyMs: MINUTE_MS, rate: 1 };
    await measureSoak(bench, wall, hour, { growth: 'wall hour growth', memory: 'wall hour memory' });
  });
}

/** Eight hours of the wall's clock. */
export async function measureLongSoak(bench: Bench): Promise<void> {
  const env = fastServer(FASTER);
  const through = (url: string) => startFastClockProxy(url, FASTER);
  const options = {
    seed: { checks: 1000 },
    every: '@every 60s',
    flipEvery: '@every 60s',
    env,
    through,
    inPage: fastClock(FASTER),
  };
  await withWall(options, async (wall, { wallId, boards }) => {
    await showBoards(wall, wallId, { boards, rotateSeconds: 30 });
    const minutes = (LONG_HOURS * 60) / FASTER;
    const long = { name: 'wall-8h', minutes, settledMinutes: minutes / 8, everyMs: 15_000, rate: FASTER };
    await measureSoak(bench, wall, long, { growth: 'wall 8h growth' });
  });
}
