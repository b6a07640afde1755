import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fastClock, fastServer } from './fast-clock.ts';

const RATE = 12;
const REAL_MS = 60_000;

/** A program on the clock, which gets faster a minute after it begins; on the test's own time. */
function program() {
  const own = {
    Date,
    performance: { now: performance.now.bind(performance) },
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
  };
  runInContext(fastClock({ rate: RATE, fromMs: Date.now() + REAL_MS }), createContext(own));
  return own;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is the real time first and runs faster from then on, dates as well as what has passed', () => {
  const own = program();
  const [dateMs, elapsedMs] = [own.Date.now(), own.performance.now()];
  vi.advanceTimersByTime(REAL_MS);
  expect(own.Date.now() - dateMs).toBe(REAL_MS);
  vi.advanceTimersByTime(1000);
  expect(own.Date.now() - dateMs).toBe(REAL_MS + 1000 * RATE);
  expect(own.performance.now() - elapsedMs).toBe(REAL_MS + 1000 * RATE);
  expect(new own.Date().getTime()).toBe(own.Date.now());
  expect(new own.Date(5).getTime()).toBe(5);
});

it('rings a timer when its own time has come, also one that was set before', () => {
  const own = program();
  const rung: number[] = [];
  const startMs = own.Date.now();
  for (const delayMs of [1000, REAL_MS + 24_000])
    own.setTimeout(() => rung.push(own.Date.now() - startMs), delayMs);
  vi.advanceTimersByTime(REAL_MS + 2000);
  own.setTimeout(() => rung.push(own.Date.now() - startMs), 12_000);
  vi.advanceTimersByTime(1000);
  expect(rung).toEqual([1000, REAL_MS + 24_000, REAL_MS + 36_000]);
});

it('rings intervals faster, also those that were begun before, and none that were ended', () => {
  const own = program();
  const rung = { before: 0, after: 0, ended: 0, endedLater: 0 };
  own.setInterval(() => (rung.before += 1), 12_000);
  const ended = own.setInterval(() => (rung.ended += 1), 12_000);
  const endedLater = own.setInterval(() => (rung.endedLater += 1), 12_000);
  own.clearInterval(ended);
  vi.advanceTimersByTime(REAL_MS);
  own.clearInterval(endedLater);
  own.setInterval(() => (rung.after += 1), 12_000);
  expect(rung).toEqual({ before: 5, after: 0, ended: 0, endedLater: 5 });
  vi.advanceTimersByTime(5000);
  expect(rung).toEqual({ before: 10, after: 5, ended: 0, endedLater: 5 });
});

const SERVER = `
const { createServer } = require('node:http');
const { Worker } = require('node:worker_threads');
const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1', async () => {
  const answer = await fetch('http://127.0.0.1:' + server.address().port);
  server.close();
  const thread = new Worker('require("node:worker_threads").parentPort.postMessage(Date.now())', { eval: true, execArgv: [] });
  thread.once('message', (threadMs) =>
    console.log(JSON.stringify([Date.now(), Date.parse(answer.headers.get('date')), threadMs])));
});
`;

it('is the clock of a server: of its Date header and of its threads, too', () => {
  const ahead = 3_600_000;
  const env = { ...process.env, ...fastServer({ rate: RATE, fromMs: Date.now() - ahead }) };
  const told = execFileSync(process.execPath, ['-e', SERVER], { env, encoding: 'utf8' });
  const [nowMs = 0, ...others] = JSON.parse(told) as number[];
  expect(nowMs - Date.now()).toBeGreaterThan(ahead * (RATE - 2));
  for (const ms of others) expect(Math.abs(ms - nowMs)).toBeLessThan(60_000);
});
