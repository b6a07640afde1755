/**
 * A wall that is left alone: one real hour, and eight hours on a clock that runs faster in the server, the page and its
 * workers. The estate changes all the time. What the page and its workers hold is taken after a collection of garbage.
 */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Bench } from '../core/bench.ts';
import type { LineKey } from '../lines.ts';
import { fastClock, fastServer, startFastClockProxy, type FastClock } from './fast-clock.ts';
import { restingHeapsOf, slopeOf } from './heap-samples.ts';
import { heapPartsOf } from './heap-snapshot.ts';
import { showBoards, withWall, type Wall } from './wall-setting.ts';
import { WATCH_WALL, wallTally } from './wall-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = Number(process.env['WALL_SOAK_MINUTES'] ?? 60);
/** What a first visit builds up is there by then. */
const SETTLED_MINUTES = 10;
/** A line through fewer says nothing. */
const SNAPSHOTS = 12;
const LONG_HOURS = Number(process.env['WALL_SOAK_HOURS'] ?? 8);
/** As fast as the product's time limits for real work allow on two cores: a statement of a caller gets 2 s, here 167 ms. */
const FASTER = 12;
/** Of the estate that never runs again: its checks have lost the figures of the last hour by then, as after any hour. */
const AGE_MINUTES = 120;
/** Of the same limits: 1000 checks are summed up in up to 300 ms. */
const LONG_CHECKS = 200;
/** Seed, start and pairing are over by then; they run in real time. */
const START_MS = 150_000;
/** Stale for longer, it was no wall that works: the heap is that of a screen to which nothing comes. */
const STALE_MAX_PERCENT = 5;
const OUT = '.tmp/bench';

interface Lines {
  growth: LineKey;
  /** Growth without compiled code. */
  data?: LineKey;
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
  /** One sample in so many also tells data and code apart; all are taken while the first board is shown. */
  snapshotEvery?: number;
}

type Point = Parameters<typeof slopeOf>[0][number];

/** Waits until the first of the two boards has just come: what each draws differs by half a megabyte. */
async function untilFirstBoard(page: Page): Promise<void> {
  for (const kind of ['changes', 'check'])
    await page.locator(`[data-testid=wall] section[data-kind=${kind}]`).waitFor({ timeout: MINUTE_MS });
}

/** Samples it until the time is over; answers MB at hours of the wall's clock, also of data alone, and what the tab took last. */
async function soak({ page, tabMb }: Wall, { name, minutes, settledMinutes, ...soaked }: Soak) {
  const { everyMs, rate, snapshotEvery = 0 } = soaked;
  mkdirSync(OUT, { recursive: true });
  rmSync(`${OUT}/${name}.jsonl`, { force: true });
  const startedAt = performance.now();
  const [points, ofData]: [Point[], Point[]] = [[], []];
  for (let at = 0; ; at += 1) {
    const waitMs = startedAt + at * everyMs - performance.now();
    if (waitMs > 0) await page.waitForTimeout(waitMs);
    if (snapshotEvery > 0) await untilFirstBoard(page);
    const passed = (performance.now() - startedAt) / MINUTE_MS;
    const heaps = await restingHeapsOf(page);
    // A snapshot takes memory for itself.
    const tab = tabMb();
    const isSettled = passed >= settledMinutes;
    const parts = isSettled && snapshotEvery > 0 && at % snapshotEvery === 0 ? await heapPartsOf(page) : null;
    const isStale = await page.getByTestId('wall').getAttribute('data-stale');
    const sample = { minute: Number(passed.toFixed(2)), ...heaps, ...parts, tabMb: tab, isStale };
    appendFileSync(`${OUT}/${name}.jsonl`, `${JSON.stringify(sample)}\n`);
    const x = (passed / 60) * rate;
    if (isSettled) points.push({ x, y: heaps.pageMb + heaps.workersMb });
    if (parts !== null) ofData.push({ x, y: parts.dataMb });
    if (passed >= minutes) return { all: points, ofData, tab };
  }
}

async function measureSoak(bench: Bench, wall: Wall, soaked: Soak, { growth, data, memory }: Lines) {
  const lines = [growth, data, memory].filter((key) => key !== undefined);
  await bench.measure(lines, 1, async () => {
    const { all, ofData, tab } = await soak(wall, soaked);
    const values: Partial<Record<LineKey, number>> = {};
    const grow = (key: LineKey, points: readonly Point[]) => {
      const { slope, error } = slopeOf(points);
      bench.note(key, `standard error ${error.toFixed(3)}, at the end ${points.at(-1)?.y.toFixed(1)} MB`);
      values[key] = slope;
    };
    grow(growth, all);
    if (data !== undefined) grow(data, ofData);
    if (memory !== undefined) values[memory] = tab;
    const samples = all.map(({ y }) => y);
    bench.extra(`${soaked.name}: heap of page and workers`, 'MB', samples);
    return values;
  });
}

/** One real hour with 10,000 checks. */
export async function measureHour(bench: Bench): Promise<void> {
  const options = {
    seed: { checks: 10_000, age: AGE_MINUTES },
    every: '@every 10s',
    flipEvery: '@every 10s',
  };
  await withWall(options, async (wall, { wallId, boards }) => {
    await showBoards(wall, wallId, { boards, rotateSeconds: 10 });
    const settledMinutes = Math.min(SETTLED_MINUTES, HOUR_MINUTES / 3);
    const hour = {
      name: 'wall-hour',
      minutes: HOUR_MINUTES,
      settledMinutes,
      everyMs: MINUTE_MS,
      rate: 1,
      snapshotEvery: Math.max(1, Math.round(HOUR_MINUTES / SNAPSHOTS)),
    };
    await measureSoak(bench, wall, hour, {
      growth: 'wall hour growth',
      data: 'wall hour data',
      memory: 'wall hour memory',
    });
  });
}

/** Dark from the second to the fourth of these hours, by the screen's own time. */
function night({ fromMs }: FastClock) {
  const timeAt = (hours: number) => new Date(fromMs + hours * 3_600_000).toTimeString().slice(0, 5);
  return { from: timeAt(2), until: timeAt(4) };
}

/** Waits until the clock runs faster; the wall has to show its boards by then. */
async function untilFast({ page }: Wall, { fromMs }: FastClock): Promise<void> {
  const leftMs = fromMs - Date.now();
  if (leftMs < 0) throw new Error(`the wall was there ${-leftMs / 1000} s too late for the clock`);
  await page.waitForTimeout(leftMs);
}

/** Notes what was seen meanwhile; throws where that was no wall that works. */
async function noteSeen(bench: Bench, { page, output }: Wall, clock: FastClock): Promise<void> {
  const { stale, ...counts } = await wallTally(page);
  const nowMs = await page.evaluate<number>('Date.now()');
  const minutes = stale
    .filter(({ untilMs }) => untilMs === null || untilMs > clock.fromMs)
    .map(({ fromMs, untilMs }) => ((untilMs ?? nowMs) - Math.max(fromMs, clock.fromMs)) / MINUTE_MS);
  const staleMinutes = minutes.reduce((sum, spell) => sum + spell, 0);
  const passed = (nowMs - clock.fromMs) / MINUTE_MS;
  const errors = output()
    .split('\n')
    .filter((line) => line.startsWith('{"level":50')).length;
  const seen = { hours: passed / 60, ...counts, spells: minutes, serverErrors: errors };
  appendFileSync(`${OUT}/wall-8h.jsonl`, `${JSON.stringify(seen)}\n`);
  const percent = (staleMinutes / passed) * 100;
  bench.extra('wall-8h: part of the time for which the wall was stale', '%', [percent]);
  if (percent > STALE_MAX_PERCENT)
    throw new Error(`the wall was stale for ${percent.toFixed(1)} % of the time`);
}

/** Eight hours of the wall's clock. */
export async function measureLongSoak(bench: Bench): Promise<void> {
  const clock = { rate: FASTER, fromMs: Date.now() + START_MS };
  const options = {
    seed: { checks: LONG_CHECKS },
    every: '@every 60s',
    flipEvery: '@every 60s',
    env: fastServer(clock),
    through: (url: string) => startFastClockProxy(url, clock),
    inPage: `${fastClock(clock)}${WATCH_WALL}`,
  };
  await withWall(options, async (wall, { wallId, boards }) => {
    await showBoards(wall, wallId, { boards, rotateSeconds: 30, staleSeconds: 30, dim: night(clock) });
    await untilFast(wall, clock);
    const minutes = (LONG_HOURS * 60) / FASTER;
    const long = { name: 'wall-8h', minutes, settledMinutes: minutes / 8, everyMs: 15_000, rate: FASTER };
    await measureSoak(bench, wall, long, { growth: 'wall 8h growth' });
    await noteSeen(bench, wall, clock);
  });
}
