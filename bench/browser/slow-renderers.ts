/**
 * Makes a browser's renderers slower: tabs and workers, with all their threads, are stopped for most of each short period.
 * What developer tools call a slower CPU slows the page's own thread alone, and here the workers have the work.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { processesOf } from '../core/machine.ts';

const PERIOD_MS = 60;
const LOOK_EVERY = 20;

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended.
    }
  }
}

const renderers = () => processesOf(process.pid, (command) => command.includes('--type=renderer'));

/** They get one part in `rate` of the time until the answer is called. */
export function slowRenderers(rate: number): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    let pids = renderers();
    for (let at = 1; !isOver; at += 1) {
      if (at % LOOK_EVERY === 0) pids = renderers();
      signal(pids, 'SIGSTOP');
      // oxlint-disable-next-line no-await-in-loop -- one period after the other
      await wait(PERIOD_MS - PERIOD_MS / rate);
      signal(pids, 'SIGCONT');
      // oxlint-disable-next-line no-await-in-loop -- one period after the other
      await wait(PERIOD_MS / rate);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}
