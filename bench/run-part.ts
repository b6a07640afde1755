/** Runs one part of the benchmark in a process group of its own; whatever it does, the next part runs. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './core/measurement.ts';
import { LINES } from './lines.ts';
import { PARTS, type Chosen } from './parts.ts';

export interface PartResult {
  part: string;
  measurements: Measurement[];
  seconds: number;
  /** Why it did not end well. */
  error?: string;
}

const MINUTE_MS = 60_000;
const ENTRY = fileURLToPath(new URL('part-process.ts', import.meta.url));

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** What became of each line that was asked for; those without a result say why. */
function complete({ part, lines }: Chosen, heard: readonly Measurement[], error: string | undefined) {
  const missing = lines.filter((key) => !heard.some((one) => one.key === key));
  const why = error ?? 'the part measured nothing for it';
  const failed = missing.map((key): Measurement => ({
    key,
    line: LINES[key],
    samples: [],
    cpuMs: null,
    load: null,
    error: why,
  }));
  return { part, measurements: [...heard, ...failed] };
}

/** Answers what the part found; never throws. */
export async function runPart(
  chosen: Chosen,
  { signal, isQuick = false, entry = ENTRY }: { signal: AbortSignal; isQuick?: boolean; entry?: string },
): Promise<PartResult> {
  const { part, lines } = chosen;
  const startedAt = performance.now();
  const heard: Measurement[] = [];
  const limitMs = (PARTS[part]?.limitMinutes ?? 1) * MINUTE_MS;
  const error = await new Promise<string | undefined>((resolve) => {
    const child = fork(entry, [part, lines.join(','), isQuick ? 'quick' : 'whole'], {
      detached: true,
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const giveUp = (why: string) => {
      endGroup(child.pid);
      resolve(why);
    };
    const timer = setTimeout(() => giveUp(`not done after ${limitMs / MINUTE_MS} minutes`), limitMs);
    signal.addEventListener('abort', () => giveUp('interrupted'), { once: true });
    child.on('message', (message) => {
      const measurement = message as Measurement;
      heard.push(measurement);
      console.log(`${new Date().toISOString().slice(11, 19)} ${measurement.key}`);
    });
    child.on('error', (thrown) => giveUp(thrown.message));
    child.on('exit', (code, killedBy) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve(code === 0 ? undefined : `the part ended with ${killedBy ?? code}`);
    });
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return { ...complete(chosen, heard, error), seconds, ...(error === undefined ? {} : { error }) };
}
