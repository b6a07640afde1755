/**
 * Kills a real server with SIGKILL while devices write to it, starts it again on the same data, and checks what
 * it promised. One data folder for all rounds, so that damage of an early round shows in a later one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../security/support/server-process.ts';
import type { ServerProcess } from '../security/support/server-process.ts';
import { openTestBrowser } from '../security/support/test-browser.ts';
import type { TestBrowser } from '../security/support/test-browser.ts';
import { LogReader, checkStory } from './kill-check.ts';
import { createKillDevice } from './kill-device.ts';
import type { KillDevice, Story } from './kill-device.ts';

export type KilledDatabase = 'pglite' | 'embedded';

export interface KillOptions {
  database: KilledDatabase;
  runs: number;
  /** Numbers in [0, 1). */
  random: () => number;
  onRound: (round: KillRun) => void;
}

export interface KillRun {
  round: number;
  /** How long devices had written when it was killed. */
  killedAfterMs: number;
  readyMs: number;
  acknowledged: number;
  /** Commands whose answer was lost, sent again. */
  resent: number;
  lost: string[];
  doubled: string[];
  half: string[];
  /** Rows that the change log never told of. */
  untold: string[];
}

const ADMIN = { email: 'admin@local', password: 'a password for killing' };
const DEVICES = 3;
const MAX_BATCH = 8;
/** All devices together stay below the endpoint's rate limit. */
const PAUSE_MS = 70;
const SHORTEST_MS = 150;
const LONGEST_MS = 1400;

interface Running {
  server: ServerProcess;
  browser: TestBrowser;
  readyMs: number;
}

/** Starts the server and takes the session of before along. */
async function start(
  dataDir: string,
  database: KilledDatabase,
  before: TestBrowser | null,
): Promise<Running> {
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'error',
  };
  const startedMs = performance.now();
  const server = startProcess({ ...env, DATABASE_URL: database });
  const browser = openTestBrowser(await server.ready());
  const readyMs = Math.round(performance.now() - startedMs);
  if (before === null) await browser.signIn(ADMIN.email, ADMIN.password);
  else for (const [name, value] of before.cookies) browser.cookies.set(name, value);
  return { server, browser, readyMs };
}

async function writeAndKill(
  running: Running,
  devices: readonly KillDevice[],
  afterMs: number,
): Promise<void> {
  const stop = new AbortController();
  const writing = Promise.all(devices.map((device) => device.write(running.browser, stop.signal)));
  await sleep(afterMs);
  await running.server.end('SIGKILL');
  stop.abort();
  await writing;
}

async function inspect(browser: TestBrowser, log: LogReader, stories: readonly Story[]) {
  const found = {
    lost: [] as string[],
    doubled: [] as string[],
    half: [] as string[],
    untold: [] as string[],
  };
  await log.follow(browser);
  for (const story of stories) {
    const { lost, doubled, half } = await checkStory(browser, story);
    found.lost.push(...lost);
    found.doubled.push(...doubled);
    found.half.push(...half);
    found.untold.push(...(await log.missing(browser, story)));
  }
  return found;
}

const sum = (devices: readonly KillDevice[]) =>
  devices.reduce((total, device) => total + device.acknowledged(), 0);

/** Runs the rounds; the last one checks all that was ever written. */
export async function runKills({ database, runs, random, onRound }: KillOptions): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-kill-'));
  const batchSize = () => 1 + Math.floor(random() * MAX_BATCH);
  const devices = Array.from({ length: DEVICES }, () =>
    createKillDevice(batchSize, () => sleep(random() * 2 * PAUSE_MS)),
  );
  const log = new LogReader();
  const everything = new Set<Story>();
  let running = await start(dataDir, database, null);
  try {
    await log.follow(running.browser);
    for (let round = 1; round <= runs; round += 1) {
      const before = sum(devices);
      const killedAfterMs = Math.round(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS));
      await writeAndKill(running, devices, killedAfterMs);
      running = await start(dataDir, database, running.browser);
      const stories = devices.flatMap((device) => device.takeStories());
      for (const story of stories) everything.add(story);
      const unanswered = await inspect(running.browser, log, stories);
      let resent = 0;
      for (const device of devices) resent += await device.finish(running.browser);
      const whole = await inspect(running.browser, log, round === runs ? [...everything] : stories);
      onRound({
        round,
        killedAfterMs,
        readyMs: running.readyMs,
        acknowledged: sum(devices) - before,
        resent,
        lost: [...unanswered.lost, ...whole.lost],
        doubled: [...unanswered.doubled, ...whole.doubled],
        half: [...unanswered.half, ...whole.half],
        untold: [...unanswered.untold, ...whole.untold],
      });
    }
  } finally {
    await running.server.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
